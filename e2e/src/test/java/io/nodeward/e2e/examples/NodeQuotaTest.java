package io.nodeward.e2e.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.example.nodequota.NodeQuotaConfig;
import com.example.nodequota.NodeQuotaModule;
import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.controller.app.OutOfTreeController;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The example in a cluster without Cluster API, with the rights of its RBAC files alone. */
class NodeQuotaTest {
    private static final Path EXAMPLES = Path.of("..", "examples", "src", "main");
    private static final String SYSTEM = "nodeward-system";
    private static final String USER = "nodequota";
    private static final String AUTHORIZATION = "/apis/rbac.authorization.k8s.io/v1";
    private static final String QUOTAS = "/apis/examples.nodeward.io/v1alpha1/nodequotas";
    private static final String WEBHOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";

    private static ControlPlane controlPlane;
    private static AdminClient admin;
    private static Path kubeconfig;
    private static int port;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() throws IOException {
        controlPlane = ControlPlane.start(Options.standard());
        admin = controlPlane.admin();
        ClusterApiCrds.install(admin, Json.yaml(Files.readString(EXAMPLES.resolve("crds/nodequotas.yaml"))));
        admin.create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", SYSTEM))));
        bind("home.yaml", AUTHORIZATION + "/clusterrole");
        bind("namespace.yaml", AUTHORIZATION + "/namespaces/" + SYSTEM + "/role");
        kubeconfig = controlPlane.file(controlPlane.kubeconfigForUser(USER, List.of()));
        try (AdminClient client = new AdminClient(controlPlane.kubeconfigForUser(USER, List.of()))) {
            String secret = "/api/v1/namespaces/" + SYSTEM + "/secrets/nodeward-nodequota-webhook";
            await("the roles").atMost(MachineSuite.PATIENCE).until(() -> Stream.of(QUOTAS, WEBHOOKS, secret)
                    .allMatch(path -> client.send("GET", path, AdminClient.JSON, "").code() != 403));
        }
        port = Ports.free();
        run();
    }

