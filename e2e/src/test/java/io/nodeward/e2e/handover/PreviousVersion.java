package io.nodeward.e2e.handover;

import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The controller of the commit before the last one that changed it, in a process of its own. */
final class PreviousVersion implements AutoCloseable {
    private static final List<String> SOURCES = List.of("api-types/src/main", "core/rules/src/main",
            "core/runtime/src/main", "core/spi/src/main", "controller/*/src/main", "backend-fabric8/src/main");

    private final Process process;

    private PreviousVersion(Process process) {
        this.process = process;
    }

    /** Builds it, once for each commit, and returns where. */
    static Path built() throws IOException, InterruptedException {
        Path checkout = Path.of("..").toAbsolutePath().normalize();
        List<String> log = new ArrayList<>(List.of("git", "log", "-1", "--format=%H", "HEAD", "--"));
        log.addAll(SOURCES);
        String last = run(checkout, log.toArray(String[]::new)).strip();
        String commit = run(checkout, "git", "rev-parse", last + "^").strip();
        Path directory = checkout.resolve("e2e/target/previous").resolve(commit);
        if (!Files.exists(directory.resolve("pom.xml"))) {
            Files.createDirectories(directory);
            run(checkout, "sh", "-c", "git archive " + commit + " | tar -x -C '" + directory + "'");
        }
        run(directory, "./nodeward", "controller", "--help"); // builds what is missing
        return directory;
    }

    /** Started and ready. */
    static PreviousVersion start(Path directory, Path kubeconfig, Path log, String... arguments) throws IOException {
        int port = Ports.free();
        List<String> command = new ArrayList<>(List.of("./nodeward", "controller", "--kubeconfig=" + kubeconfig,
                "--health-address=127.0.0.1:" + port, "--metrics-address=127.0.0.1:" + port,
                "--cluster-servers=127.0.0.1"));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(log.toFile());
        builder.environment().put("NODEWARD_NO_BUILD", "yes");
        PreviousVersion previous = new PreviousVersion(builder.start());
        await("readiness").atMost(MachineSuite.PATIENCE).ignoreExceptionsInstanceOf(IOException.class)
                .until(() -> previous.answers(port, log));
        return previous;
    }

    private boolean answers(int port, Path log) throws IOException, InterruptedException {
        if (!process.isAlive()) {
            throw new IllegalStateException("it has ended:\n" + Files.readString(log));
        }
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/readyz")).build(),
                    BodyHandlers.ofString()).statusCode() == 200;
        }
    }

    private static String run(Path directory, String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true);
        builder.environment().remove("NODEWARD_NO_BUILD");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IllegalStateException(String.join(" ", command) + ", which needs the history of a git checkout"
                    + " and Maven:\n" + output);
        }
        return output;
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
