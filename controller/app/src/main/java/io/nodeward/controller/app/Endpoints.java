package io.nodeward.controller.app;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** {@code /healthz} and {@code /readyz} over HTTP, {@code /metrics} and what is below {@code /debug/} over HTTP or TLS. */
final class Endpoints implements AutoCloseable {
    private final HttpServer health;
    private final HttpServer metrics;

    /**
     * @param metricsTls for an address of its own
     * @param missing for being ready, of one part or, if its name is empty, of all; empty if nothing is
     * @throws IOException naming the address that cannot be listened on
     */
    Endpoints(InetSocketAddress healthAddress, InetSocketAddress metricsAddress,
            Optional<HttpsConfigurator> metricsTls, Function<String, Optional<String>> missing, HttpHandler scrape,
            HttpHandler debug)
            throws IOException {
        this.health = listen(healthAddress, Optional.empty());
        this.metrics = metricsAddress.equals(healthAddress) && healthAddress.getPort() != 0 ? health
                : listenBeside(health, metricsAddress, metricsTls);
        health.createContext("/healthz", exchange -> answer(exchange, 200, "text/plain", "ok\n"));
        health.createContext("/readyz", exchange -> {
            String path = exchange.getRequestURI().getPath();
            Optional<String> unready = missing.apply(path.substring("/readyz".length()).replaceFirst("^/", ""));
            answer(exchange, unready.isEmpty() ? 200 : 503, "text/plain", unready.orElse("ok") + "\n");
        });
        metrics.createContext(MetricsHandler.PATH, scrape);
        metrics.createContext(DebugHandler.PREFIX, debug);
        health.start();
        if (metrics != health) {
            metrics.start();
        }
    }

    private static HttpServer listenBeside(HttpServer other, InetSocketAddress address, Optional<HttpsConfigurator> tls)
            throws IOException {
        try {
            return listen(address, tls);
        } catch (IOException e) {
            other.start(); // one that never ran keeps its port
            other.stop(0);
            throw e;
        }
    }

    private static HttpServer listen(InetSocketAddress address, Optional<HttpsConfigurator> tls) throws IOException {
        try {
            HttpServer server = tls.isPresent() ? HttpsServer.create(address, 0) : HttpServer.create(address, 0);
            if (server instanceof HttpsServer encrypted) {
                encrypted.setHttpsConfigurator(tls.orElseThrow());
            }
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
