package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a kubelet does with taints, of which Nodeward's guides speak. */
@Tag("deep")
class HollowNodeTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String PODS = "/api/v1/namespaces/hollow/pods";
    private static final String UNINITIALIZED = "node.cluster.x-k8s.io/uninitialized";

    private static ControlPlane controlPlane;
    private static AdminClient admin;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane
                .start(Options.standard().withApiServerFlags("--enable-admission-plugins=NodeRestriction"));
        admin = controlPlane.admin();
        admin.create("/api/v1/namespaces", parse("{'metadata':{'name':'hollow'}}"));
        admin.create("/api/v1/namespaces/hollow/serviceaccounts", parse("{'metadata':{'name':'default'}}"));
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    private static JsonNode parse(String json) {
        return Json.parse(json.replace('\'', '"'));
    }

    private static void pod(String name, String node, String tolerations) {
        admin.create(PODS, parse("""
                {'metadata':{'name':'%s'},'spec':{'nodeName':'%s','tolerations':%s,'terminationGracePeriodSeconds':3,
                 'automountServiceAccountToken':false,'containers':[{'name':'c','image':'i'}]}}"""
                .formatted(name, node, tolerations)));
    }

    private static JsonNode awaitPhase(HollowNode node, String pod, String phase) {
        await(pod).atMost(PATIENCE).untilAsserted(() -> assertThat(
                admin.find(PODS + "/" + pod).map(found -> found.at("/status/phase").asText()))
                .as(node.log()).contains(phase));
        return admin.get(PODS + "/" + pod).path("status");
    }

    private static List<String> taints(String node) {
        return admin.get("/api/v1/nodes/" + node).at("/spec/taints").valueStream()
                .map(taint -> taint.path("key").asText() + ":" + taint.path("effect").asText()).toList();
    }

    @Test
    void it_registers_with_its_taints_and_labels() {
        HollowNode node = HollowNode.start(controlPlane, "registered",
                "--register-with-taints=" + UNINITIALIZED + "=:NoSchedule", "--node-labels=pool=banana");
        try (node) {
            JsonNode found = admin.get("/api/v1/nodes/registered");
            assertThat(found.at("/metadata/labels/pool").asText()).isEqualTo("banana");
            assertThat(taints("registered")).contains(UNINITIALIZED + ":NoSchedule");
            assertThat(found.at("/status/nodeInfo/kubeletVersion").asText())
                    .isEqualTo(KubernetesRelease.used().version());
        }
    }

    @Test
    void it_runs_a_pod_in_spite_of_NoSchedule_and_ends_it_when_it_is_deleted() {
        HollowNode node = HollowNode.start(controlPlane, "running",
                "--register-with-taints=" + UNINITIALIZED + "=:NoSchedule,dedicated=banana:NoSchedule");
        try (node) {
            pod("placed", "running", "[]");
            awaitPhase(node, "placed", "Running");
            assertThat(taints("running")).contains("dedicated:NoSchedule");
            JsonNode deleted = admin.send("DELETE", PODS + "/placed", AdminClient.JSON, "").body();
            assertThat(deleted.at("/metadata/deletionGracePeriodSeconds").asInt()).isEqualTo(3);
            await("the kubelet deletes it").atMost(PATIENCE).until(() -> admin.find(PODS + "/placed").isEmpty());
        }
    }

    @Test
    void it_refuses_a_pod_that_does_not_tolerate_NoExecute_and_runs_a_static_pod() {
        HollowNode node = HollowNode.start(controlPlane, "refusing",
                "--register-with-taints=dedicated=banana:NoExecute");
        try (node) {
            pod("stranger", "refusing", "[]");
            JsonNode refused = awaitPhase(node, "stranger", "Failed");
            assertThat(refused.path("reason").asText()).isEqualTo("TaintToleration");
            pod("member", "refusing", "[{'key':'dedicated','value':'banana','effect':'NoExecute'}]");
            awaitPhase(node, "member", "Running");
            node.staticPod("static.yaml", """
                    apiVersion: v1
                    kind: Pod
                    metadata: {name: static, namespace: hollow}
                    spec: {containers: [{name: c, image: i}]}
                    """);
            awaitPhase(node, "static-refusing", "Running");
        }
    }
}
