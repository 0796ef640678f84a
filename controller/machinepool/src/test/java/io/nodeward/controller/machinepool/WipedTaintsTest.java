package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Taints for initialization beside a controller that removes {@code uninitialized} by writing an older list. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class WipedTaintsTest extends PoolFixture {
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized=:NoSchedule";
    private static final String INITIAL = "b=2:NoExecute";

    @BeforeEach
    void startWithFreshNode() {
        node("p-0", UNINITIALIZED);
        pool("p", 0, "a=1:NoSchedule", INITIAL + ":OnInitialization");
        list("p", "fake://p-0");
        start();
        awaitTaints("p-0", UNINITIALIZED, "a=1:NoSchedule", INITIAL);
    }

    @Test
    void what_is_wiped_with_uninitialized_is_added_once_more() throws Exception {
        setTaints("p-0");
        awaitTaints("p-0", "a=1:NoSchedule", INITIAL);

        setTaints("p-0");
        awaitTaints("p-0", "a=1:NoSchedule");
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void what_stays_when_uninitialized_goes_may_go_later_for_good() throws Exception {
        setTaints("p-0", "a=1:NoSchedule", INITIAL);
        settle();
        setTaints("p-0", "a=1:NoSchedule");
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void what_goes_before_uninitialized_does_not_come_back() throws Exception {
        setTaints("p-0", UNINITIALIZED, "a=1:NoSchedule");
        settle();
        setTaints("p-0", "a=1:NoSchedule");
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void what_goes_one_by_one_during_a_pause_does_not_come_back() throws Exception {
        pause(true);
        setTaints("p-0", "a=1:NoSchedule", INITIAL);
        settle();
        setTaints("p-0", "a=1:NoSchedule");
        settle();
        pause(false);
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void what_is_wiped_during_a_pause_is_added_once_more_if_the_pause_is_short() throws Exception {
        pause(true);
        setTaints("p-0");
        settle();
        quiet.pass(Duration.ofMinutes(5));
        settle();
        pause(false);
        awaitTaints("p-0", "a=1:NoSchedule", INITIAL);
        setTaints("p-0", "a=1:NoSchedule");
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    @Test
    void what_is_wiped_during_a_long_pause_stays_away() throws Exception {
        pause(true);
        setTaints("p-0");
        settle();
        quiet.pass(Duration.ofMinutes(10));
        settle();
        pause(false);
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }

    private void pause(boolean paused) throws Exception {
        management.mergePatch("machinepools", "fleet", "p",
                json("{'metadata':{'annotations':{'cluster.x-k8s.io/paused':" + (paused ? "''" : "null") + "}}}"));
        settle();
    }

    @Test
    void another_node_of_the_name_is_none_that_was_wiped() throws Exception {
        workload.delete("nodes", "", "p-0");
        workload.create("nodes", json("{'metadata':{'name':'p-0','annotations':{"
                + "'cluster.x-k8s.io/taints-from-machine':'a:NoSchedule'}},'spec':{'providerID':'fake://p-0'}}"));
        awaitTaints("p-0", "a=1:NoSchedule");
        settle();
        assertThat(taintsOf("p-0")).containsExactly("a=1:NoSchedule");
    }
}