    private static void bind(String file, String roles) throws IOException {
        JsonNode role = Json.yaml(Files.readString(EXAMPLES.resolve("rbac").resolve(file))).getFirst();
        String name = role.at("/metadata/name").asText();
        admin.create(roles + "s", role);
        admin.create(roles + "bindings", Json.tree(Map.of(
                "metadata", Map.of("name", name),
                "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", role.path("kind").asText(),
                        "name", name),
                "subjects", List.of(Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "User", "name", USER)))));
    }

    private static void run() {
        NodeQuotaConfig config = new NodeQuotaConfig();
        nodeward = RunningNodeward.start(List.of(new OutOfTreeController(config, new NodeQuotaModule(config))),
                kubeconfig, "--controllers=-machine", "--nodequota-webhook-address=127.0.0.1:" + port,
                "--nodequota-webhook-service=https://127.0.0.1:" + port);
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        controlPlane.close();
    }

    @Test
    void kubectl_waits_for_what_the_newest_spec_declares() {
        AuditLog.Mark mark = controlPlane.audit().mark();
        declare("wait", "pool=wait", 1);
        assertThat(kubectlWait("wait", "True", "60s")).isTrue();
        node("wait-1", "wait");
        node("wait-2", "wait");
        assertThat(kubectlWait("wait", "False", "60s")).isTrue();
        assertThat(ready("wait").path("reason").asText()).isEqualTo("QuotaExceeded");
        assertThat(ready("wait").path("message").asText()).isEqualTo("2 Nodes have the label pool=wait, and 1 may");

        change("wait", 2);
        assertThat(kubectlWait("wait", "True", "60s")).isTrue();
        assertThat(ready("wait").path("observedGeneration").asInt()).isEqualTo(2);
        change("wait", 0);
        assertThat(kubectlWait("wait", "False", "60s")).isTrue();
        assertThat(ready("wait").path("observedGeneration").asInt()).isEqualTo(3);
        assertThat(requests(mark).filter(request -> request.name().equals("wait") && request.isWrite()))
                .hasSize(4).allMatch(request -> request.is("patch", "nodequotas/status") && request.code() == 200);
    }

    @Test
    void nobody_believes_the_status_of_an_older_spec_and_a_restart_writes_nothing() {
        declare("stale", "pool=stale", 1);
        declare("same", "pool=same", 1);
        assertThat(kubectlWait("stale", "True", "60s") && kubectlWait("same", "True", "60s")).isTrue();
        String same = admin.get(QUOTAS + "/same").at("/metadata/resourceVersion").asText();
        nodeward.close();
        // Without a webhook that answers nothing could be changed.
        admin.delete(WEBHOOKS + "/nodeward-nodequota-webhook");
        await().atMost(MachineSuite.PATIENCE).until(() -> admin.send("PATCH", QUOTAS + "/stale",
                AdminClient.MERGE_PATCH, "{\"spec\":{\"nodes\":3}}").isOk());
        assertThat(ready("stale").path("status").asText()).isEqualTo("True");
        assertThat(kubectlWait("stale", "True", "1s")).isFalse();

        run();
        assertThat(kubectlWait("stale", "True", "60s")).isTrue();
        nodeward.awaitIdle();
        assertThat(admin.get(QUOTAS + "/same").at("/metadata/resourceVersion").asText()).isEqualTo(same);
    }

    @Test
    void the_webhook_refuses_what_could_never_be_in_effect() {
        await().atMost(MachineSuite.PATIENCE).until(() -> offered("{\"label\":\"a=b\",\"nodes\":-1}").code() == 422);
        assertThat(offered("{\"label\":\"a=b\",\"nodes\":-1}").body().path("message").asText())
                .contains("nodequota.examples.nodeward.io", "spec.nodes: must be 0 or more");
        assertThat(offered("{\"label\":\"a=b\",\"nodes\":0}").isOk()).isTrue();
        declare("refused", "pool=refused", 1);
        assertThat(admin.send("PATCH", QUOTAS + "/refused", AdminClient.MERGE_PATCH,
                "{\"spec\":{\"label\":\"pool=other\"}}").body().path("message").asText())
                .contains("spec.label: cannot be changed");
    }

    @Test
    void a_node_that_has_neither_got_nor_lost_a_label_makes_no_request() {
        declare("idle", "pool=idle", 1);
        node("idle-1", "idle");
        assertThat(kubectlWait("idle", "True", "60s")).isTrue();
        nodeward.awaitIdle();
        AuditLog.Mark mark = controlPlane.audit().mark();
        admin.mergePatch("/api/v1/nodes/idle-1", "{\"metadata\":{\"annotations\":{\"a\":\"b\"}}}");
        // Both kinds have a change after it that the controller answers: by then it has seen the one before.
        node("idle-2", "idle");
        assertThat(kubectlWait("idle", "False", "60s")).isTrue();
        nodeward.awaitIdle();
        assertThat(requests(mark).filter(request -> !request.resource().equals("events")))
                .singleElement().matches(request -> request.is("patch", "nodequotas/status"));
    }

    private static void declare(String name, String label, int nodes) {
        await("the webhook").atMost(MachineSuite.PATIENCE).until(() -> admin.send("POST", QUOTAS, AdminClient.JSON,
                Json.tree(Map.of("apiVersion", "examples.nodeward.io/v1alpha1", "kind", "NodeQuota",
                        "metadata", Map.of("name", name), "spec", Map.of("label", label, "nodes", nodes)))
                        .toString())
                .isOk());
    }

    private static AdminClient.Reply offered(String spec) {
        return admin.send("POST", QUOTAS + "?dryRun=All", AdminClient.JSON, """
                {"apiVersion":"examples.nodeward.io/v1alpha1","kind":"NodeQuota","metadata":{"name":"offered"},
                 "spec":%s}""".formatted(spec));
    }

    private static void change(String name, int nodes) {
        admin.mergePatch(QUOTAS + "/" + name, "{\"spec\":{\"nodes\":" + nodes + "}}");
    }

    private static void node(String name, String pool) {
        admin.create("/api/v1/nodes", Json.tree(Map.of("metadata", Map.of("name", name, "labels",
                Map.of("pool", pool)))));
    }

    private static boolean kubectlWait(String quota, String status, String timeout) {
        return controlPlane.kubectl().run("wait", "--for=condition=Ready=" + status, "nodequotas/" + quota,
                "--timeout=" + timeout).exit() == 0;
    }

    private static JsonNode ready(String name) {
        return admin.get(QUOTAS + "/" + name).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("Ready")).findFirst().orElseThrow();
    }

    private static Stream<AuditRequest> requests(AuditLog.Mark since) {
        return controlPlane.audit().since(since).filter(request -> request.user().equals(USER));
    }
}
