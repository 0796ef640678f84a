package io.nodeward.e2e.bench.micro;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** {@code ./nodeward controller} in its own JVM with the flags it ships with, recorded on demand. */
final class ProfiledController implements AutoCloseable {
    private static final Path PROC = Path.of("/proc");
    /** Of /proc/PID/stat, the same on every Linux that a JVM runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private final Process process;
    private final Path directory;

    /** @param checkout where the launcher is */
    ProfiledController(Path checkout, Path directory, Path kubeconfig, String backend) throws IOException {
        this.directory = Files.createDirectories(directory);
        List<String> command = List.of(
                checkout.resolve("nodeward").toString(), "controller", "--kubeconfig=" + kubeconfig,
                "--backend=" + backend, "--health-address=127.0.0.1:0", "--metrics-address=127.0.0.1:0");
        this.process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
    }

    /** Seconds of all threads, those of the JVM included. */
    double cpuSeconds() {
        return seconds(stat(PROC.resolve(process.pid() + "/stat")));
    }

    /** Seconds of that which went into compiling: it ends some time after the start. */
    double compilerSeconds() {
        try (Stream<Path> threads = Files.list(PROC.resolve(process.pid() + "/task"))) {
            return threads.map(thread -> stat(thread.resolve("stat")))
                    .filter(stat -> stat.contains(" CompilerThre"))
                    .mapToDouble(ProfiledController::seconds)
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private String stat(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            if (process.isAlive()) {
                return "0 (a thread that has ended) " + "0 ".repeat(50);
            }
            throw new UncheckedIOException("the controller has ended, see " + directory.resolve("log"), e);
        }
    }

    private static double seconds(String stat) {
        String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
        return (Long.parseLong(fields[11]) + Long.parseLong(fields[12])) / TICKS_PER_SECOND;
    }

    /** Starts the flight recorder; {@link #stopRecording} of the same name writes its file. */
    void startRecording(String name) throws IOException, InterruptedException {
        jcmd("JFR.start", "name=" + name, "settings=profile");
    }

    Path stopRecording(String name) throws IOException, InterruptedException {
        Path file = directory.resolve(name + ".jfr");
        jcmd("JFR.stop", "name=" + name, "filename=" + file);
        return file;
    }

    private void jcmd(String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>();
        all.add(Path.of(System.getProperty("java.home"), "bin", "jcmd").toString());
        all.add(Long.toString(process.pid()));
        all.addAll(List.of(command));
        Process jcmd = new ProcessBuilder(all)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("jcmd").toFile())
                .start();
        if (jcmd.waitFor() != 0) {
            throw new IllegalStateException(Files.readString(directory.resolve("jcmd")));
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(30, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
