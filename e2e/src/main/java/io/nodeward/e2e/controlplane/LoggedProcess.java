package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** A server as a process: its output goes to a file, and it ends with this JVM at the latest. */
public final class LoggedProcess implements AutoCloseable {
    private static final Duration READY_AT_MOST = Duration.ofMinutes(3);
    private static final int TAIL_LINES = 25;

    private final String name;
    private final Path log;
    private final Process process;
    private final long startedAt;
    private final Thread atExit;

    private LoggedProcess(String name, Path log, Process process, long startedAt) {
        this.name = name;
        this.log = log;
        this.process = process;
        this.startedAt = startedAt;
        this.atExit = new Thread(process::destroyForcibly, "stop " + name);
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    /** @param environment added to that of this process */
    public static LoggedProcess start(String name, List<String> command, Map<String, String> environment,
            Path directory) {
        Path log = directory.resolve(name + ".log");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(log.toFile());
            builder.environment().putAll(environment);
            long now = System.nanoTime();
            return new LoggedProcess(name, log, builder.start(), now);
        } catch (IOException e) {
            throw new UncheckedIOException(name + " cannot be started", e);
        }
    }

    /** @throws IllegalStateException with the end of the log if the process dies, or is not ready in three minutes */
    void awaitReady(BooleanSupplier ready) {
        Polling.until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(name + " ended with " + process.exitValue() + ":\n" + tail());
            }
            return ready.getAsBoolean();
        }, READY_AT_MOST, () -> name + " was not ready within " + READY_AT_MOST + ":\n" + tail());
    }

    public long pid() {
        return process.pid();
    }

    /** The time of processors that it has taken since its start. */
    public Duration cpu() {
        return process.info().totalCpuDuration().orElseThrow();
    }

    /** {@link System#nanoTime} just before it was started. */
    public long startedAt() {
        return startedAt;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Its last lines. */
    public String tail() {
        try {
            List<String> lines = Files.readString(log, StandardCharsets.ISO_8859_1).lines().toList();
            return String.join("\n", lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size()));
        } catch (IOException e) {
            return log + " cannot be read: " + e.getMessage();
        }
    }

    /** Asks it to end, and returns when it has. */
    public void terminate(Duration grace) {
        process.destroy();
        try {
            if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
                kill();
                throw new IllegalStateException(name + " did not end within " + grace + " of SIGTERM:\n" + tail());
            }
            forget();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            kill();
        }
    }

    /** Ends it at once: for servers whose data is thrown away. */
    @Override
    public void close() {
        kill();
        forget();
    }

    private void kill() {
        process.destroyForcibly();
        process.onExit().join();
    }

    private void forget() {
        try {
            Runtime.getRuntime().removeShutdownHook(atExit);
        } catch (IllegalStateException e) {
            // The JVM is going down already: the hook has run or will find a dead process.
            return;
        }
    }
}
