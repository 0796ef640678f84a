package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.HollowNode;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Pods that a kubelet runs and ends, which Nodeward evicts. */
@Tag("deep")
class DeviceKubeletTest {
    private static final String NODE = "hollow";
    /** One for each test, as the tests leave theirs in use. */
    private static final int DEVICES = 2;
    private static final Duration QUIET = Duration.ofSeconds(2);
    private static final String RULE = """
            {'deviceSelector':{'pool':'hollow','device':'%s'},
             'taint':{'key':'example.com/broken','effect':'NoExecute'}}""";

    private static DeviceSuite suite;
    /** What takes the taint {@code not-ready} off the Node, and makes the pods of Deployments. */
    private static LoggedProcess controllers;
    private static HollowNode node;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        controllers = suite.controlPlane().controllerManager(
                List.of("node-lifecycle-controller", "deployment-controller", "replicaset-controller"));
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
    private static String run(String pod) {
        suite.claim(pod, "[]");
        suite.createPod(pod, specOf(pod));
        await(pod).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(suite.pod(pod).at("/status/phase").asText()).as(node.log()).isEqualTo("Running"));
        return suite.devices(pod).getFirst();
    }

    /** Returns the spec of a pod that uses a claim, and whose kubelet has a while to end it. */
    private static String specOf(String claim) {
        return DeviceSuite.specOf("", 5, "{}", "[{'name':'gpu','resourceClaimName':'%s'}]".formatted(claim));
    }

    @Test
    void an_evicted_pod_is_ended_by_its_kubelet_and_gives_its_devices_back() {
        String device = run("alone");
        AuditLog.Mark mark = suite.mark();
        suite.declare("alone", RULE.formatted(device));
        await("the kubelet ends it").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).doesNotContain("alone"));
        suite.awaitQuiet(mark, "pods", QUIET);
        assertThat(suite.audited(mark).filter(request -> request.is("delete", "pods")).map(AuditRequest::user))
                .containsExactly("system:serviceaccount:nodeward-system:nodeward-devices", "system:node:" + NODE);
        await("the devices").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.devices("alone")).isEmpty());
        suite.awaitCondition("alone", "EvictionInProgress", "False");
        suite.delete("alone");
    }

    @Test
    void the_pods_of_a_deployment_come_again_and_the_rule_says_so() {
        suite.claim("shared", "[]");
        suite.admin().create("/apis/apps/v1/namespaces/ml/deployments", DeviceSuite.parse("""
                {'metadata':{'name':'shared'},'spec':{'replicas':1,'selector':{'matchLabels':{'app':'shared'}},
                 'template':{'metadata':{'labels':{'app':'shared'}},'spec':%s}}}""".formatted(specOf("shared"))));
        await("a pod").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(running("shared")).hasSize(1));
        String device = suite.devices("shared").getFirst();
        suite.declare("shared", RULE.formatted(device));
        await("the condition").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode condition = suite.condition("shared", "EvictionBackoff");
            assertThat(condition.path("status").asText()).as("" + suite.pods()).isEqualTo("True");
            assertThat(condition.path("reason").asText()).isEqualTo("ClaimGetsNewPods");
            assertThat(condition.path("message").asText()).contains("ResourceClaim ml/shared");
        });
        suite.delete("shared");
    }

    private static List<String> running(String prefix) {
        return suite.pods().stream().filter(name -> name.startsWith(prefix + "-"))
                .filter(name -> suite.pod(name).at("/status/phase").asText().equals("Running")).toList();
    }
}
