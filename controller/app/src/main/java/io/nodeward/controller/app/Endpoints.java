package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.function.Supplier;

/** {@code /healthz}, {@code /readyz}, {@code /metrics} and what is below {@code /debug/} over HTTP. */
final class Endpoints implements AutoCloseable {
    private final HttpServer health;
    private final HttpServer metrics;

    /**
     * @param missing for being ready, of one part or, if its name is empty, of all; empty if nothing is
     * @throws IOException naming the address that cannot be listened on
     */
    Endpoints(InetSocketAddress healthAddress, InetSocketAddress metricsAddress,
            Function<String, Optional<String>> missing, Supplier<String> scrape, HttpHandler debug)
            throws IOException {
        this.health = listen(healthAddress);
        this.metrics = metricsAddress.equals(healthAddress) && healthAddress.getPort() != 0 ? health
                : listenBeside(health, metricsAddress);
        health.createContext("/healthz", exchange -> answer(exchange, 200, "text/plain", "ok\n"));
        health.createContext("/readyz", exchange -> {
            String path = exchange.getRequestURI().getPath();
            Optional<String> unready = missing.apply(path.substring("/readyz".length()).replaceFirst("^/", ""));
            answer(exchange, unready.isEmpty() ? 200 : 503, "text/plain", unready.orElse("ok") + "\n");
        });
        metrics.createContext("/metrics",
                exchange -> answer(exchange, 200, "text/plain; version=0.0.4; charset=utf-8", scrape.get()));
        metrics.createContext(DebugHandler.PREFIX, debug);
        health.start();
        if (metrics != health) {
            metrics.start();
        }
    }

    private static HttpServer listenBeside(HttpServer other, InetSocketAddress address) throws IOException {
        try {
            return listen(address);
        } catch (IOException e) {
            other.start(); // one that never ran keeps its port
            other.stop(0);
            throw e;
        }
    }

    private static HttpServer listen(InetSocketAddress address) throws IOException {
        try {
            HttpServer server = HttpServer.create(address, 0);
            server.setExecutor(
                    Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("nodeward-endpoint").factory()));
            return server;
        } catch (IOException e) {
            throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
        }
    }

    private static void answer(HttpExchange exchange, int code, String contentType, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.getResponseHeaders().set("Content-Type", contentType);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    int healthPort() {
        return health.getAddress().getPort();
    }

    int metricsPort() {
        return metrics.getAddress().getPort();
    }

    @Override
    public void close() {
        health.stop(0);
        metrics.stop(0);
    }
}
