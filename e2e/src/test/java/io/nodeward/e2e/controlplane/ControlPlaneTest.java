package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlPlaneTest {
    private static final Duration QUIET = Duration.ofMillis(500);
    private final ControlPlane controlPlane = ControlPlane.shared();
    private final AdminClient admin = controlPlane.admin();

    @Test
    void the_server_says_the_version_it_was_built_from() {
        assertThat(admin.get("/version").path("gitVersion").asText()).isEqualTo(KubernetesRelease.used().version());
    }

    @Test
    void a_service_account_may_do_what_its_role_says_and_nothing_else() {
        namespace("rbac");
        var reading = Json.parse("{\"metadata\":{\"name\":\"reader\"}}");
        admin.create("/api/v1/namespaces/rbac/serviceaccounts", reading);
        controlPlane.kubectl().apply("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: rbac-node-reader}
                rules: [{apiGroups: [""], resources: [nodes], verbs: [list]}]
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRoleBinding
                metadata: {name: rbac-node-reader}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: rbac-node-reader}
                subjects: [{kind: ServiceAccount, name: reader, namespace: rbac}]
                """);
        try (AdminClient reader = new AdminClient(controlPlane.kubeconfigForServiceAccount("rbac", "reader"))) {
            assertThat(get(reader, "/api/v1/nodes").code()).isEqualTo(200);
            assertThat(get(reader, "/api/v1/pods").reason()).isEqualTo("Forbidden");
            assertThat(get(reader, "/api/v1/nodes/any").reason()).isEqualTo("Forbidden");
        }
    }

    @Test
    void a_user_with_a_certificate_is_known_by_name_and_groups() {
        Kubeconfig kubeconfig = controlPlane.kubeconfigForUser("jane", List.of("team-a", "team-b"));
        try (AdminClient jane = new AdminClient(kubeconfig)) {
            var review = Json.parse("""
                    {"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}""");
            var answer = jane.create("/apis/authentication.k8s.io/v1/selfsubjectreviews", review);
            var info = answer.path("status").path("userInfo");
            assertThat(info.path("username").asText()).isEqualTo("jane");
            assertThat(info.path("groups").toString()).contains("team-a", "team-b");
            assertThat(get(jane, "/api/v1/nodes").code()).isEqualTo(403);
        }
    }

    @Test
    void the_audit_log_shows_each_request_once_and_what_was_sent_for_nodes() {
        Kubeconfig kubeconfig = controlPlane.kubeconfigForUser("audited", List.of("system:masters"));
        AuditLog.Mark mark = controlPlane.audit().mark();
        try (AdminClient client = new AdminClient(kubeconfig)) {
            client.create("/api/v1/nodes", KubeletObjects.registration(NodeSpec.named("audited-1")));
            client.mergePatch("/api/v1/nodes/audited-1", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
            client.mergePatch("/api/v1/nodes/audited-1/status", "{\"status\":{\"phase\":\"Running\"}}");
            get(client, "/api/v1/nodes?watch=true&timeoutSeconds=1");
            get(client, "/api/v1/nodes/absent");
            client.delete("/api/v1/nodes/audited-1");
        }
        controlPlane.audit().settled(mark, r -> r.user().equals("audited"), QUIET);
        List<AuditRequest> seen = controlPlane.audit().since(mark).filter(r -> r.user().equals("audited")).toList();
        assertThat(seen)
                .extracting(r -> r.verb() + " " + r.resource() + " " + r.name() + " " + r.code())
                .containsExactly(
                        "create nodes audited-1 201",
                        "patch nodes audited-1 200",
                        "patch nodes/status audited-1 200",
                        "watch nodes  200",
                        "get nodes absent 404",
                        "delete nodes audited-1 200");
        assertThat(seen.get(1).body()).isEqualTo(Json.parse("{\"metadata\":{\"labels\":{\"a\":\"b\"}}}"));
        assertThat(seen.get(0).body().path("spec").path("providerID").asText()).isEqualTo("e2e://zone-a/audited-1");
        assertThat(seen).filteredOn(AuditRequest::isWrite).hasSize(4);
    }

    @Test
    void kubectl_reads_and_says_what_it_cannot_find() {
        Kubectl kubectl = controlPlane.kubectl();
        String names = kubectl.run("get", "namespaces", "-o", "name").orThrow("kubectl").out();
        assertThat(names).contains("namespace/default");
        Command.Result absent = kubectl.run("get", "node", "absent");
        assertThat(absent.exit()).isEqualTo(1);
        assertThat(absent.err()).contains("NotFound");
    }

    @Test
    void a_node_registers_as_a_kubelet_does_it() {
        try (Fleet fleet = Fleet.in(admin, "kubelet")) {
            var kept = fleet.node(NodeSpec.named("kubelet-1").withTaint("a", "b", "NoSchedule").keepingNotReady());
            assertThat(kept.path("spec").path("taints")).extracting(t -> t.path("key").asText())
                    .containsExactlyInAnyOrder("a", "node.kubernetes.io/not-ready");
            var removed = fleet.removeNotReady("kubelet-1");
            assertThat(removed.path("spec").path("taints")).isEqualTo(
                    Json.parse("[{\"key\":\"a\",\"value\":\"b\",\"effect\":\"NoSchedule\"}]"));
            assertThat(controlPlane.kubectl().run("get", "node", "kubelet-1").out()).contains("Ready");
        }
        assertThat(admin.find("/api/v1/nodes/kubelet-1")).isEmpty();
    }

    @Test
    void an_existing_cluster_is_used_as_it_is_and_has_no_audit_log() {
        System.setProperty("NODEWARD_E2E_KUBECONFIG", controlPlane.file(controlPlane.adminKubeconfig()).toString());
        try (ControlPlane existing = ControlPlane.start(Options.standard())) {
            assertThat(existing.isExisting()).isTrue();
            assertThat(existing.admin().get("/version")).isEqualTo(admin.get("/version"));
            assertThatIllegalStateException().isThrownBy(existing::audit)
                    .withMessageContaining("NODEWARD_E2E_KUBECONFIG");
        } finally {
            System.clearProperty("NODEWARD_E2E_KUBECONFIG");
        }
        assertThat(admin.get("/readyz").asText()).isEqualTo("ok");
    }

    @Test
    void a_server_that_does_not_start_is_reported_with_what_it_said() {
        Options wrong = Options.standard().withApiServerFlags("--no-such-flag");
        assertThatIllegalStateException().isThrownBy(() -> ControlPlane.start(wrong))
                .withMessageContaining("kube-apiserver ended with")
                .withMessageContaining("unknown flag: --no-such-flag");
    }

    private void namespace(String name) {
        admin.createIfAbsent("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", name))));
    }

    private static AdminClient.Reply get(AdminClient client, String path) {
        return client.send("GET", path, AdminClient.JSON, "");
    }
}
