package io.nodeward.e2e.clusters;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.IntFunction;

/** Answers each request with a body that has no end, as fast as it is read. */
final class EndlessServer implements AutoCloseable {
    /** How a body goes on for ever. */
    enum Body {
        /** Nothing but space, of which JSON may hold as much as it likes. */
        SPACE("", i -> " ".repeat(4096)),
        /** One object with one text. */
        TEXT("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"", i -> "x".repeat(4096)),
        /** One object whose parts are kept until its type is known. */
        OBJECT_BEFORE_ITS_TYPE("{\"object\":{\"a\":[", i -> "1,".repeat(2048)),
        /** One Node with ever more labels. */
        LABELS("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"n\",\"labels\":{",
                i -> "\"%d\":\"\",".formatted(i)),
        /** One list with ever more Nodes, whatever was asked for. */
        ITEMS("{\"items\":[", i -> "{\"metadata\":{\"name\":\"n%d\",\"resourceVersion\":\"%d\"}},".formatted(i, i)),
        /** Ever more Nodes that are said to have been there before. */
        EVENTS("",
                i -> ("{\"type\":\"ADDED\",\"object\":{\"metadata\":{\"name\":\"n%d\",\"resourceVersion\":\"%d\"}}}\n")
                        .formatted(i, i));

        private final String start;
        private final IntFunction<String> more;

        Body(String start, IntFunction<String> more) {
            this.start = start;
            this.more = more;
        }
    }

    private final Body body;
    private final Arrivals arrivals;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    EndlessServer(Body body, Arrivals arrivals) throws IOException {
        this.body = body;
        this.arrivals = arrivals;
        this.server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    String kubeconfig() {
        return """
                clusters: [{name: c, cluster: {server: 'http://127.0.0.1:%d'}}]
                users: [{name: u, user: {token: t}}]
                contexts: [{name: x, context: {cluster: c, user: u}}]
                current-context: x
                """.formatted(server.getAddress().getPort());
    }

    private void answer(HttpExchange exchange) throws IOException {
        arrivals.add(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body.start.getBytes(StandardCharsets.US_ASCII));
            for (int i = 1; !Thread.currentThread().isInterrupted(); i++) {
                out.write(body.more.apply(i).getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }
}
