package io.nodeward.controller.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The first caller has the turn, until the API server says who that is. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class DebugTurnTest {
    private final CountDownLatch reviewed = new CountDownLatch(1);
    private final CountDownLatch known = new CountDownLatch(1);
    private final BlockingQueue<Thread> callers = new LinkedBlockingQueue<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer server;

    DebugTurnTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.start();
    }

    @AfterEach
    void stop() {
        known.countDown();
        server.stop(0);
        threads.shutdownNow();
        client.close();
    }

    @Test
    void who_asks_meanwhile_waits_and_is_answered_then() throws Exception {
        serve(Duration.ofHours(1));
        Future<HttpResponse<String>> first = ask();
        reviewed.await();
        callers.take();
        Future<HttpResponse<String>> second = ask();
        Thread waiting = callers.take();
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING || second.isDone());

        known.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
        assertThat(second.get().statusCode()).isEqualTo(200);
    }

    @Test
    void who_waits_in_vain_is_told_why_and_takes_nothing_from_who_has_the_turn() throws Exception {
        serve(Duration.ofMillis(1));
        Future<HttpResponse<String>> first = ask();
        reviewed.await();
        HttpResponse<String> vain = ask().get();
        assertThat(vain.statusCode()).isEqualTo(429);
        assertThat(vain.body()).contains("another request");

        known.countDown();
        assertThat(first.get().statusCode()).isEqualTo(200);
    }

    private void serve(Duration patience) {
        DebugHandler handler = new DebugHandler(new PathAccess(new ApiServer(new Reviews())), patience);
        server.createContext(DebugHandler.PREFIX, exchange -> {
            callers.add(Thread.currentThread());
            handler.handle(exchange);
        });
    }

    private Future<HttpResponse<String>> ask() {
        return client.sendAsync(HttpRequest
                .newBuilder(URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/debug/heap"))
                .header("Authorization", "Bearer t").build(), BodyHandlers.ofString());
    }

    /** Every token is valid, and every user may get every path. */
    private final class Reviews implements Transport {
        @Override
        public Response exchange(Request request) {
            reviewed.countDown();
            try {
                known.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            String status = request.path().contains("tokenreviews")
                    ? "{\"authenticated\":true,\"user\":{\"username\":\"jane\"}}"
                    : "{\"allowed\":true}";
            return new Response(201, Optional.empty(), new ByteArrayInputStream(
                    ("{\"status\":" + status + "}").getBytes(StandardCharsets.UTF_8)));
        }

        @Override
        public void close() {}
    }
}
