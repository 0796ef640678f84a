package io.nodeward.e2e.launcher;

import static io.nodeward.e2e.launcher.LauncherTest.launch;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.launcher.LauncherTest.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The cache that a controller starts from, which is trained first. */
@Tag("deep")
class AotCacheTest {
    private static final Path ROOT = Shell.root();
    private static final String STRICT = "-XX:AOTMode=on";

    @TempDir
    private Path directory;

    @BeforeAll
    static void train(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(ROOT.resolve("controller/app/target/lib")).as("'mvn verify' makes it").isNotEmptyDirectory();
        Outcome outcome = launch(directory, "", "train");
        assertThat(outcome.exit()).as(outcome.output()).isZero();
    }

    @Test
    void the_controller_starts_from_its_aot_cache() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, STRICT, "controller", "--version");
        assertThat(outcome.output()).startsWith("nodeward ");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void a_jvm_of_another_kind_is_told_that_it_cannot_use_the_cache() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "-XX:-UseCompactObjectHeaders " + STRICT, "controller", "--version");
        assertThat(outcome.output()).contains("UseCompactObjectHeaders");
        assertThat(outcome.exit()).isNotZero();
    }

    @Test
    void without_a_usable_cache_it_starts_nevertheless() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "-XX:-UseCompactObjectHeaders", "controller", "--version");
        assertThat(outcome.output()).contains("nodeward ");
        assertThat(outcome.exit()).isZero();
    }
}
