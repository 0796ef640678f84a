package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RootFilesystemTest {
    @TempDir
    private Path directory;

    @Test
    void jars_come_in_the_launchers_order_whatever_the_locale() throws IOException {
        Path lib = Files.createDirectories(directory.resolve("app/target/lib"));
        for (String name : List.of("b.jar", "a-1.jar", "HdrHistogram.jar", "a.jar", ".built", "a1.jar")) {
            Files.createFile(lib.resolve(name));
        }
        Checkout checkout = new Checkout(directory, Path.of("java"), "1.2.3 (0123456)", "r", Instant.EPOCH,
                List.of("-Xmx256m", "-XX:+UseSerialGC"));
        assertThat(RootFilesystem.options(checkout, checkout.jars("app"))).isEqualTo("""
                -Xmx256m
                -XX:+UseSerialGC
                "-Dnodeward.version=1.2.3 (0123456)"
                -cp
                /app/lib/HdrHistogram.jar:/app/lib/a-1.jar:/app/lib/a.jar:/app/lib/a1.jar:/app/lib/b.jar
                """);
        assertThat(checkout.tag()).isEqualTo("1.2.3");
    }

    @Test
    void all_files_and_folders_have_the_same_time() throws IOException {
        RootFilesystem root = new RootFilesystem(directory);
        root.write("b/c/file", "content");
        root.write("a", "content");
        root.settle();
        assertThat(root.files()).extracting(file -> directory.relativize(file).toString())
                .containsExactly("a", "b", "b/c", "b/c/file");
        for (Path file : root.files()) {
            assertThat(Files.getLastModifiedTime(file).toInstant()).isEqualTo(RootFilesystem.TIME);
        }
    }
}
