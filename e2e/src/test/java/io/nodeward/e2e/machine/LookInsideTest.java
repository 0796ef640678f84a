package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.TlsContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/** What the metrics address tells of the process, and to whom. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class LookInsideTest {
    private static final Path ROLE = Path.of("..", "controller", "app", "src", "main", "rbac", "debug.yaml");

    private final MachineSuite suite = MachineSuite.in("inside");
    private RunningNodeward nodeward;
    private String operator;
    private String stranger;

    @TempDir
    private Path directory;

    @BeforeAll
    void start() {
        operator = token("operator");
        stranger = token("stranger");
        suite.admin().createIfAbsent("/apis/rbac.authorization.k8s.io/v1/clusterroles", Json.tree(Map.of("metadata",
                Map.of("name", "inside-operator"), "rules",
                List.of(Map.of("nonResourceURLs", List.of("/debug/*", "/metrics"), "verbs", List.of("get"))))));
        suite.admin().createIfAbsent("/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", Json.tree(Map.of(
                "metadata", Map.of("name", "inside-operator"), "roleRef",
                Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name", "inside-operator"),
                "subjects", List.of(Map.of("kind", "ServiceAccount", "namespace", "inside", "name", "operator")))));
        nodeward = suite.start();
    }

    @AfterAll
    void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    @Order(1)
    void without_its_role_nobody_is_let_in() {
        HttpResponse<byte[]> answer = nodeward.inside("threads", operator);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(text(answer)).contains("create tokenreviews and subjectaccessreviews");
    }

    @Test
    @Order(2)
    void the_api_server_decides_who_is_let_in() {
        suite.allow(ROLE, "machines");
        await("the role").atMost(MachineSuite.PATIENCE)
                .until(() -> nodeward.inside("threads", operator).statusCode() == 200);
        AuditLog.Mark mark = suite.mark();
        assertThat(text(nodeward.inside("threads", operator))).contains("nodeward-machine", "WorkQueue.take");
        assertThat(suite.requestsSince(mark)).filteredOn(AuditRequest::isWrite).extracting(AuditRequest::resource)
                .containsExactly("tokenreviews", "subjectaccessreviews");
        HttpResponse<byte[]> refused = nodeward.inside("threads", stranger);
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(text(refused)).contains("system:serviceaccount:inside:stranger", "/debug/threads");
        assertThat(nodeward.inside("threads", "made-up").statusCode()).isEqualTo(401);
        assertThat(nodeward.inside("threads", "").statusCode()).isEqualTo(401);
    }

    @Test
    @Order(3)
    void the_heap_is_told_by_class_and_a_recording_has_no_environment() throws IOException {
        assertThat(text(nodeward.inside("heap", operator))).contains("io.nodeward.core.runtime.queue.WorkQueue",
                "java.lang.String");
        Path recording = Files.write(directory.resolve("recording.jfr"),
                nodeward.inside("recording?seconds=1", operator).body());
        assertThat(RecordingFile.readAllEvents(recording)).extracting(event -> event.getEventType().getName())
                .contains("jdk.ActiveRecording").doesNotContain("jdk.InitialEnvironmentVariable",
                        "jdk.InitialSystemProperty", "jdk.SystemProcess", "jdk.JVMInformation", "jdk.ProcessStart",
                        "jdk.StringFlag");
    }

    @Test
    @Order(4)
    void metrics_are_for_users_that_the_api_server_lets_get_them() throws Exception {
        KeyRing ring = KeyRing.made(List.of("127.0.0.1"), Instant.now(), Duration.ofDays(1));
        for (String file : List.of("tls.crt", "tls.key")) {
            Files.write(directory.resolve(file), ring.data().get(file));
        }
        SSLContext trusting = TlsContext.of(new Kubeconfig("https://127.0.0.1",
                new String(ring.data().get("ca.crt"), StandardCharsets.US_ASCII), new Kubeconfig.Token("")));
        try (RunningNodeward secure = RunningNodeward.start(suite.managementKubeconfig(), "--metrics-secure",
                "--metrics-cert-dir=" + directory);
                HttpClient client = HttpClient.newBuilder().sslContext(trusting).build()) {
            URI metrics = URI.create("https://127.0.0.1:" + secure.metricsPort() + "/metrics");
            assertThat(scrape(client, metrics, "made-up").statusCode()).isEqualTo(401);
            HttpResponse<byte[]> refused = scrape(client, metrics, stranger);
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(text(refused)).contains("system:serviceaccount:inside:stranger", "/metrics");
            AuditLog.Mark mark = suite.mark();
            for (int scrapes = 0; scrapes < 3; scrapes++) {
                assertThat(text(scrape(client, metrics, operator))).contains("workqueue_depth");
            }
            assertThat(suite.requestsSince(mark)).filteredOn(AuditRequest::isWrite).extracting(AuditRequest::resource)
                    .containsExactly("tokenreviews", "subjectaccessreviews");
        }
    }

    private static HttpResponse<byte[]> scrape(HttpClient client, URI metrics, String token) throws Exception {
        return client.send(HttpRequest.newBuilder(metrics).header("Authorization", "Bearer " + token).build(),
                HttpResponse.BodyHandlers.ofByteArray());
    }

    private String token(String account) {
        suite.admin().create(suite.core() + "/serviceaccounts", Json.tree(Map.of("metadata", Map.of("name", account))));
        return suite.admin().create(suite.core() + "/serviceaccounts/" + account + "/token", Json.tree(Map.of(
                "apiVersion", "authentication.k8s.io/v1", "kind", "TokenRequest", "spec", Map.of())))
                .at("/status/token").asText();
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
