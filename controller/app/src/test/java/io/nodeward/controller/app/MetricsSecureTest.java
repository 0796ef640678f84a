package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.https.KeyRing;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics over TLS, for users that the API server lets in. */
class MetricsSecureTest {
    private static final InetSocketAddress ANY = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    private final List<AutoCloseable> open = new ArrayList<>();
    private final List<X509Certificate> shown = new ArrayList<>();
    private final Reviews reviews = new Reviews();
    private Instant now = Instant.now();
    private Duration setBack = Duration.ZERO;

    private @Nullable MetricsHandler metrics;

    @TempDir
    private Path directory;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    @Test
    void users_are_let_in_whom_the_api_server_lets_get_metrics() throws Exception {
        int port = serve(Optional.empty());
        assertThat(scrape(port, "").statusCode()).isEqualTo(401);
        assertThat(reviews.asked).hasValue(0);
        assertThat(scrape(port, "Bearer nobody").statusCode()).isEqualTo(401);
        assertThat(scrape(port, "Bearer stranger").statusCode()).isEqualTo(403);
        HttpResponse<String> scraped = scrape(port, "Bearer prometheus");
        assertThat(scraped.statusCode()).isEqualTo(200);
        assertThat(scraped.body()).isEqualTo("up 1\n");
        assertThat(shown.getLast().getNotAfter().toInstant()).isAfter(now.plus(Duration.ofDays(300)));
    }

    @Test
    void an_answer_holds_for_a_minute() throws Exception {
        int port = serve(Optional.empty());
        for (int i = 0; i < 20; i++) {
            assertThat(scrape(port, "Bearer prometheus").statusCode()).isEqualTo(200);
        }
        assertThat(reviews.asked).as("a TokenReview and a SubjectAccessReview").hasValue(2);
        assertThat(metrics).extracting("allowed").asString().hasSizeGreaterThan(64).doesNotContain("prometheus");
        now = now.plusSeconds(61);
        reviews.allows = false;
        assertThat(scrape(port, "Bearer prometheus").statusCode()).isEqualTo(403);
    }

    @Test
    void one_address_has_few_questions() throws Exception {
        int port = serve(Optional.empty());
        assertThat(scrape(port, "Bearer prometheus").statusCode()).isEqualTo(200);
        int before = reviews.asked.get();
        for (int i = 0; i < 30; i++) {
            assertThat(scrape(port, "Bearer nobody" + i).statusCode()).isEqualTo(i < 9 ? 401 : 429);
        }
        assertThat(reviews.asked).hasValue(before + 9);
        assertThat(scrape(port, "Bearer prometheus").statusCode()).as("known").isEqualTo(200);
        assertThat(scrape(port, "").statusCode()).as("without a token").isEqualTo(401);
        now = now.plusSeconds(61);
        assertThat(scrape(port, "Bearer prometheus").statusCode()).as("anew").isEqualTo(200);
    }

    @Test
    void a_certificate_that_is_replaced_is_shown() throws Exception {
        write(KeyRing.made(List.of("first"), now, Duration.ofDays(1)));
        int port = serve(Optional.of(directory));
        scrape(port, "");
        X509Certificate first = shown.getLast();
        write(KeyRing.made(List.of("second"), now, Duration.ofDays(1)));
        now = now.plusSeconds(11);
        scrape(port, "");
        assertThat(shown.getLast()).isNotEqualTo(first);
        assertThat(shown.getLast().getSubjectAlternativeNames()).asString().contains("second");
        setBack = Duration.ofHours(1);
        write(KeyRing.made(List.of("third"), now, Duration.ofDays(1)));
        now = now.plusSeconds(11);
        scrape(port, "");
        assertThat(shown.getLast().getSubjectAlternativeNames()).as("the clock was set back").asString()
                .contains("third");
        Files.writeString(directory.resolve("tls.crt"), "half");
        now = now.plusSeconds(11);
        assertThat(scrape(port, "Bearer prometheus").statusCode()).as("the one before").isEqualTo(200);
    }

    @Test
    void what_cannot_be_used_is_said() {
        assertThatThrownBy(() -> MetricsTls.of(Optional.of(directory), () -> now, this::nanos))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("--metrics-cert-dir: ");
        ControllerCommand command = new ControllerCommand(List.of());
        command.metricsSecure = true;
        command.metricsAddress = command.healthAddress;
        assertThatThrownBy(command::metricsTls).isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--metrics-secure: --metrics-address has to differ");
    }

    private void write(KeyRing ring) throws IOException {
        for (String file : List.of("tls.crt", "tls.key")) {
            Files.write(directory.resolve(file), ring.data().get(file));
        }
    }

    private int serve(Optional<Path> certificates) throws IOException {
        PathAccess access = new PathAccess(new ApiServer(reviews));
        metrics = new MetricsHandler(() -> "up 1\n", Optional.of(access), this::nanos);
        Endpoints endpoints =
                new Endpoints(ANY, ANY, Optional.of(MetricsTls.of(certificates, () -> now.minus(setBack), this::nanos)),
                        part -> Optional.empty(),
                        metrics, new DebugHandler(access));
        open.add(endpoints);
        return endpoints.metricsPort();
    }

    private long nanos() {
        return now.getEpochSecond() * 1_000_000_000L;
    }

    /** Over a connection of its own. */
    private HttpResponse<String> scrape(int port, String authorization) throws Exception {
        try (HttpClient client = HttpClient.newBuilder().sslContext(trusting()).build()) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/metrics"));
            if (!authorization.isEmpty()) {
                request.header("Authorization", authorization);
            }
            return client.send(request.build(), BodyHandlers.ofString());
        }
    }

    private SSLContext trusting() throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[]{new Anybody()}, new SecureRandom());
        return context;
    }

    /** Trusts every server, and notes its certificate. */
    private final class Anybody extends X509ExtendedTrustManager {
        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
            shown.add(chain[0]);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** A token is its user's name; nobody's begins with "nobody". */
    private static final class Reviews implements Transport {
        private final AtomicInteger asked = new AtomicInteger();
        private volatile boolean allows = true;
        private volatile String user = "";

        @Override
        public Response exchange(Request request) {
            asked.incrementAndGet();
            String body = new String(request.body().orElseThrow(), StandardCharsets.UTF_8);
            String status = "{\"allowed\":" + (allows && user.equals("prometheus")) + "}";
            if (request.path().contains("tokenreviews")) {
                user = body.replaceAll("(?s).*\"token\":\"(\\w+)\".*", "$1");
                status = user.startsWith("nobody") ? "{\"authenticated\":false}"
                        : "{\"authenticated\":true,\"user\":{\"username\":\"" + user + "\"}}";
            }
            return new Response(201, Optional.empty(), new ByteArrayInputStream(
                    ("{\"status\":" + status + "}").getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {}
    }
}
