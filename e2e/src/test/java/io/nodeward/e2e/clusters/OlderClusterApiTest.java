package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.crd.ShippedCrds;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A management cluster that serves v1beta1 alone, whose conditions of the new form are in a place of their own, until an
 * upgrade of Cluster API ends that.
 */
@Tag("deep")
class OlderClusterApiTest {
    private static final String GROUP = "/apis/cluster.x-k8s.io/";
    private static final String OBJECTS = GROUP + "v1beta1/namespaces/default/";
    private static final String NODE = "/api/v1/nodes/m";
    private static final String MARK = "/metadata/labels/node.cluster.x-k8s.io~1mark";
    private static final String OLD_CONDITION = """
            {"status":{"infrastructureReady":true,"conditions":[{"type":"ControlPlaneInitialized","status":"True",
            "severity":"Info","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}""";

    @Test
    void where_only_v1beta1_is_served_the_condition_is_among_those_of_the_new_form_and_an_upgrade_needs_no_restart() {
        Kubeconfig kubeconfig;
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard())) {
            kubeconfig = controlPlane.adminKubeconfig();
            AdminClient admin = controlPlane.admin();
            ClusterApiCrds.install(admin, ShippedCrds.all().subList(0, 2).stream()
                    .map(definition -> serving(Set.of("v1beta1"), definition)).toList());
            try (Relay relay = Relay.to(kubeconfig.server())) {
                create(admin, kubeconfig.through(relay));
                try (RunningNodeward nodeward = RunningNodeward
                        .start(controlPlane.file(kubeconfig), InRunningController.HURRY.toArray(String[]::new))) {
                    outage(admin, relay);
                    missingNode(admin);
                    assertThat(nodeward.isReady()).isTrue();
                    upgrade(controlPlane);
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
        assertThat(admin.get(NODE).at(MARK).asText()).isEqualTo("here");
        assertThat(admin.get(NODE).at("/spec/taints").findValuesAsText("key")).contains("e2e/kept");
    }

    /** One definition after the other, as the API server takes them. */
    private static void upgrade(ControlPlane controlPlane) {
        AdminClient admin = controlPlane.admin();
        JsonNode before = admin.get(NODE);
        upgrade(controlPlane, "clusters");
        mark(admin, "v1beta1", "between");
        upgrade(controlPlane, "machines");
        mark(admin, "v1beta2", "after");
        assertThat(admin.versionsSince("/api/v1/nodes", before.at("/metadata/resourceVersion").asText())).isNotEmpty()
                .allSatisfy(node -> assertThat(node.at("/spec/taints")).isEqualTo(before.at("/spec/taints")));
        admin.delete(NODE);
        await("a status").atMost(MachineSuite.PATIENCE).until(() -> admin
                .get(GROUP + "v1beta2/namespaces/default/machines/m").at("/status/conditions").toString()
                .contains("NodeNotJoined"));
    }

    /** Returns when Nodeward watches the new version. */
    private static void upgrade(ControlPlane controlPlane, String plural) {
        AuditLog.Mark start = controlPlane.audit().mark();
        serve(controlPlane.admin(), plural, "v1beta1", "v1beta2");
        serve(controlPlane.admin(), plural, "v1beta2");
        await("a watch of " + plural).atMost(MachineSuite.PATIENCE).until(() -> controlPlane.audit().since(start)
                .anyMatch(request -> request.userAgent().startsWith("nodeward/") && request.is("watch", plural)
                        && request.uri().startsWith(GROUP + "v1beta2/") && request.code() == 200));
    }

    private static void serve(AdminClient admin, String plural, String... versions) {
        String path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/" + plural + ".cluster.x-k8s.io";
        admin.replace(path, serving(Set.of(versions), admin.get(path)));
        for (String version : List.of("v1beta1", "v1beta2")) {
            int code = List.of(versions).contains(version) ? 200 : 404;
            await(plural + " in " + version).atMost(MachineSuite.PATIENCE).until(() -> admin
                    .send("GET", GROUP + version + "/" + plural, AdminClient.JSON, "").code() == code);
        }
    }

    private static void mark(AdminClient admin, String version, String mark) {
        admin.mergePatch(GROUP + version + "/namespaces/default/machines/m",
                "{\"metadata\":{\"labels\":{\"node.cluster.x-k8s.io/mark\":\"" + mark + "\"}}}");
        await("the mark " + mark).atMost(MachineSuite.PATIENCE)
                .until(() -> admin.get(NODE).at(MARK).asText().equals(mark));
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
                "spec":{"clusterName":"c","providerID":"e2e://m","bootstrap":{"dataSecretName":"b"},
                "taints":[{"key":"e2e/kept","effect":"NoSchedule","propagation":"Always"}]}}"""));
    }

    private static JsonNode serving(Set<String> versions, JsonNode definition) {
        definition.path("spec").path("versions").forEach(version -> ((ObjectNode) version)
                .put("served", versions.contains(version.path("name").asText())));
        return definition;
    }
}
