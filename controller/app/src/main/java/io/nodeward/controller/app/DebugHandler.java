package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /debug/threads}, {@code /debug/heap} and {@code /debug/recording?seconds=30}, for users that the API server lets in. A
 * token that comes over the network may be anybody's where the port is not encrypted, and questions about tokens cost the API server, so
 * callers come through a port-forward.
 */
final class DebugHandler implements HttpHandler {
    static final String PREFIX = "/debug/";

    private static final Logger LOG = LoggerFactory.getLogger(DebugHandler.class);
    private static final Pattern SECONDS = Pattern.compile("seconds=([1-9][0-9]{0,2})");
    private static final int MOST_SECONDS = 300;
    private static final Duration LONGEST = Duration.ofSeconds(MOST_SECONDS + 60);
    private static final Duration USUAL = Duration.ofSeconds(30);
    /** A caller may have its answer a moment before its turn is over, and ask again. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private final PathAccess access;
    private final Duration patience;
    /** One request at a time: each dump costs CPU, and each check of a token costs the API server. */
    private final Semaphore turn = new Semaphore(1);

    @FunctionalInterface
    private interface Dump {
        void into(Path file) throws IOException, InterruptedException;
    }

    DebugHandler(PathAccess access) {
        this(access, PATIENCE);
    }

    /** @param patience of a caller whose turn it is not */
    DebugHandler(PathAccess access, Duration patience) {
        this.access = access;
        this.patience = patience;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Optional<PathAccess.Denied> denied = denied(exchange.getRemoteAddress().getAddress(),
                    exchange.getRequestMethod(), exchange.getRequestURI());
            if (denied.isPresent()) {
                denied.get().send(exchange);
            } else if (!isMyTurn()) {
                new PathAccess.Denied(429, "another request is being answered; try again later").send(exchange);
            } else {
                try {
                    answer(exchange, dump(exchange.getRequestURI()).orElseThrow());
                } finally {
                    turn.release();
                }
            }
        }
    }

    private boolean isMyTurn() {
        try {
            return turn.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** What is wrong with a request, whoever sends it. */
    static Optional<PathAccess.Denied> denied(InetAddress caller, String method, URI uri) {
        if (!caller.isLoopbackAddress()) {
            return Optional.of(
                    new PathAccess.Denied(403, "only this host is answered; come through kubectl port-forward"));
        }
        if (!method.equals("GET")) {
            return Optional.of(new PathAccess.Denied(405, "GET is the only method"));
        }
        return dump(uri).isPresent() ? Optional.empty() : Optional.of(new PathAccess.Denied(404, "there are"
                + " /debug/threads, /debug/heap and /debug/recording?seconds=30, of 1 to " + MOST_SECONDS
                + " seconds"));
    }

    private static Optional<Dump> dump(URI uri) {
        return switch (uri.getPath()) {
            case PREFIX + "threads" -> Optional.of(Diagnostics::threads);
            case PREFIX + "heap" -> Optional.of(Diagnostics::heap);
            case PREFIX + "recording" -> length(uri.getQuery())
                    .map(length -> file -> Diagnostics.recording(length, file));
            default -> Optional.empty();
        };
    }

    private static Optional<Duration> length(@Nullable String query) {
        if (query == null) {
            return Optional.of(USUAL);
        }
        Matcher seconds = SECONDS.matcher(query);
        return seconds.matches() && Integer.parseInt(seconds.group(1)) <= MOST_SECONDS
                ? Optional.of(Duration.ofSeconds(Integer.parseInt(seconds.group(1))))
                : Optional.empty();
    }

    private void answer(HttpExchange exchange, Dump dump) throws IOException {
        String path = exchange.getRequestURI().getPath();
        PathAccess.Verdict verdict = access.check(exchange.getRequestHeaders().getFirst("Authorization"), path);
        switch (verdict) {
            case PathAccess.Denied denied -> denied.send(exchange);
            case PathAccess.Allowed allowed -> {
                LOG.info("{} is looked at by {}", path, allowed.user());
                inTime(exchange, () -> send(exchange, dump));
            }
        }
    }

    @FunctionalInterface
    private interface Sending {
        void run() throws IOException;
    }

    /** Who stops to read, or goes away, is not waited for: another may look then. */
    private static void inTime(HttpExchange exchange, Sending sending) throws IOException {
        Thread limit = Thread.ofVirtual().name("nodeward-debug-deadline").start(() -> {
            try {
                Thread.sleep(LONGEST);
                exchange.close();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        try {
            sending.run();
        } finally {
            limit.interrupt();
        }
    }

    private static void send(HttpExchange exchange, Dump dump) throws IOException {
        Path directory = Files.createTempDirectory("nodeward");
        Path file = directory.resolve("dump");
        try {
            dump.into(file);
            exchange.getResponseHeaders().set("Content-Type",
                    exchange.getRequestURI().getPath().equals(PREFIX + "recording")
                            ? "application/octet-stream"
                            : "text/plain; charset=utf-8");
            exchange.sendResponseHeaders(200, Files.size(file));
            Files.copy(file, exchange.getResponseBody());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            new PathAccess.Denied(503, "the controller stops").send(exchange);
        } finally {
            Files.deleteIfExists(file);
            Files.delete(directory);
        }
    }
}
