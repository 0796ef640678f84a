package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Runs a program to its end.
 *
 * @param environment added to that of this process
 */
public record Command(List<String> words, Map<String, String> environment, Path directory) {
    private static final long MINUTES_AT_MOST = 45;

    public Command {
        words = List.copyOf(words);
        environment = Map.copyOf(environment);
    }

    /** Runs a program that reads nothing in a folder. */
    public static Result run(Path directory, List<String> words) {
        return new Command(words, Map.of(), directory).run("");
    }

    /** What a program left behind. */
    public record Result(int exit, String out, String err) {
        /** @throws IllegalStateException with everything the program said, unless it ended with 0 */
        public Result orThrow(String what) {
            if (exit != 0) {
                throw new IllegalStateException(what + " ended with " + exit + ":\n" + err + out);
            }
            return this;
        }
    }

    /** @param input what the program reads from its standard input */
    Result run(String input) {
        try {
            Path files = Files.createTempDirectory("nodeward-command-");
            try {
                return run(Files.writeString(files.resolve("in"), input), files.resolve("out"), files.resolve("err"));
            } finally {
                Directories.delete(files);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(words.getFirst() + " cannot be run", e);
        }
    }

    // Files and not pipes: a program that says much on one of them never waits for its reader.
    private Result run(Path in, Path out, Path err) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .directory(directory.toFile())
                .redirectInput(in.toFile())
                .redirectOutput(out.toFile())
                .redirectError(err.toFile());
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            if (!process.waitFor(MINUTES_AT_MOST, TimeUnit.MINUTES)) {
                throw new IllegalStateException(words + " did not end within " + MINUTES_AT_MOST + " minutes");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while running " + words, e);
        } finally {
            process.destroyForcibly();
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }
}
