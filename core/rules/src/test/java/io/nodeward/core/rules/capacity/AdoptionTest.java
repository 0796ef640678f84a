package io.nodeward.core.rules.capacity;

import static io.nodeward.core.rules.Fleet.always;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Entries written by hand that say what is declared, where they are to become Nodeward's. */
class AdoptionTest {
    private static final MachineTaint A = always("a", "1", "NoSchedule");
    private static final CapacityPolicy ADOPTING =
            new CapacityPolicy(true, OnInitialization.INCLUDE, Autoscaler.UNKNOWN, IgnoredTaints.NONE, true);

    @Test
    void one_that_says_what_is_declared_becomes_ours_and_goes_with_it() {
        Group byHand = Group.with("u:NoExecute,a=1:NoSchedule");
        CapacityPlan plan = byHand.plan(ADOPTING, A);

        assertThat(plan).isEqualTo(new CapacityPlan(
                Optional.of("u:NoExecute,a=1:NoSchedule"), Optional.of("a=1:NoSchedule"), false, true, List.of()));
        Group adopted = byHand.written(plan);
        assertThat(adopted.plan(ADOPTING, A).isDue()).isFalse();
        assertThat(adopted.written(adopted.plan(ADOPTING))).isEqualTo(Group.with("u:NoExecute"));
    }

    @Test
    void one_that_says_something_else_stays_a_users() {
        Group byHand = Group.with("a=mine:NoSchedule");

        assertThat(byHand.plan(ADOPTING, A).isDue()).isFalse();
        assertThat(byHand.plan(ADOPTING, A).warnings()).hasSize(1);
    }

    @Test
    void so_do_labels() {
        Map<String, String> byHand = Map.of(CapacityAnnotations.LABELS, "node-role.kubernetes.io/w=,u=1");
        Map<String, String> template = Map.of("node-role.kubernetes.io/w", "");
        CapacityPlan plan = CapacityLabels.plan(template, List.of(), byHand, true);

        assertThat(plan.tracking()).contains("node-role.kubernetes.io/w=");
        assertThat(plan.changesText()).isFalse();
        Group adopted = new Group(byHand).writtenLabels(plan);
        assertThat(CapacityLabels.plan(Map.of(), List.of(), adopted.annotations(), true).text()).contains("u=1");
    }
}
