package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Relay;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A management cluster that serves v1beta1 alone, whose conditions of the new form are in a place of their own. */
@Tag("deep")
class OlderClusterApiTest {
    private static final String OBJECTS = "/apis/cluster.x-k8s.io/v1beta1/namespaces/default/";
    private static final String OLD_CONDITION = """
            {"status":{"infrastructureReady":true,"conditions":[{"type":"ControlPlaneInitialized","status":"True",
            "severity":"Info","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}""";

    @Test
    void where_only_v1beta1_is_served_the_condition_is_among_those_of_the_new_form() {
        Kubeconfig kubeconfig;
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard())) {
            kubeconfig = controlPlane.adminKubeconfig();
            AdminClient admin = controlPlane.admin();
            ClusterApiCrds.install(admin, List.of(older(0), older(1)));
            try (Relay relay = Relay.to(kubeconfig)) {
                create(admin, relay.leadingTo(kubeconfig));
                try (RunningNodeward nodeward = RunningNodeward
                        .start(controlPlane.file(kubeconfig), InRunningController.HURRY.toArray(String[]::new))) {
                    outage(admin, relay);
                    missingNode(admin);
                    assertThat(nodeward.isReady()).isTrue();
                }
            }
        }
    }

    private static void outage(AdminClient admin, Relay relay) {
        String path = OBJECTS + "clusters/c";
        admin.mergePatch(path + "/status", OLD_CONDITION);
        await("the connection").atMost(MachineSuite.PATIENCE).until(() -> relay.standing() > 0);
        JsonNode before = admin.get(path).path("status");
        relay.refuse();
        await("the condition").atMost(MachineSuite.PATIENCE).until(() -> blocked(admin, path).isPresent());
        assertThat(blocked(admin, path).orElseThrow().path("reason").asText()).isEqualTo("ClusterUnreachable");
        assertThat(admin.get(path).at("/status/conditions")).isEqualTo(before.path("conditions"));
        relay.resume();
        await("its end").atMost(MachineSuite.PATIENCE).until(() -> blocked(admin, path).isEmpty());
        assertThat(admin.get(path).at("/status/conditions")).isEqualTo(before.path("conditions"));
    }

    private static void missingNode(AdminClient admin) {
        String path = OBJECTS + "machines/m";
        await("the condition").atMost(MachineSuite.PATIENCE).until(() -> blocked(admin, path).isPresent());
        assertThat(blocked(admin, path).orElseThrow().path("reason").asText()).isEqualTo("NodeNotJoined");
        admin.create("/api/v1/nodes", Json.parse("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"m"},"spec":{"providerID":"e2e://m"}}"""));
        await("its end").atMost(MachineSuite.PATIENCE).until(() -> blocked(admin, path).isEmpty());
        assertThat(admin.get("/api/v1/nodes/m").at("/metadata/labels/node.cluster.x-k8s.io~1mark").asText())
                .isEqualTo("here");
    }

    private static Optional<JsonNode> blocked(AdminClient admin, String path) {
        return admin.get(path).at("/status/v1beta2/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("nodeward.io/Blocked")).findFirst();
    }

    private static void create(AdminClient admin, Kubeconfig workload) {
        String value = Base64.getEncoder().encodeToString(workload.toYaml().getBytes(StandardCharsets.UTF_8));
        admin.create("/api/v1/namespaces/default/secrets", Json.parse("""
                {"apiVersion":"v1","kind":"Secret","type":"cluster.x-k8s.io/secret",
                "metadata":{"name":"c-kubeconfig","labels":{"cluster.x-k8s.io/cluster-name":"c"}},
                "data":{"value":"%s"}}""".formatted(value)));
        admin.create(OBJECTS + "clusters", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Cluster","metadata":{"name":"c"},"spec":{}}"""));
        admin.create(OBJECTS + "machines", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Machine",
                "metadata":{"name":"m","labels":{"node.cluster.x-k8s.io/mark":"here"}},
                "spec":{"clusterName":"c","providerID":"e2e://m","bootstrap":{"dataSecretName":"b"}}}"""));
    }

    private static JsonNode older(int index) {
        JsonNode definition = ShippedCrds.all().get(index);
        definition.path("spec").path("versions").forEach(version -> ((ObjectNode) version)
                .put("served", version.path("name").asText().equals("v1beta1")));
        return definition;
    }
}
