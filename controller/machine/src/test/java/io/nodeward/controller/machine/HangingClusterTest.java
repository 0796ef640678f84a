package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One workload cluster that stops to answer, beside one that does not. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HangingClusterTest extends MachineFixture {
    private static final int WORKERS = new MachineConfig().concurrency;

    /** Nobody would know whether all that it holds has been seen. */
    @Test
    void a_server_that_quiet_does_not_know_is_an_error_and_not_waited_for() {
        try (FakeApiServer other = FakeApiServer.start(Options.defaults())) {
            cluster("other", other);
            controller = new RunningController(management.kubeconfig(), quiet);
            assertThatThrownBy(this::settle).isInstanceOf(AssertionError.class).hasMessageContaining(other.url());
            quiet.leaveOut(other);
            settle();
        }
    }

    @Test
    void writes_that_are_not_answered_hold_up_their_own_cluster_alone() throws Exception {
        FakeApiServer slow = quiet.start(Options.defaults());
        try {
            cluster("slow", slow);
            List<String> names = IntStream.range(0, 2 * WORKERS).mapToObj(i -> "s" + i).toList();
            names.forEach(name -> {
                management.create("machines",
                        object(name, "'spec':{'clusterName':'slow','providerID':'fake://" + name + "'}"));
                slow.create("nodes",
                        json("{'metadata':{'name':'" + name + "'},'spec':{'providerID':'fake://" + name + "'}}"));
            });
            machineWithNode("m");
            startConverged();
            await().until(() -> slow.requests().stream().filter(PATCH).count() == names.size());
            slow.clearRequests();
            AtomicInteger inHand = new AtomicInteger();
            slow.fault(names.size(), r -> PATCH.test(r) && inHand.incrementAndGet() > 0,
                    new Fault.Delay(Duration.ofSeconds(40)));
            names.forEach(name -> declare(name, "a=1:NoSchedule"));
            await().until(() -> inHand.get() == WORKERS);

            declare("m", "a=1:NoSchedule");
            awaitTaints("m", "a=1:NoSchedule");
            assertThat(slow.requests()).as("answers of the slow cluster").isEmpty();
            assertThat(inHand).hasValue(WORKERS);
        } finally {
            slow.close();
        }
    }
}
