package io.nodeward.training;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.fakeapi.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The training run for an AOT cache: starts the command that it is given, a JVM that records one and runs the
 * controller's {@code Rehearsal}, and gives every controller in it the work of a fleet.
 */
public final class Main {
    private static final int MACHINES = 1_000;
    private static final int HEARTBEATS = 5;
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final Duration POLL = Duration.ofMillis(200);

    private Main() {}

    /** @param command with its options; those of the controller that it needs here are added */
    public static void main(String[] command) throws IOException, InterruptedException {
        Path kubeconfig = Files.createTempFile("training", ".kubeconfig",
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        try (FakeApiServer server = FakeApiServer.start(Options.defaults());
                TlsFront front = new TlsFront(server.url())) {
            Files.writeString(kubeconfig, front.kubeconfig());
            Work work = new Work(server, MACHINES);
            work.create(front.kubeconfig());
            System.exit(run(List.of(command), kubeconfig, work));
        } finally {
            Files.deleteIfExists(kubeconfig);
        }
    }

    private static int run(List<String> command, Path kubeconfig, Work work) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(command);
        all.addAll(List.of("--kubeconfig=" + kubeconfig, "--health-address=127.0.0.1:0",
                "--metrics-address=127.0.0.1:0"));
        Process recording = new ProcessBuilder(all).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT).start();
        try {
            for (int round = 1; give(work, round, recording); round++) {
                recording.getOutputStream().write('\n'); // on to the next backend
                recording.getOutputStream().flush();
            }
            return recording.waitFor();
        } finally {
            recording.destroyForcibly();
        }
    }

    /** Whether there was a controller that did it. */
    private static boolean give(Work work, int round, Process recording) throws InterruptedException {
        work.declare("edited-" + round);
        if (!await(work, "edited-" + round, recording)) {
            return false;
        }
        work.drift();
        if (!await(work, "edited-" + round, recording)) {
            return false;
        }
        for (int i = 0; i < HEARTBEATS; i++) {
            work.heartbeats(round * HEARTBEATS + i);
        }
        work.declare("again-" + round);
        return await(work, "again-" + round, recording);
    }

    private static boolean await(Work work, String value, Process recording) throws InterruptedException {
        long start = System.nanoTime();
        while (!work.isDone(value)) {
            if (!recording.isAlive()) {
                return false;
            }
            if (System.nanoTime() - start > PATIENCE.toNanos()) {
                throw new IllegalStateException("the Nodes did not follow within " + PATIENCE);
            }
            Thread.sleep(POLL);
        }
        return true;
    }
}
