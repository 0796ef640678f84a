package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A line with {@code ./nodeward} as it is typed in a checkout: on a terminal that {@code script} makes, or on none. */
final class Launched implements AutoCloseable {
    static final int NO_TERMINAL = 0;

    private static final Path ROOT = root();
    private static final Path SCRIPT = Path.of("/usr/bin/script");
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Process process;
    private final Path output;

    /** How it ended, and all it has shown, standard error too. */
    record Ended(int exit, String shown) {}

    private Launched(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** On a terminal of so many columns. */
    static Ended onTerminal(int columns, Map<String, String> environment, String line) {
        try (Launched launched = start(columns, environment, line)) {
            return launched.end();
        }
    }

    /** Into a file. */
    static Ended intoFile(Map<String, String> environment, String line) {
        return onTerminal(NO_TERMINAL, environment, line);
    }

    /** Returns at once. */
    static Launched start(int columns, Map<String, String> environment, String line) {
        assertThat(ROOT.resolve("cli/target/lib")).as("'mvn verify' makes it").isNotEmptyDirectory();
        try {
            Path output = Files.createTempFile("nodeward-launched-", ".log");
            ProcessBuilder builder = new ProcessBuilder(command(columns, line)).directory(ROOT.toFile())
                    .redirectErrorStream(true).redirectOutput(output.toFile());
            List.of("JAVA_TOOL_OPTIONS", "NO_COLOR", "COLUMNS", "KUBECONFIG").forEach(builder.environment()::remove);
            builder.environment().putAll(Map.of("NODEWARD_NO_BUILD", "yes", "TERM", "xterm"));
            builder.environment().putAll(environment);
            return new Launched(builder.start(), output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(int columns, String line) throws IOException {
        if (columns == NO_TERMINAL) {
            return List.of("bash", "-c", line);
        }
        assertThat(SCRIPT).as("util-linux has it (apt-get install bsdutils)").isExecutable();
        // A build in the background ignores Ctrl-C, and so would all that it starts; who sits at a terminal does not.
        String heeding = "env --default-signal=INT ";
        assertThat(new ProcessBuilder((heeding + "true").split(" ")).start().onExit().join().exitValue())
                .as("coreutils 8.31 or later have '%s' (apt-get install coreutils)", heeding).isZero();
        String typed = "stty rows 24 cols " + columns + "; exec " + heeding + line;
        return List.of(SCRIPT.toString(), "-qec", typed, "/dev/null");
    }

    String shown() {
        try {
            return Files.readString(output, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** On its keyboard. */
    void type(String keys) {
        try {
            process.getOutputStream().write(keys.getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until it has ended by itself; fails after minutes if it has not. */
    Ended end() {
        try {
            boolean ended = process.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
            assertThat(ended).as("it ends; it has shown:\n%s", shown()).isTrue();
            return new Ended(process.exitValue(), shown());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Asks it to end, and waits until it has. */
    void terminate() {
        process.destroy();
        end();
    }

    @Override
    public void close() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            Files.delete(output);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("nodeward"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
