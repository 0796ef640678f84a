package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a kubelet does with taints, of which Nodeward's guides speak. */
@Tag("deep")
class HollowNodeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PODS = "/api/v1/namespaces/hollow/pods";
    private static final String NODE = "/api/v1/nodes/hollow";
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized";

    private static ControlPlane controlPlane;
    private static AdminClient admin;
    private static HollowNode node;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane
                .start(Options.standard().withApiServerFlags("--enable-admission-plugins=NodeRestriction"));
        admin = controlPlane.admin();
        admin.create("/api/v1/namespaces", parse("{'metadata':{'name':'hollow'}}"));
        admin.create("/api/v1/namespaces/hollow/serviceaccounts", parse("{'metadata':{'name':'default'}}"));
        node = HollowNode.start(controlPlane, "hollow", "--register-with-taints=" + UNINITIALIZED + "=:NoSchedule",
                "--node-labels=pool=banana");
    }

    @AfterAll
    static void stop() {
        node.close();
        controlPlane.close();
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.replace('\'', '"'));
    }

    private static void taint(String taints) {
        admin.mergePatch(NODE, parse("{'spec':{'taints':%s}}".formatted(taints)).toString());
    }

    private static void pod(String name, String tolerations) {
        admin.create(PODS,
                parse("""
                        {'metadata':{'name':'%s'},'spec':{'nodeName':'hollow','tolerations':%s,
                         'terminationGracePeriodSeconds':3,'automountServiceAccountToken':false,'containers':[{'name':'c','image':'i'}]}}"""
                        .formatted(name, tolerations)));
    }

    private static JsonNode awaitPhase(String pod, String phase) {
        await(pod).atMost(PATIENCE).untilAsserted(() -> assertThat(
                admin.send("GET", PODS + "/" + pod, AdminClient.JSON, "").body().at("/status/phase").asText())
                .as(node.log()).isEqualTo(phase));
        return admin.get(PODS + "/" + pod).path("status");
    }

    @Test
    void it_registers_with_its_taints_and_labels() {
        HollowNode other = HollowNode.start(controlPlane, "registered",
                "--register-with-taints=" + UNINITIALIZED + "=:NoSchedule", "--node-labels=pool=banana");
        try (other) {
            JsonNode found = admin.get("/api/v1/nodes/registered");
            assertThat(found.at("/metadata/labels/pool").asText()).isEqualTo("banana");
            assertThat(found.at("/spec/taints").valueStream().map(taint -> taint.path("key").asText()))
                    .contains(UNINITIALIZED);
            assertThat(found.at("/status/nodeInfo/kubeletVersion").asText())
                    .isEqualTo(KubernetesRelease.used().version());
        }
    }

    @Test
    void it_runs_a_pod_that_no_scheduler_placed_in_spite_of_NoSchedule_and_ends_it_when_it_is_deleted() {
        pod("placed", "[]");
        awaitPhase("placed", "Running");
        JsonNode deleted = admin.send("DELETE", PODS + "/placed", AdminClient.JSON, "").body();
        assertThat(deleted.at("/metadata/deletionGracePeriodSeconds").asInt()).isEqualTo(3);
        await("the kubelet deletes it").atMost(PATIENCE).until(
                () -> admin.send("GET", PODS + "/placed", AdminClient.JSON, "").code() == 404);
    }

    @Test
    void it_refuses_a_pod_that_does_not_tolerate_NoExecute_and_runs_a_static_pod() {
        taint("[{'key':'dedicated','value':'banana','effect':'NoExecute'}]");
        try {
            pod("stranger", "[]");
            JsonNode refused = awaitPhase("stranger", "Failed");
            assertThat(refused.path("reason").asText()).isEqualTo("TaintToleration");
            pod("member", "[{'key':'dedicated','value':'banana','effect':'NoExecute'}]");
            awaitPhase("member", "Running");
            node.staticPod("static.yaml", """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: static, namespace: hollow}
                    spec: {containers: [{name: c, image: i}]}
                    """);
            awaitPhase("static-hollow", "Running");
        } finally {
            taint("[]");
        }
    }
}
