package io.nodeward.training;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The training run for an AOT cache: starts the command that it is given, a JVM that records one and runs the
 * controller's {@code RehearsalMain}, and gives every controller in it the work of a fleet.
 */
public final class Main {
    private static final int MACHINES = 1_000;
    private static final int HEARTBEATS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration AT_MOST = Duration.ofMinutes(10);
    private static final Duration POLL = Duration.ofMillis(200);

    private Main() {}

    /** @param command with its options; those of the controller that it needs here are added */
    public static void main(String[] command) throws IOException, InterruptedException {
        System.exit(run(List.of(command)));
    }

    private static int run(List<String> command) throws IOException, InterruptedException {
        Path kubeconfig = Files.createTempFile("training", ".kubeconfig",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        kubeconfig.toFile().deleteOnExit();
        try (FakeApiServer server = FakeApiServer.start(Options.defaults());
                TlsFront front = new TlsFront(server.url())) {
            Files.writeString(kubeconfig, front.kubeconfig());
            Work work = new Work(server, MACHINES);
            work.create(front.kubeconfig());
            return record(command, kubeconfig, work);
        }
    }

    private static int record(List<String> command, Path kubeconfig, Work work)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--kubeconfig=" + kubeconfig, "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0", "--cluster-servers=127.0.0.1"));
        Process recording = new ProcessBuilder(all).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        Thread end = new Thread(() -> end(recording), "end of the recording");
        Runtime.getRuntime().addShutdownHook(end);
        CompletableFuture.delayedExecutor(AT_MOST.toMillis(), TimeUnit.MILLISECONDS).execute(() -> end(recording));
        try (BufferedReader output = recording.inputReader()) {
            int round = 0;
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                System.out.println(line);
                if (line.startsWith("rehearsal of ")) {
                    give(work, ++round, recording);
                    recording.getOutputStream().write('\n'); // on to the next backend
                    recording.getOutputStream().flush();
                }
            }
            return recording.waitFor();
        } finally {
            end(recording);
        }
    }

    // At its end the JVM starts another, which writes the cache.
    private static void end(Process recording) {
        recording.descendants().forEach(ProcessHandle::destroyForcibly);
        recording.destroyForcibly();
    }

    private static void give(Work work, int round, Process recording) throws InterruptedException {
        work.declare("edited-" + round);
        await(work, "edited-" + round, recording);
        work.drift();
        await(work, "edited-" + round, recording);
        for (int i = 0; i < HEARTBEATS; i++) {
            work.heartbeats(round * HEARTBEATS + i);
        }
        work.declare("again-" + round);
        await(work, "again-" + round, recording);
    }

    private static void await(Work work, String value, Process recording) throws InterruptedException {
        long start = System.nanoTime();
        while (!work.isDone(value)) {
            if (!recording.isAlive() || System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("the Nodes did not follow within " + PATIENCE);
            }
            Thread.sleep(POLL);
        }
    }
}
