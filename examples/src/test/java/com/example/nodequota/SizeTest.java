package com.example.nodequota;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A controller costs its decision, not its plumbing: with a kind, a condition and a webhook of its own too. */
class SizeTest {
    private static final int MOST = 7;

    @Test
    void a_controller_has_seven_files_at_most_and_none_of_them_is_long() throws IOException {
        Path folder = Path.of("src", "main", "java", "com", "example", "nodequota");
        try (Stream<Path> files = Files.list(folder)) {
            assertThat(files.filter(file -> !file.endsWith("package-info.java")).toList())
                    .hasSizeLessThanOrEqualTo(MOST)
                    .allSatisfy(file -> assertThat(Files.readAllLines(file)).hasSizeLessThan(100));
        }
    }
}
