package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.controller.app.Nodeward;
import io.nodeward.controller.app.OutOfTreeController;
import io.nodeward.e2e.backend.UsedBackend;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;

/** The controller in this JVM, on ports of its own; it is ready when it has been started. */
public final class RunningNodeward implements AutoCloseable {
    /** What is in a queue, and what is being done; Events have a queue of their own, without labels. */
    private static final Pattern WORK = Pattern.compile(
            "(?m)^(?:workqueue_(?:depth|unfinished_work_seconds)\\{[^}]*}|(nodeward_events_pending)) ([0-9.eE+-]+)$");

    private final Nodeward nodeward;
    private volatile boolean open = true;

    private RunningNodeward(Nodeward nodeward) {
        this.nodeward = nodeward;
    }

    /**
     * Without flags about {@code NoExecute} it is not limited, so that a test need not wait for it. Without a ConfigMap for its
     * pause it has none, and needs no right to read one. It connects to workload clusters on this machine.
     *
     * @param more arguments of {@code nodeward controller} besides kubeconfig and addresses
     */
    public static RunningNodeward start(Path kubeconfig, String... more) {
        return start(List.of(), kubeconfig, more);
    }

    /** As above, with controllers of others. */
    public static RunningNodeward start(List<OutOfTreeController> others, Path kubeconfig, String... more) {
        List<String> arguments = new ArrayList<>(List.of(
                "--kubeconfig", kubeconfig.toString(),
                "--health-address", "127.0.0.1:0",
                "--metrics-address", "127.0.0.1:0"));
        Map.of("--backend", List.of("--backend", UsedBackend.name()),
                "--noexecute", List.of("--noexecute-nodes-per-minute=0", "--noexecute-unconfirmed-percent=0"),
                "--pause-configmap", List.of("--pause-configmap="),
                "--cluster-servers", List.of("--cluster-servers=127.0.0.1")).forEach((flag, usual) -> {
                    if (List.of(more).stream().noneMatch(given -> given.startsWith(flag))) {
                        arguments.addAll(usual);
                    }
                });
        arguments.addAll(List.of(more));
        try {
            return new RunningNodeward(Nodeward.start(others, arguments.toArray(String[]::new))).awaitReady();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As {@link #start(Path, String...)} of exactly these arguments, for one that may never be ready. */
    public static RunningNodeward startUnready(Path kubeconfig, String... more) {
        List<String> arguments = new ArrayList<>(List.of("--kubeconfig", kubeconfig.toString(), "--backend",
                UsedBackend.name(), "--health-address", "127.0.0.1:0", "--metrics-address", "127.0.0.1:0"));
        arguments.addAll(List.of(more));
        try {
            return new RunningNodeward(Nodeward.start(List.of(), arguments.toArray(String[]::new)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RunningNodeward awaitReady() {
        try {
            await("readiness").atMost(MachineSuite.PATIENCE)
                    .untilAsserted(() -> assertThat(get(nodeward.healthPort(), "/readyz").body()).isEqualTo("ok\n"));
            return this;
        } catch (ConditionTimeoutException unready) {
            close();
            throw unready;
        }
    }

    public boolean isReady() {
        return isReady("/readyz");
    }

    /** As a kubelet that asks by this path. */
    public boolean isReady(String probe) {
        return get(nodeward.healthPort(), probe).statusCode() == 200;
    }

    /** What {@code /metrics} says. */
    public String metrics() {
        return get(nodeward.metricsPort(), "/metrics").body();
    }

    /** The value on the first line of {@link #metrics} that starts so. */
    public double metric(String start) {
        return metrics().lines()
                .filter(line -> line.startsWith(start))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no metric " + start));
    }

    /** Waits until all its queues are empty, all its workers idle and all its Events written or given up. */
    public void awaitIdle() {
        await("idleness").atMost(MachineSuite.PATIENCE).pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(20))
                .until(() -> isIdle() && isIdle()); // one by one gauges are read: Events may come of the last work
    }

    private boolean isIdle() {
        List<MatchResult> work = WORK.matcher(metrics()).results().toList();
        if (work.size() < 2 || work.stream().noneMatch(found -> found.group(1) != null)) {
            throw new IllegalStateException("no metric tells what is in the queues, or how many Events are pending");
        }
        return work.stream().allMatch(found -> Double.parseDouble(found.group(2)) == 0);
    }

    /** Whether it has not been stopped. */
    boolean isOpen() {
        return open;
    }

    /** A graceful stop: returns when the writes in hand are finished and every connection is closed. */
    @Override
    public void close() {
        open = false;
        nodeward.close();
    }

    /** What {@code /debug/} answers to who has the token. */
    HttpResponse<byte[]> inside(String what, String token) {
        return send(HttpRequest.newBuilder(uri(nodeward.metricsPort(), "/debug/" + what))
                .header("Authorization", "Bearer " + token).build(), BodyHandlers.ofByteArray());
    }

    int metricsPort() {
        return nodeward.metricsPort();
    }

    private static HttpResponse<String> get(int port, String path) {
        return send(HttpRequest.newBuilder(uri(port, path)).build(), BodyHandlers.ofString());
    }

    private static URI uri(int port, String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    private static <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body) {
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(request, body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted in GET " + request.uri(), e);
        }
    }
}
