package io.nodeward.e2e.machinepool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The upstream manager looks after the same pools: it sets its annotations and removes {@code uninitialized} by a patch
 * without resourceVersion from its cache, which may wipe what was written meanwhile. Whether it does is a matter of
 * milliseconds; that what was wiped comes back is shown in {@link MachinePoolTest}, where the test is the one who wipes.
 */
@Tag("deep")
class BesideUpstreamPoolTest {
    private static final int NODES = 40;
    private static final Duration QUIET = Duration.ofSeconds(5);
    private static final String ALWAYS = "example.com/a=1:NoSchedule";
    private static final String ONCE = "example.com/once:NoExecute";

    @Test
    void every_node_has_both_kinds_when_upstream_is_through() {
        try (MachineSuite suite = MachineSuite.in("beside-pools", "machinepool");
                Pools pools = new Pools(suite, "c")) {
            suite.fleet().cluster("c", suite.controlPlane().kubeconfigForUser(
                    "beside-pools-upstream", List.of("system:masters")));
            try (Upstream upstream = Upstream.start(suite.controlPlane());
                    RunningNodeward nodeward = suite.start("--feature-gates=MachinePoolTaintPropagation=true")) {
                AuditLog.Mark mark = suite.mark();
                pools.create("beside-pools", NODES, ALWAYS + ":Always", ONCE + ":OnInitialization");
                // Both find new Nodes at the same time: here they race.
                IntStream.range(NODES, 2 * NODES).forEach(i -> pools.node("beside-pools", i));
                pools.scale("beside-pools", 2 * NODES);

                await("both").atMost(Duration.ofMinutes(4)).pollInterval(Duration.ofSeconds(1))
                        .untilAsserted(() -> IntStream.range(0, 2 * NODES).forEach(i -> assertDone(suite, i)));
                suite.controlPlane().audit().settled(suite.mark(), r -> isNodeWrite(r), QUIET);
                IntStream.range(0, 2 * NODES).forEach(i -> assertDone(suite, i));
                List<AuditRequest> writes = suite.controlPlane().audit().since(mark)
                        .filter(BesideUpstreamPoolTest::isNodeWrite).toList();
                assertThat(writes).filteredOn(r -> r.userAgent().startsWith("nodeward/")).isNotEmpty();
                assertThat(writes).filteredOn(r -> !r.userAgent().startsWith("nodeward/")
                        && r.user().endsWith("-upstream")).isNotEmpty();
                upstream.stop();
                assertThat(nodeward.isReady()).isTrue();
            }
        }
    }

    private static boolean isNodeWrite(AuditRequest request) {
        return request.is("patch", "nodes") && request.name().startsWith("beside-pools-");
    }

    private static void assertDone(MachineSuite suite, int i) {
        assertThat(Taints.on(suite.node("beside-pools-" + i))).as("Node %d", i).containsExactlyInAnyOrder(ALWAYS, ONCE);
    }
}
