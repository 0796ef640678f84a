package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./nodeward} of this checkout, on the jars that this build has made; the AOT cache is made if it is missing. */
class LauncherTest {
    private static final Path ROOT = root();
    private static final String SAME = "-XX:+UseSerialGC -XX:+UseCompactObjectHeaders";
    /** Ends the JVM if the cache cannot be used. */
    private static final String STRICT = " -XX:AOTMode=on";

    @TempDir
    Path directory;

    private record Outcome(int exit, String output) {}

    @BeforeAll
    static void train(@TempDir Path directory) throws IOException, InterruptedException {
        assertThat(ROOT.resolve("controller/app/target/lib")).as("'mvn verify' makes it").isNotEmptyDirectory();
        assertThat(launch(directory, "", "controller", "--version").exit()).isZero();
    }

    @Test
    void the_controller_starts_from_its_aot_cache() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, SAME + STRICT, "controller", "--version");
        assertThat(outcome.output()).startsWith("nodeward ");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void a_jvm_of_another_kind_is_told_that_it_cannot_use_the_cache() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "-XX:-UseCompactObjectHeaders" + STRICT, "controller", "--version");
        assertThat(outcome.output()).contains("UseCompactObjectHeaders");
        assertThat(outcome.exit()).isNotZero();
    }

    @Test
    void without_a_usable_cache_it_starts_nevertheless() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "-XX:-UseCompactObjectHeaders", "controller", "--version");
        assertThat(outcome.output()).contains("nodeward ");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void an_unknown_command_is_named_with_those_there_are() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "", "benhc");
        assertThat(outcome.output()).contains("unknown command 'benhc'", "controller, demo, bench");
        assertThat(outcome.exit()).isNotZero();
    }

    private static Outcome launch(Path directory, String javaOptions, String... arguments)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "launcher", ".log");
        List<String> command = new java.util.ArrayList<>(List.of(ROOT.resolve("nodeward").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().put("NODEWARD_NO_BUILD", "yes");
        if (!javaOptions.isEmpty()) {
            builder.environment().put("NODEWARD_JAVA_OPTS", javaOptions);
        }
        Process process = builder.start();
        assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("it ends").isTrue();
        return new Outcome(process.exitValue(), Files.readString(output));
    }

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("nodeward"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
