package io.nodeward.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The faults that tests have to notice can still be planted; whether they are noticed takes longer to say. */
class FaultPatchesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path FAULTS = ROOT.resolve("e2e").resolve("faults");
    private static final String LOOK_FIRST = "Look first: ";

    static List<Path> patches() throws IOException {
        try (Stream<Path> files = Files.list(FAULTS)) {
            return files.filter(file -> file.toString().endsWith(".patch")).sorted().toList();
        }
    }

    @ParameterizedTest
    @MethodSource("patches")
    void a_fault_fits_the_code_it_is_planted_in(Path patch) throws Exception {
        Process git = new ProcessBuilder("git", "apply", "--check", patch.toString()).directory(ROOT.toFile())
                .redirectErrorStream(true).start();
        String said = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(git.waitFor()).as(said).isZero();
    }

    @ParameterizedTest
    @MethodSource("patches")
    void a_fault_says_what_it_does_and_where_to_look_first(Path patch) throws IOException {
        List<String> lines = Files.readAllLines(patch);
        assertThat(lines.get(0)).startsWith("Fault: ");
        assertThat(lines.get(1)).startsWith("Mistake: ");
        assertThat(lines.get(2)).startsWith(LOOK_FIRST);
        String[] test = lines.get(2).substring(LOOK_FIRST.length()).split(" ");
        try (Stream<Path> files = Files.walk(ROOT.resolve(test[0]).resolve("src"))) {
            assertThat(files).anyMatch(file -> file.endsWith(test[1] + ".java"));
        }
    }

    @Test
    void the_page_has_all_faults_and_no_other() throws IOException {
        List<String> names = patches().stream().map(patch -> patch.getFileName().toString()).toList();
        List<String> rows = Files.readAllLines(ROOT.resolve("docs").resolve("faults.md")).stream()
                .filter(line -> line.startsWith("| [")).map(line -> line.replaceFirst(".*/faults/([^)]*)\\).*", "$1"))
                .toList();
        assertThat(rows).isEqualTo(names).hasSizeGreaterThanOrEqualTo(20);
    }
}
