package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A cluster without the CRDs of Cluster API, and a user who may read neither them nor Secrets. */
class WithoutClusterApiTest {
    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";
    private static final String POLICIES =
            "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/nodeward-admission-";

    private static ControlPlane controlPlane;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @Test
    void a_controller_of_nodes_runs_where_it_may_read_nodes_and_nothing_else() throws IOException {
        admin().create("/api/v1/nodes", Json.parse("{\"metadata\":{\"name\":\"home-1\"}}"));
        Path kubeconfig = allowed("node-reader", Json.tree(Map.of(
                "metadata", Map.of("name", "node-reader"),
                "rules", List.of(Map.of("apiGroups", List.of(""), "resources", List.of("nodes"),
                        "verbs", List.of("list", "watch"))))),
                "/api/v1/nodes");
        AuditLog.Mark mark = controlPlane.audit().mark();
        try (NodeWatcher watcher = NodeWatcher.start(kubeconfig)) {
            await().atMost(MachineSuite.PATIENCE).until(() -> watcher.seen().contains("home-1"));
            assertThat(watcher.unsynced()).isEmpty();
            admin().create("/api/v1/nodes", Json.parse("{\"metadata\":{\"name\":\"home-2\"}}"));
            await().atMost(MachineSuite.PATIENCE).until(() -> watcher.seen().contains("home-2"));
        }
        assertThat(requests("node-reader", mark)).isNotEmpty().allMatch(request -> request.resource().equals("nodes")
                && request.verb().equals("watch") && request.code() == 200);
    }

    @Test
    void admission_by_policies_runs_and_is_ready() throws IOException {
        JsonNode role = Json.yaml(Files.readString(Path.of("..", "controller", "admission", "src", "main", "rbac",
                "management.yaml"))).getFirst();
        Path kubeconfig = allowed("admission", role,
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations");
        AuditLog.Mark mark = controlPlane.audit().mark();
        try (RunningNodeward nodeward = RunningNodeward.start(kubeconfig, "--controllers=admission",
                "--feature-gates=MachineTaintAdmission=true", "--admission-mode=policy")) {
            await().atMost(MachineSuite.PATIENCE).until(() -> admin().find(POLICIES + "invalid").isPresent());
            assertThat(nodeward.isReady()).isTrue();
            // Whether webhook mode has left its own Secret behind: one look, whatever the answer.
            await().atMost(MachineSuite.PATIENCE)
                    .until(() -> requests("admission", mark).stream().anyMatch(r -> r.resource().equals("secrets")));
        }
        assertThat(requests("admission", mark)).noneMatch(request -> request.uri().contains("cluster.x-k8s.io"))
                .filteredOn(request -> request.resource().equals("secrets")).singleElement()
                .satisfies(request -> assertThat(request.uri()).contains("labelSelector=", "admission"));
    }

    private static AdminClient admin() {
        return controlPlane.admin();
    }

    private static List<AuditRequest> requests(String user, AuditLog.Mark since) {
        return controlPlane.audit().since(since).filter(request -> request.user().equals(user)).toList();
    }

    /** For a user who has this ClusterRole alone; returns when the server knows, which answers the path then. */
    private static Path allowed(String user, JsonNode role, String path) {
        String name = role.path("metadata").path("name").asText();
        admin().create(AUTHORIZATION + "/clusterroles", role);
        admin().create(AUTHORIZATION + "/clusterrolebindings", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", name),
                "subjects", List.of(Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", user)))));
        var kubeconfig = controlPlane.kubeconfigForUser(user, List.of());
        try (AdminClient client = new AdminClient(kubeconfig)) {
            await("the role of " + user).atMost(MachineSuite.PATIENCE)
                    .until(() -> client.send("GET", path + "?limit=1", AdminClient.JSON, "").isOk());
        }
        return controlPlane.file(kubeconfig);
    }
}
