package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
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
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** A controller in a JVM of its own, so that what it takes is not mixed with what the servers of the test take. */
public final class ControllerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final BufferedReader answers;
    private final Path directory;
    private final HttpClient http = HttpClient.newHttpClient();
    private final int metricsPort;
    private final int healthPort;

    /**
     * Starts it with more heap than it has by default, so that it can be measured.
     *
     * @param directory for its files
     * @param arguments of {@code nodeward controller} besides kubeconfig and addresses
     */
    ControllerProcess(Path directory, String kubeconfig, List<String> arguments) throws IOException {
        this(directory, kubeconfig, List.of("-Xmx400m"), arguments);
    }

    /** Starts it with the heap that the launcher and the image give it. */
    public static ControllerProcess withDefaultHeap(Path directory, String kubeconfig, List<String> arguments)
            throws IOException {
        return new ControllerProcess(directory, kubeconfig,
                List.of("-Xmx256m", "-Xmn32m", "-XX:+UseCompactObjectHeaders"), arguments);
    }

    private ControllerProcess(Path directory, String kubeconfig, List<String> heap, List<String> arguments)
            throws IOException {
        this.directory = directory;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC"));
        command.addAll(heap);
        command.addAll(List.of(
                "-XX:+ExitOnOutOfMemoryError",
                "-Dtest.log.level=WARN",
                // A probe that meets a write opens a second connection, and later probes use both in turn. Probes are 8 to
                // 12 s apart: so one of the two ends, and neither of those that are alone.
                "-Djdk.httpclient.keepalive.timeout=15",
                "-Djdk.trackAllThreads=true", // else virtual threads that no executor made are in no dump
                "-cp",
                System.getProperty("java.class.path"),
                MeasuredController.class.getName(),
                "--kubeconfig=" + Files.writeString(directory.resolve("kubeconfig"), kubeconfig),
                "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0",
                "--pause-configmap="));
        if (arguments.stream().noneMatch(argument -> argument.startsWith("--cluster-servers"))) {
            command.add("--cluster-servers=127.0.0.1,::1");
        }
        command.addAll(arguments);
        this.process = new ProcessBuilder(command).redirectError(directory.resolve("log").toFile()).start();
        this.answers = new BufferedReader(new InputStreamReader(process.getInputStream()));
        String[] ports = answer().split(" ");
        this.metricsPort = Integer.parseInt(ports[0]);
        this.healthPort = Integer.parseInt(ports[1]);
    }

    private String answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IllegalStateException("the controller has ended:\n" + log());
        }
        return line;
    }

    String log() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** The value of a metric without labels. */
    double metric(String name) {
        return get(metricsPort, "/metrics").body().lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElse(Double.NaN);
    }

    /** Asks a probe, such as {@code /healthz}, and returns the status of its answer. */
    public int probe(String path) {
        return get(healthPort, path).statusCode();
    }

    /** Reads the answer to its end: a client that is closed waits for answers that nobody has read. */
    private HttpResponse<String> get(int port, String path) {
        try {
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build(),
                    BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public void awaitMetric(String name, double value) {
        await(name + " " + value).atMost(PATIENCE).pollInterval(Duration.ofMillis(300))
                .until(() -> metric(name) == value);
    }

    Footprint footprint() {
        Path dump = directory.resolve("threads");
        try {
            process.getOutputStream().write((dump + "\n").getBytes());
            process.getOutputStream().flush();
            String[] figures = answer().split(" ");
            return Footprint.of(process.pid(), Long.parseLong(figures[0]), Long.parseLong(figures[1]), dump);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What it takes once that does not change any more, and is as {@code expected}. */
    Footprint settledFootprint(Predicate<Footprint> expected) {
        Footprint[] last = {footprint()};
        await("the controller to come to rest").atMost(PATIENCE).pollInterval(Duration.ofSeconds(1))
                .untilAsserted(() -> {
                    Footprint before = last[0];
                    last[0] = footprint();
                    assertThat(last[0]).as(() -> "connections " + last[0].connections() + ", before " + before)
                            .matches(expected);
                    assertThat(last[0].threads()).as("threads").isEqualTo(before.threads());
                    assertThat(last[0].descriptors()).as("descriptors").isEqualTo(before.descriptors());
                    assertThat(last[0].connections()).as("connections").isEqualTo(before.connections());
                });
        return last[0];
    }

    /** Ends it at once, whatever it does. */
    public void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Asks it to end, as a kubelet does, and waits until it has ended. */
    public void terminate() {
        process.destroy();
        process.onExit().join();
    }

    /** Stops it in whatever it does, as a machine that hangs does. It answers nothing until {@link #resume}. */
    public void suspend() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String signal) {
        try {
            int code = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor();
            assertThat(code).as("kill -" + signal).isZero();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        http.close();
        process.getOutputStream().close(); // it ends with its input
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new IllegalStateException("the controller does not end");
        }
    }
}
