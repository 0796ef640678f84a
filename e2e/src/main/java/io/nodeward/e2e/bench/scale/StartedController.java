package io.nodeward.e2e.bench.scale;

import io.nodeward.e2e.bench.load.Pause;
import io.nodeward.e2e.bench.load.ProcessUsage;
import io.nodeward.e2e.controlplane.Directories;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Ports;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The controller as a user starts it: from a checkout or an image, with the flags that these choose. */
final class StartedController implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Duration INTERVAL = Duration.ofMillis(20);

    private final Path directory;
    private final LoggedProcess process;
    private final int port;
    private final HttpClient http = HttpClient.newHttpClient();

    private StartedController(Path directory, LoggedProcess process, int port) {
        this.directory = directory;
        this.process = process;
        this.port = port;
    }

    /** In the order of a pair: who begins changes, as who comes first may find caches of the machine cold. */
    static List<String> backends(int pair) {
        return pair % 2 == 1 ? List.of("fabric8", "official") : List.of("official", "fabric8");
    }

    /** @param launcher the command that starts the controller, without flags, and becomes its JVM */
    static StartedController start(List<String> launcher, String backend, String kubeconfig) {
        Path directory = Directories.io(() -> Files.createTempDirectory("nodeward-bench-"));
        int port = Ports.free();
        List<String> command = new ArrayList<>(launcher);
        command.addAll(List.of(
                "--kubeconfig=" + Directories.write(directory.resolve("kubeconfig"), kubeconfig),
                "--backend=" + backend,
                "--cluster-servers=127.0.0.1",
                "--health-address=127.0.0.1:" + port,
                "--metrics-address=127.0.0.1:" + port));
        LoggedProcess process = LoggedProcess.start("nodeward-" + backend, command, Map.of(), directory);
        return new StartedController(directory, process, port);
    }

    /** MiB resident now. */
    double rssMib() {
        return known(ProcessUsage.rssMib(process.pid()));
    }

    /** MiB, the most that was ever resident. */
    double peakRssMib() {
        return known(ProcessUsage.peakRssMib(process.pid()));
    }

    /** MiB that its heap holds after a full collection. */
    double liveHeap() {
        return LiveHeap.of(process.pid());
    }

    /** Of the JVM, and of the launcher before it became that. */
    double cpuSeconds() {
        return known(ProcessUsage.cpuSeconds(process.pid()));
    }

    private double known(OptionalDouble figure) {
        return figure.orElseThrow(() -> new IllegalStateException("the controller has ended:\n" + process.tail()));
    }

    /** Requests that changed an object, or tried to. */
    double writes() {
        Predicate<String> any = line -> line.startsWith("rest_client_requests_total{");
        Predicate<String> read = line -> line.contains("method=\"GET\"");
        if (sum(any.and(read)) == 0) {
            throw new IllegalStateException("a controller that is at rest has read, and does not say so");
        }
        return sum(any.and(read.negate()));
    }

    boolean isReady() {
        HttpResponse<Stream<String>> answer = ask("/readyz");
        answer.body().close();
        return answer.statusCode() == 200;
    }

    /** The sum of a metric over all its labels; 0 if there is none of the name. */
    double metric(String name) {
        return sum(line -> line.startsWith(name + " ") || line.startsWith(name + "{"));
    }

    private double sum(Predicate<String> which) {
        try (Stream<String> lines = ask("/metrics").body()) {
            return lines.filter(which)
                    .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                    .sum();
        }
    }

    private HttpResponse<Stream<String>> ask(String path) {
        try {
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                    BodyHandlers.ofLines());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw Pause.interrupted(e);
        }
    }

    /** Until all Nodes are cached and all Machines have been compared with them. */
    void awaitAtRest(LargeFleet fleet) {
        await("all Nodes to be cached", () -> isReady()
                && metric("nodeward_clusters_available") == fleet.clusters()
                && metric("nodeward_nodes") == fleet.nodes()
                && metric("controller_runtime_reconcile_total") >= fleet.machines()
                && metric("workqueue_depth") + metric("controller_runtime_active_workers") == 0);
    }

    /** Asks often; as long as nobody listens yet, the answer is no. */
    void await(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!holds(condition)) {
            if (!process.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException(
                        "waited in vain for " + what + "; the controller said:\n" + process.tail());
            }
            Pause.of(INTERVAL);
        }
    }

    private static boolean holds(BooleanSupplier condition) {
        try {
            return condition.getAsBoolean();
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        process.terminate(Duration.ofSeconds(30));
        Directories.delete(directory);
        http.close();
    }
}
