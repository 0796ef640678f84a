package io.nodeward.e2e.machine;

import static org.awaitility.Awaitility.await;

import io.nodeward.controller.app.Nodeward;
import io.nodeward.e2e.backend.UsedBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The controller in this JVM, on ports of its own; it is ready when it has been started. */
public final class RunningNodeward implements AutoCloseable {
    private final Nodeward nodeward;

    private RunningNodeward(Nodeward nodeward) {
        this.nodeward = nodeward;
    }

    /** @param more arguments of {@code nodeward controller} besides kubeconfig and addresses */
    public static RunningNodeward start(Path kubeconfig, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--kubeconfig", kubeconfig.toString(),
                "--backend", UsedBackend.name(),
                "--health-address", "127.0.0.1:0",
                "--metrics-address", "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        try {
            RunningNodeward running = new RunningNodeward(Nodeward.start(arguments.toArray(String[]::new)));
            await("readiness").atMost(MachineSuite.PATIENCE).until(running::isReady);
            return running;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public boolean isReady() {
        return get(nodeward.healthPort(), "/readyz").statusCode() == 200;
    }

    /** What {@code /metrics} says. */
    public String metrics() {
        return get(nodeward.metricsPort(), "/metrics").body();
    }

    /** A graceful stop: returns when the writes in hand are finished and every connection is closed. */
    @Override
    public void close() {
        nodeward.close();
    }

    private static HttpResponse<String> get(int port, String path) {
        URI uri = URI.create("http://127.0.0.1:" + port + path);
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in GET " + uri, e);
        }
    }
}
