package io.nodeward.core.runtime.https;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.nodeward.core.runtime.https.Answering.Refusal;
import io.nodeward.core.runtime.https.InFlightLimiter.Request;
import io.nodeward.core.runtime.time.Timers;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers POSTs over TLS, each within limits of size and time, so many at once and no more. The JDK's server asks the resolver of the
 * JVM for the name of each caller's address. The controller's resolver asks no DNS server for it; an application of your own needs one
 * that does the same, or callers wait for DNS.
 */
public final class HttpsEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(HttpsEndpoint.class);
    private static final String JSON = "application/json";
    /** The connections that are not accepted yet, as API servers open hundreds at once in a crowd. */
    private static final int BACKLOG = 512;

    private final HttpsServer server;
    private final ReloadingKeyManager key;
    private final Limits limits;
    private final Timers timers;
    private final InFlightLimiter limiter;
    private final Map<String, Answering> byPath = new ConcurrentHashMap<>();
    private final ExecutorService threads =
            Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("nodeward-https").factory());
    private volatile boolean ending;

    /**
     * Listens.
     *
     * @param limiter may be another endpoint's too: then their requests share its places
     * @throws IOException naming the address, if it cannot be listened on
     */
    public HttpsEndpoint(InetSocketAddress address, ServerKey first, InFlightLimiter limiter, Timers timers)
            throws IOException {
        this.key = new ReloadingKeyManager(first);
        this.limits = limiter.limits();
        this.timers = timers;
        this.limiter = limiter;
        try {
            this.server = HttpsServer.create(address, BACKLOG);
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
        server.setHttpsConfigurator(new HttpsConfigurator(key.context()));
        server.setExecutor(threads);
        // One for all paths: where there is none, the server cuts the connection, the body unread and its answer lost.
        server.createContext("/", this::handle);
    }

    /** Answers what comes to this path from now on; what is below the path is another one. */
    public void on(String path, Answering answering) {
        byPath.put(path, answering);
    }

    public void start() {
        server.start();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    /** Who connects from now on is shown this key. */
    public void change(ServerKey next) {
        key.change(next);
    }

    /** What is shown now. */
    public ServerKey key() {
        return key.get();
    }

    private void handle(HttpExchange exchange) {
        inTime(exchange, () -> choose(exchange));
    }

    private void choose(HttpExchange exchange) {
        Answering answering = byPath.get(exchange.getRequestURI().getPath());
        int length = RequestBody.length(exchange, limits.bytes());
        // What need not be read takes nobody's place, however long its body does not come.
        if (answering == null) {
            refuseUnread(exchange, new Refusal(404, "NotFound", "nothing is served at this path"));
            return;
        }
        long start = timers.nanoTime();
        answering.began();
        try {
            take(exchange, length, answering);
        } finally {
            int code = exchange.getResponseCode();
            answering.ended(code < 0 ? Optional.empty() : Optional.of(code),
                    Duration.ofNanos(timers.nanoTime() - start));
        }
    }

    private void take(HttpExchange exchange, int length, Answering answering) {
        if (!exchange.getRequestMethod().equals("POST")) {
            refuseUnread(exchange, new Refusal(405, "MethodNotAllowed", "only POST"));
        } else if (length > limits.bytes()) {
            refuse(exchange, answering, RequestBody.start(exchange), Refusal.tooLong(limits.bytes()));
        } else {
            serve(exchange, answering);
        }
    }

    /** Closing may wait for the other side, and timers must not. */
    private void inTime(HttpExchange exchange, Runnable serving) {
        Future<?> limit = timers.after(limits.time(), () -> threads.submit(exchange::close));
        try {
            serving.run();
        } finally {
            limit.cancel(false);
        }
    }

    private void serve(HttpExchange exchange, Answering answering) {
        Runnable reply;
        try (Request request =
                limiter.begin(() -> Thread.ofVirtual().name("nodeward-https-cut").start(exchange::close))) {
            reply = received(exchange, answering, request);
        }
        reply.run(); // in nobody's way: the rest of a body may not come, nor the answer be fetched
    }

    private Runnable received(HttpExchange exchange, Answering answering, Request request) {
        try {
            if (!RequestBody.read(exchange, limits.bytes(), request, answering)) {
                return refusing(exchange, answering, request, Refusal.TOO_MANY);
            }
        } catch (IOException e) {
            return refusing(exchange, answering, request, Refusal.unreadable(e));
        }
        return request.length() > limits.bytes()
                ? refusing(exchange, answering, request, Refusal.tooLong(limits.bytes()))
                : inTurn(exchange, answering, request);
    }

    /** Waits for a turn only now that the body is there, or callers that do not send theirs could take all of them. */
    private Runnable inTurn(HttpExchange exchange, Answering answering, Request request) {
        if (!request.awaitTurn()) {
            return refusing(exchange, answering, request, Refusal.TOO_MANY);
        }
        AtomicBoolean answered = new AtomicBoolean();
        Runnable late = once(answered, refusing(exchange, answering, request, Refusal.LATE));
        Future<?> deadline = timers.after(limits.deadline().minus(request.age()), () -> threads.submit(late));
        Runnable reply = answer(exchange, answering, request);
        deadline.cancel(false); // not if that ends in an Error, or the caller would get no answer
        return once(answered, reply);
    }

    private static Runnable once(AtomicBoolean answered, Runnable reply) {
        return () -> {
            if (answered.compareAndSet(false, true)) {
                reply.run();
            }
        };
    }

    private Runnable answer(HttpExchange exchange, Answering answering, Request request) {
        byte[] start = request.start();
        try {
            byte[] answer = answering.answer(request.content());
            return () -> reply(exchange, 200, answer);
        } catch (IOException e) {
            return () -> refuse(exchange, answering, start, Refusal.unreadable(e));
        } catch (RuntimeException e) {
            LOG.error("a request to {} failed", exchange.getRequestURI(), e);
            return () -> refuse(exchange, new Refusal(500, "InternalError", "failed; the log has the reason"));
        }
    }

    private Runnable refusing(HttpExchange exchange, Answering answering, Request request, Refusal refusal) {
        byte[] start = request.start(); // and not the rest, as its caller may take its time
        return () -> refuse(exchange, answering, start, refusal);
    }

    private void refuse(HttpExchange exchange, Answering answering, byte[] start, Refusal refusal) {
        RequestBody.drain(exchange);
        answering.refusal(start, refusal)
                .ifPresentOrElse(answer -> reply(exchange, 200, answer), () -> refuse(exchange, refusal));
    }

    /** Reads the rest of the body first, or the answer may be lost. */
    private void refuseUnread(HttpExchange exchange, Refusal refusal) {
        RequestBody.drain(exchange);
        refuse(exchange, refusal);
    }

    private void refuse(HttpExchange exchange, Refusal why) {
        reply(exchange, why.code(), why.status());
    }

    private void reply(HttpExchange exchange, int code, byte[] body) {
        try (exchange) {
            if (ending) {
                exchange.getResponseHeaders().set("Connection", "close"); // not to be called here again
            }
            exchange.getResponseHeaders().set("Content-Type", JSON);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        } catch (IOException e) {
            LOG.debug("an answer did not arrive", e);
        }
    }

    /**
     * Ends it without a lost call: goes on answering for a while, and then finishes what is in hand.
     *
     * @param notice how long callers take to learn that they must go elsewhere
     * @param patience with what is in hand after that; no more than one answer may take
     */
    public void end(Duration notice, Duration patience) throws InterruptedException {
        ending = true;
        int seconds = 0;
        try {
            Thread.sleep(notice);
            seconds = (int) Math.max(0, Math.min(limits.time().toSeconds(), patience.toSeconds()));
        } finally {
            server.stop(seconds);
            threads.shutdownNow();
        }
    }
}
