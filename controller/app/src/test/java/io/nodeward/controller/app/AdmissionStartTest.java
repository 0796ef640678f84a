package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole controller with the gate of admission on. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class AdmissionStartTest {
    private static final String WEBHOOKS = "validatingwebhookconfigurations";
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    Path directory;

    private final FakeApiServer management = FakeApiServer.start(Options.defaults().withKind(
            Kind.custom("admissionregistration.k8s.io", List.of("v1"), WEBHOOKS, "ValidatingWebhookConfiguration")
                    .clusterScoped().withStatus(false)));
    private final HttpClient http = HttpClient.newHttpClient();
    private Nodeward nodeward;

    @BeforeEach
    void createNamespace() throws IOException {
        management.create("namespaces", new ObjectMapper().readTree("{\"metadata\":{\"name\":\"nodeward-system\"}}"));
    }

    @AfterEach
    void stop() {
        if (nodeward != null) {
            nodeward.close();
        }
        management.close();
        http.close();
    }

    @Test
    void taints_are_judged_where_something_else_cannot_be_read() throws Exception {
        management.fault(1_000_000, r -> r.path().endsWith("/machines"), Fault.status(403, "Forbidden", "no right"));
        start(freePort());

        await().atMost(PATIENCE).until(() -> !management.list(WEBHOOKS).isEmpty());
        assertThat(readyz().statusCode()).isEqualTo(503);
        assertThat(readyz().body()).contains("management cluster");
        assertThat(readyz("/caches").statusCode()).isEqualTo(503);
        assertThat(readyz("/admission").statusCode()).isEqualTo(200);
        assertThat(readyz("/whatever").statusCode()).isEqualTo(503);
        management.clearFaults();
        await().atMost(PATIENCE).until(() -> readyz().statusCode() == 200);
    }

    @Test
    void it_is_not_ready_before_the_webhook_is_served() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start(taken.getLocalPort());
            await().atMost(PATIENCE).until(() -> readyz().body().contains("the webhook is not served yet"));
            assertThat(readyz().statusCode()).isEqualTo(503);
            assertThat(readyz("/admission").statusCode()).isEqualTo(503);
        }
        await().atMost(PATIENCE).until(() -> readyz().statusCode() == 200);
    }

    @Test
    void it_is_not_ready_any_more_while_it_is_stopping() {
        Readiness readiness = new Readiness(Optional::empty, List.of());
        assertThat(readiness.missing("")).isEmpty();
        readiness.end();
        assertThat(readiness.missing("")).contains("it is stopping");
        assertThat(readiness.missing("caches")).contains("it is stopping");
    }

    /** Else the process that cleans up is never ready, and the one before goes on and registers again. */
    @Test
    void a_probe_for_a_webhook_that_is_switched_off_lets_a_rollout_go_on() throws Exception {
        start(freePort(), "MachineTaintAdmission=false");
        assertThat(readyz("/admission").statusCode()).isEqualTo(200);
        assertThat(readyz("/whatever").statusCode()).isEqualTo(503);
    }

    private void start(int port) throws IOException {
        start(port, "MachineTaintAdmission=true");
    }

    private void start(int port, String gates) throws IOException {
        Path kubeconfig = Files.writeString(directory.resolve("kubeconfig"), management.kubeconfig());
        nodeward = Nodeward.start("--kubeconfig=" + kubeconfig, "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0", "--feature-gates=" + gates,
                "--admission-address=127.0.0.1:" + port, "--admission-service=https://127.0.0.1:" + port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private HttpResponse<String> readyz() throws Exception {
        return readyz("");
    }

    private HttpResponse<String> readyz(String part) throws Exception {
        URI uri = URI.create("http://127.0.0.1:" + nodeward.healthPort() + "/readyz" + part);
        return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
}
