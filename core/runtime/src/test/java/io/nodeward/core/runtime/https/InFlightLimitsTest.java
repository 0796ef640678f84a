package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** How many requests are served at a time, and for how long each. */
class InFlightLimitsTest extends HttpsEndpointFixture {
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
        limiter = new InFlightLimiter(limits(1, Duration.ofMillis(100)));
        HttpsEndpoint other = served(limiter, holding(arrived, go, new AtomicInteger()));
        try (AutoCloseable end = () -> other.end(Duration.ZERO, Duration.ZERO)) {
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
        Awaitility.await().until(() -> limiter.waiting() == 1);
        assertThat(second).isNotDone();
        go.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
    }

    @Test
    void bodies_have_no_more_room_together_than_is_given_to_all() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(new Limits(64, 1024, 100, 8, 8, Duration.ofMillis(100), Duration.ofMinutes(1), Duration.ofMinutes(1)),
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
        assertThatThrownBy(() -> new Limits(64, 64, 64, 8, 8, Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Limits(64, 1024, 63, 8, 8, Duration.ZERO, Duration.ofMinutes(1), Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void who_does_not_finish_in_time_is_cut_off() throws Exception {
        serve(new Limits(64, 1024, 64, 1, 8, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofSeconds(2)),
                body -> new byte[0]);

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
    void who_does_not_send_its_body_takes_no_turn() throws Exception {
        serve(limits(1, Duration.ofMillis(100)), body -> new byte[0]);

        try (SSLSocket none = stuck(0); SSLSocket some = stuck(59)) {
            Awaitility.await().until(() -> time.waits().size() == 2); // they have come, but for their bodies
            for (int calls = 0; calls < 20; calls++) {
                assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
            }
            write(some, "x");
            assertThat(firstLine(some)).isEqualTo("HTTP/1.1 200 OK");
            write(none, "x".repeat(60));
            assertThat(firstLine(none)).isEqualTo("HTTP/1.1 200 OK");
        }
    }

    @Test
    void of_too_many_that_do_not_send_their_bodies_the_oldest_is_cut_off() throws Exception {
        serve(new Limits(64, 1024, 64, 1, 2, Duration.ofMinutes(1), Duration.ofMinutes(1), Duration.ofMinutes(1)),
                body -> new byte[0]);

        try (SSLSocket first = stuck(1)) {
            Awaitility.await().until(() -> time.waits().size() == 1);
            try (SSLSocket second = stuck(1)) {
                Awaitility.await().until(() -> time.waits().size() == 2);
                Thread.sleep(600); // until neither is new any more
                assertThat(post("/judge", "x").statusCode()).isEqualTo(200);
                assertThat(endsWithout(first, "HTTP")).isTrue();
                write(second, "x".repeat(59));
                assertThat(firstLine(second)).isEqualTo("HTTP/1.1 200 OK");
            }
        }
    }

    @Test
    void who_has_the_most_and_makes_room_gets_an_answer_when_its_body_has_come() throws Exception {
        serve(new Limits(100_000, 150_000, 100_000, 1, 8, Duration.ofMinutes(1), Duration.ofMinutes(1),
                Duration.ofMinutes(1)), holding(new CountDownLatch(0), new CountDownLatch(0), new AtomicInteger()));

        try (SSLSocket large = connected()) {
            write(large, "POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 95000\r\n\r\n" + "x".repeat(90_000));
            // A client does not see how much the server has read: try until the large one has lost its room.
            Awaitility.await().until(() -> post("/judge", "y".repeat(85_000)).statusCode() == 200);
            write(large, "x".repeat(5_000));
            assertThat(firstLine(large)).startsWith("HTTP/1.1 429");
        }
    }

    @Test
    void who_is_not_answered_before_the_deadline_is_told_so_and_once() throws Exception {
        CountDownLatch arrived = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        serve(new Limits(64, 1024, 64, 1, 8, Duration.ofMinutes(1), Duration.ofSeconds(2), Duration.ofMinutes(1)),
                holding(arrived, go, new AtomicInteger()));

        Future<HttpResponse<String>> late = client.sendAsync(request("/judge", "x"), BodyHandlers.ofString());
        arrived.await();
        assertThat(late).isNotDone();
        time.pass(Duration.ofSeconds(2));
        assertThat(late.get().statusCode()).isEqualTo(503);
        assertThat(late.get().body()).contains("no answer in time, try again");
        go.countDown();
        assertThat(post("/judge", "y").statusCode()).isEqualTo(200);
    }

    private static String firstLine(SSLSocket socket) throws IOException {
        return new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)).readLine();
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
}
