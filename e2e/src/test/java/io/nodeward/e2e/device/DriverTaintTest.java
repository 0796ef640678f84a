package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.HollowNode;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Taints that a driver publishes in its ResourceSlice, on devices of pods that a kubelet runs. The cluster's own controller evicts
 * for them, and Nodeward shows them.
 */
@Tag("deep")
class DriverTaintTest {
    private static final String NODE = "hollow";
    private static final int DEVICES = 2;
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final Set<String> READS = Set.of("get", "list", "watch");
    private static final String TAINT = "{'key':'gpu.example.com/ecc','value':'2','effect':'%s'}";

    private static DeviceSuite suite;
    /** The controller that takes the taint {@code not-ready} off the Node. */
    private static LoggedProcess controllers;
    private static HollowNode node;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        controllers = suite.controlPlane().controllerManager(List.of("node-lifecycle-controller"));
        node = HollowNode.start(suite.controlPlane(), NODE);
        suite.pool(NODE, DEVICES);
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        node.close();
        controllers.close();
        suite.stop();
    }

    /** Creates a claim and a pod for the scheduler that uses it, which its kubelet runs. Returns its device. */
    private static String run(String pod, String tolerations) {
        suite.claim(pod, tolerations);
        suite.createPod(pod,
                DeviceSuite.specOf("", 5, "{}", "[{'name':'gpu','resourceClaimName':'%s'}]".formatted(pod)));
        await(pod).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.pod(pod).at("/status/phase").asText()).as(node.log()).isEqualTo("Running"));
        return suite.devices(pod).getFirst();
    }

    /** The driver publishes these taints on a device, and none on the others. */
    private static void publish(String device, String... taints) {
        suite.publish(NODE + "-0", IntStream.range(0, DEVICES).mapToObj(i -> "d" + i)
                .map(name -> "{'name':'%s','taints':[%s]}".formatted(name,
                        name.equals(device) ? String.join(",", taints) : ""))
                .collect(Collectors.joining(",", "[", "]")));
    }

    private static JsonNode explained(String device) {
        Result explained = suite.typed().run("explain", "device", NODE + "/" + device, "-o", "json");
        return DeviceSuite.parse(explained.orThrow("explain device").out());
    }

    @Test
    void the_cluster_evicts_a_running_pod_and_nodeward_shows_why_and_does_nothing() {
        String device = run("own", "[]");
        AuditLog.Mark mark = suite.mark();
        publish(device, TAINT.formatted("NoExecute"));
        await("its end").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain("own"));
        suite.awaitQuiet(mark, "pods", QUIET);
        assertThat(suite.audited(mark).filter(request -> request.is("delete", "pods")).map(AuditRequest::user))
                .containsExactly("system:kube-controller-manager", "system:node:" + NODE);
        assertThat(suite.requests(mark).filter(request -> !READS.contains(request.verb()))).isEmpty();
        Result text = suite.typed().run("explain", "device", NODE + "/" + device);
        assertThat(text.out().replaceAll("\\s+", " ")).as(text.err()).contains("gpu.example.com/ecc=2:NoExecute",
                "driver, in ResourceSlice hollow-0",
                "Kubernetes evicts pods whose claims do not tolerate it, all at once; Nodeward evicts nobody for it");
        assertThat(explained(device).at("/taints/0/evictedBy").asText()).isEqualTo("Kubernetes");
        publish(device);
    }

    /** A rule shows them from when the slice changes, and the pods that Kubernetes evicts for them when their time is over. */
    @Test
    void a_rule_shows_the_taints_of_drivers_and_whom_the_cluster_evicts_for_them() {
        String device = run("patient",
                "[{'key':'gpu.example.com/ecc','operator':'Exists','effect':'NoExecute','tolerationSeconds':3600}]");
        suite.declare("shows", """
                {'deviceSelector':{'pool':'hollow','device':'%s'},'taint':{'key':'example.com/x','effect':'None'}}"""
                .formatted(device));
        suite.awaitCounts("shows", 1, 1);
        assertThat(suite.status("shows").at("/preview/driverTaints")).isEmpty();
        publish(device, TAINT.formatted("None"), TAINT.formatted("NoExecute"));
        await("the taints").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                suite.status("shows").at("/preview/driverTaints")).isEqualTo(DeviceSuite.parse("""
                        [{'key':'gpu.example.com/ecc','value':'2','effect':'NoExecute','devices':1,
                          'evictedBy':'Kubernetes'},
                         {'key':'gpu.example.com/ecc','value':'2','effect':'None','devices':1}]""")));
        assertThat(suite.names("shows", "evictedByKubernetes")).containsExactly("ml/patient");
        suite.awaitCounts("shows", 1, 1);
        assertThat(explained(device).path("taints").valueStream().map(taint -> taint.path("evictedBy").asText()))
                .as("a rule that has no effect evicts nobody either").containsExactly("", "Kubernetes", "");
        publish(device);
        await("no taint").atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.status("shows").at("/preview/driverTaints")).isEmpty());
        assertThat(suite.pods()).contains("patient");
        suite.delete("shows");
    }
}
