package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.core.runtime.https.Answering.Outcome;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class HttpsEndpointTest {
    private static final Limits GENEROUS = limits(8, Duration.ofMinutes(1));

    /** Of what a request may take; places and the end of a server keep real time. */
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private HttpClient client;
    private HttpsEndpoint endpoint;

    @BeforeEach
    void connect() throws Exception {
        client = HttpClient.newBuilder().sslContext(TestKeys.trusting()).build();
    }

    @AfterEach
    void stop() {
        client.shutdownNow();
        if (endpoint != null) {
            endpoint.close();
        }
        timers.close();
    }

    @Test
    void a_post_is_answered() throws Exception {
        serve(GENEROUS,
                body -> ("{" + new String(body, StandardCharsets.UTF_8) + "}").getBytes(StandardCharsets.UTF_8));

        HttpResponse<String> reply = post("/judge", "x");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(reply.body()).isEqualTo("{x}");
        assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void anything_else_is_refused_with_what_is_wrong() throws Exception {
        serve(GENEROUS, body -> {
            if (body.length == 0) {
                throw new IllegalStateException("a fault of ours");
            }
            throw new IOException("not a review");
        });

        assertThat(post("/judge", "x").statusCode()).isEqualTo(400);
        assertThat(post("/judge", "x").body()).contains("not a review");
        assertThat(post("/judge", "").statusCode()).isEqualTo(500);
        assertThat(post("/judge/other", "x").statusCode()).isEqualTo(404);
        assertThat(post("/other", "x").statusCode()).isEqualTo(404);
        HttpRequest get = HttpRequest.newBuilder(uri("/judge")).GET().build();
        assertThat(client.send(get, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void who_asks_for_what_is_not_there_keeps_the_connection_and_so_the_answer() throws Exception {
        serve(GENEROUS, body -> new byte[0]);

        try (SSLSocket socket = connected()) {
            String request = "POST /%s HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n%s\r\nx";
            socket.getOutputStream().write(
                    (request.formatted("other", "") + request.formatted("judge", "Connection: close\r\n"))
                            .getBytes(StandardCharsets.US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .contains("HTTP/1.1 404", "HTTP/1.1 200");
        }
    }

    @Test
    void a_longer_body_is_refused_and_one_of_just_that_length_is_not() throws Exception {
        serve(GENEROUS, body -> new byte[0]);

        assertThat(post("/judge", "x".repeat(64)).statusCode()).isEqualTo(200);
        assertThat(post("/judge", "x".repeat(65)).statusCode()).isEqualTo(413);
    }

    @Test
    void who_sends_far_too_much_gets_the_answer_and_no_reset() throws Exception {
        serve(GENEROUS, body -> new byte[0]);

        HttpResponse<String> reply = post("/judge", "x".repeat(8 << 20));
        assertThat(reply.statusCode()).isEqualTo(413);
        assertThat(reply.body()).contains("\"kind\":\"Status\"", "\"message\":\"the request is longer than 64 bytes\"");
    }

    @Test
    void who_sends_much_to_what_is_not_there_gets_the_answer_and_no_reset() throws Exception {
        serve(GENEROUS, body -> new byte[0]);
        String much = "x".repeat(8 << 20);

        assertThat(post("/other", much).statusCode()).isEqualTo(404);
        HttpRequest put = HttpRequest.newBuilder(uri("/judge")).PUT(BodyPublishers.ofString(much)).build();
        assertThat(client.send(put, BodyHandlers.ofString()).statusCode()).isEqualTo(405);
    }

    @Test
    void one_more_than_may_be_at_once_is_told_to_come_again() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        AtomicInteger busy = new AtomicInteger();
        serve(limits(1, Duration.ofMillis(100)), holding(arrived, go, busy));

        Future<HttpResponse<String>> first = client.sendAsync(request("/judge", "x"), BodyHandlers.ofString());
        arrived.await();
        assertThat(post("/judge", "y").statusCode()).isEqualTo(429);
        Awaitility.await().until(() -> busy.get() == 1);
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(post("/judge", "z").statusCode()).isEqualTo(200);
    }

    @Test
    void endpoints_that_share_a_limiter_have_no_more_places_together() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        InFlightLimiter limiter = new InFlightLimiter(limits(1, Duration.ofMillis(100)));
        try (HttpsEndpoint other = served(limiter, holding(arrived, go, new AtomicInteger()))) {
            HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + other.port() + "/judge"))
                    .POST(BodyPublishers.ofString("x")).build();
            Future<HttpResponse<String>> first = client.sendAsync(request, BodyHandlers.ofString());
            arrived.await();
            endpoint = served(limiter, body -> new byte[0]);
            assertThat(post("/judge", "y").statusCode()).isEqualTo(429);
            go.countDown();
            assertThat(first.get().statusCode()).isEqualTo(200);
        }
    }

    @Test
    void one_more_waits_for_its_place() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(limits(1, Duration.ofMinutes(1)), holding(arrived, go, new AtomicInteger()));

        Future<HttpResponse<String>> first = client.sendAsync(request("/judge", "x"), BodyHandlers.ofString());
        arrived.await();
        Future<HttpResponse<String>> second = client.sendAsync(request("/judge", "y"), BodyHandlers.ofString());
        Awaitility.await().until(() -> endpoint.waiting() == 1);
        assertThat(second).isNotDone();
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
    }

    @Test
    void bodies_have_no_more_room_together_than_is_given_to_all() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(new Limits(64, 100, 8, 8, Duration.ofMillis(100), Duration.ofMinutes(1)),
                holding(arrived, go, new AtomicInteger()));

        Future<HttpResponse<String>> first =
                client.sendAsync(request("/judge", "x".repeat(64)), BodyHandlers.ofString());
        arrived.await();
        assertThat(post("/judge", "y".repeat(37)).statusCode()).isEqualTo(429);
        Future<HttpResponse<String>> fits =
                client.sendAsync(request("/judge", "y".repeat(36)), BodyHandlers.ofString());
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(fits.get().statusCode()).isEqualTo(200);
        assertThat(post("/judge", "x".repeat(64)).statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> new Limits(64, 63, 8, 8, Duration.ZERO, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** Keeps what has arrived until it may go on. */
    private static Answering holding(CountDownLatch arrived, CountDownLatch go, AtomicInteger busy) {
        return new Answering() {
            @Override
            public byte[] answer(byte[] body) {
                arrived.countDown();
                await(go);
                return new byte[0];
            }

            @Override
            public void ended(Outcome outcome) {
                if (outcome.code().equals(Optional.of(429))) {
                    busy.incrementAndGet();
                }
            }
        };
    }

    private static Limits limits(int atOnce, Duration wait) {
        return new Limits(64, 64 * atOnce, atOnce, 8, wait, Duration.ofMinutes(1));
    }

    @Test
    void at_its_end_it_answers_for_a_while_and_then_finishes_what_is_in_hand() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(limits(8, Duration.ofMinutes(1)), holding(arrived, go, new AtomicInteger()));
        Future<HttpResponse<String>> first = client.sendAsync(request("/judge", "x"), BodyHandlers.ofString());
        arrived.await();

        CountDownLatch ended = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> {
            try {
                endpoint.end(Duration.ofSeconds(2), Duration.ofSeconds(4));
                ended.countDown();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        HttpRequest get = HttpRequest.newBuilder(uri("/judge")).GET().build();
        Awaitility.await().until(() -> client.send(get, BodyHandlers.ofString()).headers()
                .firstValue("Connection").equals(Optional.of("close")));
        Awaitility.await().until(() -> {
            try {
                return client.send(get, BodyHandlers.ofString()).statusCode() == 0;
            } catch (IOException gone) {
                return true;
            }
        });
        assertThat(first).isNotDone();
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(ended.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void who_does_not_finish_in_time_is_cut_off() throws Exception {
        serve(new Limits(64, 64, 1, 8, Duration.ofMinutes(1), Duration.ofSeconds(2)), body -> new byte[0]);

        try (SSLSocket socket = connected()) {
            socket.getOutputStream().write(
                    "POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nx"
                            .getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            Awaitility.await().until(() -> time.waits().size() == 1);
            time.pass(Duration.ofSeconds(2));
            assertThat(endsWithout(socket, "200")).isTrue();
        }
        // Its place is free again.
        assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
    }

    @Test
    void what_is_refused_by_its_head_takes_no_place_while_its_body_does_not_come() throws Exception {
        serve(limits(1, Duration.ofMillis(100)), body -> new byte[0]);

        for (String head : List.of("POST /judge/x", "PUT /judge")) {
            Awaitility.await().until(() -> time.waits().isEmpty());
            try (SSLSocket socket = connected()) {
                socket.getOutputStream().write((head + " HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                socket.getOutputStream().flush();
                Awaitility.await().until(() -> time.waits().size() == 1); // it has come, but for its body
                for (int calls = 0; calls < 20; calls++) {
                    assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
                }
            }
        }
    }

    @Test
    void what_is_too_long_takes_no_place_while_the_rest_of_it_does_not_come() throws Exception {
        serve(limits(1, Duration.ofMillis(100)), body -> new byte[0]);

        try (SSLSocket socket = connected()) {
            socket.getOutputStream()
                    .write(("POST /judge HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n64\r\n"
                            + "x".repeat(100) + "\r\n").getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().flush();
            Awaitility.await().until(() -> time.waits().size() == 1); // it has come, but for its end
            Awaitility.await().until(() -> post("/judge", "x").statusCode() == 200);
        }
    }

    @Test
    void what_cannot_be_answered_is_refused_as_its_caller_takes_it() throws Exception {
        BlockingQueue<Outcome> outcomes = new LinkedBlockingQueue<>();
        serve(GENEROUS, new Answering() {
            @Override
            public byte[] answer(byte[] body) throws IOException {
                throw new IOException("not a review");
            }

            @Override
            public Optional<byte[]> refusal(byte[] start, Refusal refusal) {
                String text = new String(start, StandardCharsets.UTF_8);
                return text.startsWith("id")
                        ? Optional.of((text.length() + " " + refusal.code()).getBytes(StandardCharsets.UTF_8))
                        : Optional.empty();
            }

            @Override
            public void ended(Outcome outcome) {
                outcomes.add(outcome);
            }
        });

        assertThat(post("/judge", "id").body()).isEqualTo("2 400");
        assertThat(post("/judge", "id" + "x".repeat(1 << 20)).body()).isEqualTo("8192 413");
        assertThat(post("/judge", "other").statusCode()).isEqualTo(400);
        assertThat(List.of(outcomes.take(), outcomes.take(), outcomes.take())).extracting(Outcome::code)
                .containsExactlyInAnyOrder(Optional.of(200), Optional.of(200), Optional.of(400));
    }

    @Test
    void who_does_not_finish_gives_its_place_to_who_waits() throws Exception {
        serve(new Limits(64, 64, 8, 8, Duration.ofMinutes(1), Duration.ofSeconds(2)), body -> new byte[0]);

        try (SSLSocket first = connected(); SSLSocket second = connected()) {
            for (SSLSocket stuck : List.of(first, second)) {
                stuck.getOutputStream().write("POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 40\r\n\r\nx"
                        .getBytes(StandardCharsets.US_ASCII));
                stuck.getOutputStream().flush();
            }
            Awaitility.await().until(() -> time.waits().size() == 2 && endpoint.waiting() == 1);
            time.pass(Duration.ofSeconds(2));
            Awaitility.await().until(() -> post("/judge", "x".repeat(64)).statusCode() == 200);
        }
    }

    @Test
    void who_connects_after_a_change_is_shown_the_new_certificate() throws Exception {
        serve(GENEROUS, body -> new byte[0]);
        assertThat(shown()).isEqualTo(TestKeys.server().chain().getFirst());

        endpoint.change(TestKeys.other());
        assertThat(shown()).isEqualTo(TestKeys.other().chain().getFirst());
        assertThat(endpoint.key().chain()).isEqualTo(TestKeys.other().chain());

        endpoint.change(TestKeys.server());
        assertThat(shown()).isEqualTo(TestKeys.server().chain().getFirst());
        assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
    }

    @Test
    void a_taken_address_is_named() throws Exception {
        serve(GENEROUS, body -> new byte[0]);
        InetSocketAddress taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), endpoint.port());

        assertThatThrownBy(() -> new HttpsEndpoint(taken, TestKeys.server(), new InFlightLimiter(GENEROUS), timers))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(String.valueOf(endpoint.port()));
    }

    @Test
    void a_key_of_another_certificate_is_refused() throws IOException {
        byte[] certificate = TestKeys.file("ec.crt");
        byte[] key = TestKeys.file("rsa-pkcs8.key");

        assertThatThrownBy(() -> ServerKey.read(certificate, key)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("tls.key is not the key of the first certificate in tls.crt");
        assertThatThrownBy(() -> ServerKey.read(key, certificate)).isInstanceOf(IllegalArgumentException.class);
    }

    private void serve(Limits limits, Answering answering) throws Exception {
        endpoint = served(new InFlightLimiter(limits), answering);
    }

    private HttpsEndpoint served(InFlightLimiter limiter, Answering answering) throws Exception {
        HttpsEndpoint served = new HttpsEndpoint(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TestKeys.server(), limiter, timers);
        served.on("/judge", answering);
        served.start();
        return served;
    }

    private URI uri(String path) {
        return URI.create("https://127.0.0.1:" + endpoint.port() + path);
    }

    private HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body)).build();
    }

    private HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(request(path, body), BodyHandlers.ofString());
    }

    private SSLSocket connected() throws Exception {
        SSLSocket socket = (SSLSocket) TestKeys.trustingAll().getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), endpoint.port());
        socket.setSoTimeout(30_000);
        socket.startHandshake();
        return socket;
    }

    private X509Certificate shown() throws Exception {
        try (SSLSocket socket = connected()) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    /** Whether the connection ends, and nothing of this came before. */
    private static boolean endsWithout(SSLSocket socket, String text) {
        try {
            String all = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            return !all.contains(text);
        } catch (SocketTimeoutException e) {
            return false;
        } catch (IOException e) {
            return true; // cut without a word
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
