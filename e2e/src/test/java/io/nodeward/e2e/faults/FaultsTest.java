package io.nodeward.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Plants every fault and lets the tests look for it: an hour and more. */
@Tag("soak")
class FaultsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TABLE = Path.of("target", "faults.md").toAbsolutePath();
    private static final Path LOG = Path.of("target", "faults.log").toAbsolutePath();

    @Test
    void the_quick_tier_misses_three_faults_at_most_and_the_deep_one_none() throws IOException, InterruptedException {
        Process run = new ProcessBuilder(ROOT.resolve("e2e").resolve("faults").resolve("run").toString())
                .redirectOutput(TABLE.toFile()).redirectError(LOG.toFile()).start();
        try {
            assertThat(run.waitFor()).as("see %s and %s", TABLE, LOG).isZero();
        } finally {
            run.descendants().forEach(ProcessHandle::destroy);
            run.destroy(); // it takes its copy of the tree with it
            System.out.println(Files.readString(TABLE));
        }
    }
}
