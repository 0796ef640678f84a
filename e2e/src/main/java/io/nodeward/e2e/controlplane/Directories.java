package io.nodeward.e2e.controlplane;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Objects;
import java.util.stream.Stream;

/** Files and temporary directories, and their end. */
public final class Directories {
    private Directories() {}

    /** Work with files. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException;
    }

    /** @throws UncheckedIOException in place of an IOException */
    public static <T> T io(Work<T> work) {
        try {
            return work.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a file of the class path. */
    static String resource(String name) {
        return io(() -> {
            try (InputStream in = Directories.class.getResourceAsStream(name)) {
                byte[] text = Objects.requireNonNull(in, () -> name + " is not on the class path").readAllBytes();
                return new String(text, StandardCharsets.UTF_8);
            }
        });
    }

    public static Path temporary(Path parent, String prefix) {
        return io(() -> Files.createTempDirectory(parent, prefix));
    }

    static Path create(Path directory) {
        return io(() -> Files.createDirectories(directory));
    }

    public static Path write(Path file, String text) {
        return io(() -> Files.writeString(file, text));
    }

    /** Deletes what it can: a process that is just ending may still write into its directory. */
    public static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
        } catch (IOException | UncheckedIOException e) {
            directory.toFile().deleteOnExit();
        }
    }
}
