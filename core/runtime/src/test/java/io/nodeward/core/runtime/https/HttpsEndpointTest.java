package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** What is answered, and with which key. */
class HttpsEndpointTest extends HttpsEndpointFixture {
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
    void who_does_not_stop_sending_is_cut_off_after_so_many_bytes() throws Exception {
        serve(GENEROUS, body -> new byte[0]);
        String chunk = "10000\r\n" + "x".repeat(1 << 16) + "\r\n";

        for (String path : List.of("judge", "other")) {
            try (SSLSocket socket = connected()) {
                write(socket, "POST /" + path + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
                assertThatThrownBy(() -> {
                    for (int sent = 0; sent < 128 << 20; sent += 1 << 16) {
                        write(socket, chunk);
                    }
                }).as("within 128 MiB").isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void at_its_end_it_answers_for_a_while_and_sends_callers_elsewhere() throws Exception {
        serve(GENEROUS, body -> new byte[0]);
        Thread end = ending(Duration.ofHours(1));

        Awaitility.await().until(() -> client.send(get("/judge"), BodyHandlers.ofString()).headers()
                .firstValue("Connection").equals(Optional.of("close")));
        assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
        end.interrupt();
        end.join();
        Awaitility.await().until(this::isGone);
    }

    @Test
    void at_its_end_it_finishes_what_is_in_hand() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(limits(8, Duration.ofMinutes(1)), holding(arrived, go, new AtomicInteger()));
        Future<HttpResponse<String>> first = client.sendAsync(request("/judge", "x"), BodyHandlers.ofString());
        arrived.await();
        Thread end = ending(Duration.ZERO);

        Awaitility.await().until(this::isGone);
        assertThat(first).isNotDone();
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        end.join();
    }

    private Thread ending(Duration notice) {
        return Thread.ofVirtual().start(() -> {
            try {
                endpoint.end(notice, Duration.ofMinutes(1));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    private HttpRequest get(String path) {
        return HttpRequest.newBuilder(uri(path)).GET().build();
    }

    private boolean isGone() throws InterruptedException {
        try {
            client.send(get("/judge"), BodyHandlers.ofString());
            return false;
        } catch (IOException gone) {
            return true;
        }
    }

    @Test
    void what_cannot_be_answered_is_refused_as_its_caller_takes_it() throws Exception {
        BlockingQueue<Optional<Integer>> codes = new LinkedBlockingQueue<>();
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
            public void ended(Optional<Integer> code, Duration took) {
                codes.add(code);
            }
        });

        assertThat(post("/judge", "id").body()).isEqualTo("2 400");
        assertThat(post("/judge", "id" + "x".repeat(1 << 20)).body()).isEqualTo("8192 413");
        assertThat(post("/judge", "other").statusCode()).isEqualTo(400);
        assertThat(List.of(codes.take(), codes.take(), codes.take()))
                .containsExactlyInAnyOrder(Optional.of(200), Optional.of(200), Optional.of(400));
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

    private X509Certificate shown() throws Exception {
        try (SSLSocket socket = connected()) {
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }
}
