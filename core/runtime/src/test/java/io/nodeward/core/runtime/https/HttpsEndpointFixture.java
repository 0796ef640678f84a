package io.nodeward.core.runtime.https;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** An HTTPS server with one path, and a client that trusts it. */
abstract class HttpsEndpointFixture {
    static final Limits GENEROUS = limits(8, Duration.ofMinutes(1));

    /** Of what a request may take; places and the end of a server keep real time. */
    final ManualTime time = new ManualTime();
    final Timers timers = new Timers(time, time::nanoTime);
    HttpClient client;
    InFlightLimiter limiter;
    HttpsEndpoint endpoint;

    @BeforeEach
    void connect() throws Exception {
        client = HttpClient.newBuilder().sslContext(TestKeys.trusting()).build();
    }

    @AfterEach
    void stop() throws Exception {
        client.shutdownNow();
        if (endpoint != null) {
            endpoint.end(Duration.ZERO, Duration.ZERO);
        }
        timers.close();
    }

    void serve(Limits limits, Answering answering) throws Exception {
        limiter = new InFlightLimiter(limits);
        endpoint = served(limiter, answering);
    }

    HttpsEndpoint served(InFlightLimiter limiter, Answering answering) throws Exception {
        HttpsEndpoint served = new HttpsEndpoint(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), TestKeys.server(), limiter, timers);
        served.on("/judge", answering);
        served.start();
        return served;
    }

    URI uri(String path) {
        return URI.create("https://127.0.0.1:" + endpoint.port() + path);
    }

    HttpRequest request(String path, String body) {
        return HttpRequest.newBuilder(uri(path)).POST(BodyPublishers.ofString(body)).build();
    }

    HttpResponse<String> post(String path, String body) throws Exception {
        return client.send(request(path, body), BodyHandlers.ofString());
    }

    SSLSocket connected() throws Exception {
        SSLSocket socket = (SSLSocket) TestKeys.trustingAll().getSocketFactory()
                .createSocket(InetAddress.getLoopbackAddress(), endpoint.port());
        socket.setSoTimeout(30_000);
        socket.startHandshake();
        return socket;
    }

    /** One that has sent so many bytes of a body of 60, and sends no more. */
    SSLSocket stuck(int sent) throws Exception {
        SSLSocket socket = connected();
        write(socket, "POST /judge HTTP/1.1\r\nHost: x\r\nContent-Length: 60\r\n\r\n" + "x".repeat(sent));
        return socket;
    }

    static void write(SSLSocket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
        socket.getOutputStream().flush();
    }

    static Limits limits(int atOnce, Duration wait) {
        return new Limits(64, 1024, 64 * atOnce, atOnce, 8, wait, Duration.ofMinutes(1), Duration.ofMinutes(1));
    }

    /** Keeps what has arrived until it may go on. The first letter of a body is its account. */
    static Answering holding(CountDownLatch arrived, CountDownLatch go, AtomicInteger busy) {
        return new Answering() {
            @Override
            public byte[] answer(byte[] body) {
                arrived.countDown();
                await(go);
                return new byte[0];
            }

            @Override
            public String account(byte[] start) {
                return Character.toString(start[0]);
            }

            @Override
            public void ended(Optional<Integer> code, Duration took) {
                if (code.equals(Optional.of(429))) {
                    busy.incrementAndGet();
                }
            }
        };
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
