package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.HollowNode;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A taint that a driver publishes in its ResourceSlice: the cluster's own controller evicts for it, at once. */
@Tag("deep")
class DriverTaintTest {
    private static final String NODE = "hollow";
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Set<String> READS = Set.of("get", "list", "watch");

    private static DeviceSuite suite;
    private static HollowNode node;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        node = suite.hollowNode(NODE);
        suite.pool(NODE, 1);
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        suite.stop();
    }

    @Test
    void the_cluster_evicts_a_running_pod_and_nodeward_shows_why_and_does_nothing() {
        suite.claim("own", "[]");
        suite.gracefulPod("own", "own");
        await("a pod that runs").atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.pod("own").at("/status/phase").asText()).as(node.log()).isEqualTo("Running"));
        assertThat(suite.devices("own")).containsExactly("d0");
        AuditLog.Mark mark = suite.mark();
        suite.publish(NODE + "-0",
                "[{'name':'d0','taints':[{'key':'gpu.example.com/ecc','value':'2','effect':'NoExecute'}]}]");
        await("its end").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain("own"));
        suite.awaitQuiet(mark, "pods", QUIET);
        assertThat(suite.audited(mark).filter(request -> request.is("delete", "pods")).map(AuditRequest::user))
                .containsExactly("system:kube-controller-manager", "system:node:" + NODE);
        assertThat(suite.requests(mark).filter(request -> !READS.contains(request.verb()))).isEmpty();
        Result explained = suite.typed().run("explain", "device", NODE + "/d0");
        assertThat(explained.out()).as(explained.err()).contains("gpu.example.com/ecc=2:NoExecute",
                "driver, in ResourceSlice hollow-0", "Kubernetes evicts pods whose claims do not tolerate it");
    }
}
