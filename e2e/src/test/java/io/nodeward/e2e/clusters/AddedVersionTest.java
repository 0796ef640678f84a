package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Cluster API's own CRDs and the conversion of its manager. {@code v1beta2} comes beside {@code v1beta1}, which does not have
 * {@code spec.taints}, as in each release that served {@code v1beta1} alone.
 */
@Tag("deep")
class AddedVersionTest {
    private static final String GROUP = "/apis/cluster.x-k8s.io";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String MACHINE = GROUP + "/v1beta2/namespaces/default/machines/m";
    private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1/";
    private static final String DISCOVERY = RBAC + "clusterrolebindings/system:discovery";
    private static final String NODE = "/api/v1/nodes/m";
    private static final String TRACKING = "/metadata/annotations/cluster.x-k8s.io~1taints-from-machine";
    private static final String DECLARED = """
            {"spec":{"taints":[{"key":"e2e/kept","effect":"NoSchedule","propagation":"Always"}]}}""";
    private static final String CARRIED = """
            {"metadata":{"annotations":{"cluster.x-k8s.io/taints-from-machine":"e2e/kept:NoSchedule"}},
            "spec":{"taints":[{"key":"e2e/kept","effect":"NoSchedule"}]}}""";

    @Test
    void a_taint_that_the_upstream_manager_sets_before_nodeward_reads_the_new_version_stays() {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard())) {
            AdminClient admin = controlPlane.admin();
            List<JsonNode> definitions = ClusterApiCrds.published();
            definitions.forEach(AddedVersionTest::dropOldTaints);
            ClusterApiCrds.install(admin, definitions);
            ClusterApiCrds.install(admin); // the kinds of a provider, which the conversion looks for
            try (Upstream upstream = Upstream.start(controlPlane)) {
                change(admin, spec -> spec.set("conversion", upstream.conversion()));
                serve(admin, false);
                create(admin, controlPlane.adminKubeconfig().toYaml());
                try (RunningNodeward nodeward = RunningNodeward.start(controlPlane.file(user(controlPlane)))) {
                    until("the Node", () -> admin.get(NODE).at(TRACKING).isTextual());
                    upgrade(controlPlane);
                    admin.mergePatch(MACHINE, "{\"spec\":{\"taints\":null}}");
                    until("the end of the taint", () -> !hasTaint(admin.get(NODE)));
                    assertThat(nodeward.isReady()).isTrue();
                }
            }
        }
    }

    /** Returns a user who may do everything with objects, and asks discovery with the right that all users have. */
    private static Kubeconfig user(ControlPlane controlPlane) {
        AdminClient admin = controlPlane.admin();
        admin.create(RBAC + "clusterroles", Json.parse("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"all-objects"},
                "rules":[{"apiGroups":["*"],"resources":["*"],"verbs":["*"]}]}"""));
        admin.create(RBAC + "clusterrolebindings", Json.parse("""
                {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
                "metadata":{"name":"all-objects"},"subjects":[{"kind":"User","name":"e2e-user"}],
                "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"all-objects"}}"""));
        return controlPlane.kubeconfigForUser("e2e-user", List.of());
    }

    /** While Nodeward cannot ask discovery it reads the old version. */
    private static void upgrade(ControlPlane controlPlane) {
        AdminClient admin = controlPlane.admin();
        AuditLog.Mark start = controlPlane.audit().mark();
        ObjectNode discovery = (ObjectNode) admin.get(DISCOVERY);
        admin.delete(DISCOVERY);
        until("the end of discovery", () -> isSent(controlPlane, start, r -> r.uri().equals(GROUP) && r.code() == 403));
        serve(admin, true);
        admin.mergePatch(MACHINE, DECLARED);
        JsonNode before = admin.mergePatch(NODE, CARRIED);
        assertThat(hasTaint(before)).isTrue();
        admin.mergePatch(MACHINE, "{\"metadata\":{\"labels\":{\"node.cluster.x-k8s.io/mark\":\"\"}}}");
        until("the label", () -> admin.get(NODE).at("/metadata/labels").has("node.cluster.x-k8s.io/mark"));
        assertThat(admin.versionsSince("/api/v1/nodes", before.at("/metadata/resourceVersion").asText())).isNotEmpty()
                .allMatch(AddedVersionTest::hasTaint);
        Predicate<AuditRequest> newWatch =
                r -> r.is("watch", "machines") && r.uri().startsWith(GROUP + "/v1beta2/") && r.code() == 200;
        assertThat(isSent(controlPlane, start, newWatch)).isFalse();

        discovery.withObject("metadata").remove(List.of("resourceVersion", "uid"));
        admin.create(RBAC + "clusterrolebindings", discovery);
        until("the watch", () -> isSent(controlPlane, start, newWatch));
    }

    private static boolean isSent(ControlPlane controlPlane, AuditLog.Mark since, Predicate<AuditRequest> request) {
        return controlPlane.audit().since(since)
                .anyMatch(r -> r.userAgent().startsWith("nodeward/") && request.test(r));
    }

    private static boolean hasTaint(JsonNode node) {
        return node.at("/spec/taints").findValuesAsText("key").contains("e2e/kept");
    }

    private static void until(String what, Callable<Boolean> condition) {
        await(what).atMost(MachineSuite.PATIENCE.plus(Duration.ofMinutes(2))).until(condition);
    }

    private static void dropOldTaints(JsonNode definition) {
        definition.at("/spec/versions").valueStream().filter(version -> version.path("name").asText().equals("v1beta1"))
                .forEach(version -> dropTaints(version.path("schema")));
    }

    private static void dropTaints(JsonNode schema) {
        if (schema.path("properties") instanceof ObjectNode properties) {
            properties.remove("taints");
        }
        schema.forEach(AddedVersionTest::dropTaints);
    }

    private static void change(AdminClient admin, Consumer<ObjectNode> change) {
        for (JsonNode definition : ClusterApiCrds.published()) {
            String path = DEFINITIONS + "/" + definition.at("/metadata/name").asText();
            ObjectNode spec = (ObjectNode) admin.get(path).path("spec");
            change.accept(spec);
            admin.mergePatch(path, Json.tree(Map.of("spec", spec)).toString()); // its status changes all the time
        }
    }

    private static void serve(AdminClient admin, boolean both) {
        change(admin, spec -> spec.path("versions").valueStream()
                .filter(version -> version.path("name").asText().equals("v1beta2"))
                .forEach(version -> ((ObjectNode) version).put("served", both)));
        for (String plural : List.of("clusters", "machines")) {
            until(plural, () -> admin.send("GET", GROUP + "/v1beta2/" + plural, AdminClient.JSON, "").isOk() == both);
        }
    }

    private static void create(AdminClient admin, String kubeconfig) {
        admin.create("/api/v1/namespaces/default/secrets", Json.parse("""
                {"apiVersion":"v1","kind":"Secret","type":"cluster.x-k8s.io/secret",
                "metadata":{"name":"c-kubeconfig","labels":{"cluster.x-k8s.io/cluster-name":"c"}},
                "data":{"value":"%s"}}""".formatted(
                Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8)))));
        admin.create(GROUP + "/v1beta1/namespaces/default/clusters", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Cluster","metadata":{"name":"c"},
                "spec":{"controlPlaneEndpoint":{"host":"c","port":6443}}}"""));
        admin.mergePatch(GROUP + "/v1beta1/namespaces/default/clusters/c/status", """
                {"status":{"infrastructureReady":true,"conditions":[{"type":"ControlPlaneInitialized","status":"True",
                "severity":"","lastTransitionTime":"2026-01-02T03:04:05Z"}]}}""");
        admin.create(GROUP + "/v1beta1/namespaces/default/machines", Json.parse("""
                {"apiVersion":"cluster.x-k8s.io/v1beta1","kind":"Machine","metadata":{"name":"m"},
                "spec":{"clusterName":"c","providerID":"e2e://m","bootstrap":{"dataSecretName":"b"},
                "infrastructureRef":{"apiVersion":"infrastructure.cluster.x-k8s.io/v1beta1",
                "kind":"GenericInfrastructureMachine","name":"m","namespace":"default"}}}"""));
        admin.create("/api/v1/nodes", Json.parse("""
                {"apiVersion":"v1","kind":"Node","metadata":{"name":"m"},"spec":{"providerID":"e2e://m"}}"""));
    }
}
