package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import io.nodeward.api.meta.Sha256;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** {@code /metrics} for everybody, or for users that the API server lets in. */
final class MetricsHandler implements HttpHandler {
    static final String PATH = "/metrics";
    /** The time for which a caller stays allowed. */
    private static final long KEPT = Duration.ofMinutes(1).toNanos();
    private static final int MOST_ALLOWED = 100;
    /** The questions that one address causes in a minute: a token that is nobody's costs the API server as much as any. */
    private static final int MOST_QUESTIONS = 10;
    private static final int MOST_ADDRESSES = 10_000;
    private static final int QUESTIONS_AT_ONCE = 4;
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final Supplier<String> scrape;
    private final Optional<PathAccess> access;
    private final LongSupplier nanos;
    private final Semaphore questions = new Semaphore(QUESTIONS_AT_ONCE);
    private final Map<InetAddress, Questions> byAddress = latest(MOST_ADDRESSES);
    /** When the API server let a caller in, by the digest of its token: no token is kept. */
    private final Map<String, Long> allowed = latest(MOST_ALLOWED);

    /** The number of questions since a time. */
    private record Questions(long since, int number) {}

    /** @param access empty if everybody may read them */
    MetricsHandler(Supplier<String> scrape, Optional<PathAccess> access) {
        this(scrape, access, System::nanoTime);
    }

    MetricsHandler(Supplier<String> scrape, Optional<PathAccess> access, LongSupplier nanos) {
        this.scrape = scrape;
        this.access = access;
        this.nanos = nanos;
    }

    private static <K, V> Map<K, V> latest(int most) {
        return Collections.synchronizedMap(new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        });
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<PathAccess.Denied> denied = access.flatMap(asked -> denied(asked,
                    exchange.getRemoteAddress().getAddress(), exchange.getRequestHeaders().getFirst("Authorization")));
            if (denied.isPresent()) {
                denied.get().send(exchange);
                return;
            }
            byte[] body = scrape.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private Optional<PathAccess.Denied> denied(PathAccess asked, InetAddress address, @Nullable String authorization) {
        if (authorization == null) {
            return Optional.of(PathAccess.NO_TOKEN);
        }
        long now = nanos.getAsLong();
        allowed.values().removeIf(since -> now - since >= KEPT);
        String caller = Sha256.hex(authorization);
        if (allowed.get(caller) != null) {
            return Optional.empty();
        }
        int number = byAddress.compute(address, (same, before) -> before == null || now - before.since >= KEPT
                ? new Questions(now, 1)
                : new Questions(before.since, before.number + 1)).number;
        return number > MOST_QUESTIONS ? Optional.of(PathAccess.TOO_MANY)
                : ask(asked, authorization, () -> allowed.put(caller, now));
    }

    private Optional<PathAccess.Denied> ask(PathAccess asked, String authorization, Runnable whenAllowed) {
        try {
            if (!questions.tryAcquire(PATIENCE.toNanos(), TimeUnit.NANOSECONDS)) {
                return Optional.of(PathAccess.TOO_MANY);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.of(PathAccess.TOO_MANY);
        }
        try {
            if (asked.check(authorization, PATH) instanceof PathAccess.Denied denied) {
                return Optional.of(denied);
            }
            whenAllowed.run();
            return Optional.empty();
        } finally {
            questions.release();
        }
    }
}
