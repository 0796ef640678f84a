package io.nodeward.e2e.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./nodeward} of this checkout, on the jars that this build has made. */
class LauncherTest {
    private static final Path ROOT = Shell.root();

    @TempDir
    Path directory;

    record Outcome(int exit, String output) {}

    @Test
    void what_the_user_wants_of_the_jvm_comes_last() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "-Xmx64m -XX:+PrintFlagsFinal", "controller", "--version");
        assertThat(outcome.output()).containsPattern("MaxHeapSize += 67108864 ");
    }

    @Test
    void who_reads_files_has_no_use_for_the_second_compiler() throws IOException, InterruptedException {
        String flags = "-XX:+PrintFlagsFinal";
        for (String files : List.of("-f", "--filename=none", "-fnone", "--help")) {
            assertThat(launch(directory, flags, "plan", files).output()).as(files)
                    .containsPattern("TieredStopAtLevel += 1 ");
        }
        assertThat(launch(directory, flags, "plan", "--cluster", "c").output())
                .containsPattern("TieredStopAtLevel += 4 ");
        assertThat(launch(directory, flags, "eval", "--help").output()).containsPattern("TieredStopAtLevel += 4 ");
    }

    @Test
    void a_checkout_may_have_spaces_in_its_path() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(directory.resolve("a b"), ROOT);
        Outcome outcome = launch(link, directory, "", "controller", "--version");
        assertThat(outcome.output()).contains("nodeward ");
        assertThat(outcome.exit()).isZero();
    }

    @Test
    void an_unknown_command_is_named_with_those_there_are() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "", "benhc");
        assertThat(outcome.output()).contains("error: unknown command 'benhc'",
                "controller, demo, train, image, kind, dist, release, plan, explain, tree, device, validate, taint, pause, resume, eval, completion, bench");
        assertThat(outcome.exit()).as("wrong usage").isEqualTo(1);
    }

    @Tag("deep")
    @Test
    void it_and_each_command_say_of_which_version_they_are() throws Exception {
        String own = launch(directory, "", "--version").output();
        assertThat(own).matches("nodeward \\d+\\.\\d+\\.\\d+\\S*( \\([0-9a-f]{7,}\\))?\n");
        for (String command : List.of("controller", "demo", "train", "image", "kind", "dist", "release", "plan",
                "explain", "tree", "validate", "taint", "pause", "resume", "eval", "completion", "bench")) {
            Outcome outcome = launch(directory, "", command, "--version");
            assertThat(outcome.output()).as(command).isEqualTo(own);
            assertThat(outcome.exit()).as(command).isZero();
        }
    }

    @Test
    void help_of_a_command_is_what_its_option_prints() throws IOException, InterruptedException {
        Outcome outcome = launch(directory, "", "help", "plan");
        assertThat(outcome.output()).contains("Usage: nodeward plan");
        assertThat(outcome.exit()).isZero();
        for (List<String> words : List.of(List.of("help", "help"), List.of("help", "--help"),
                List.of("--help", "-h"))) {
            assertThat(launch(directory, "", words.toArray(String[]::new)).output()).as("%s", words)
                    .startsWith("Starts Nodeward");
        }
    }

    @Test
    void a_link_to_it_starts_it_as_kubectl_does() throws IOException, InterruptedException {
        Path link = Files.createSymbolicLink(directory.resolve("once"), ROOT.resolve("nodeward"));
        Path plugin = Files.createSymbolicLink(directory.resolve("nodeward"), link.getFileName());
        Outcome outcome = launch(plugin.getParent(), directory, "", "plan", "--help");
        assertThat(outcome.output()).contains("Usage: nodeward plan");
        assertThat(outcome.exit()).isZero();
    }

    static Outcome launch(Path directory, String javaOptions, String... arguments)
            throws IOException, InterruptedException {
        return launch(ROOT, directory, javaOptions, arguments);
    }

    static Outcome launch(Path checkout, Path directory, String javaOptions, String... arguments)
            throws IOException, InterruptedException {
        return launch(checkout, directory, javaOptions, Map.of("NODEWARD_NO_BUILD", "yes"), arguments);
    }

    static Outcome launch(
            Path checkout, Path directory, String javaOptions, Map<String, String> environment, String... arguments)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "launcher", ".log");
        List<String> command = new ArrayList<>(List.of(checkout.resolve("nodeward").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().remove("NODEWARD_NO_BUILD");
        builder.environment().putAll(environment);
        builder.environment().put("NODEWARD_JAVA_OPTS", javaOptions);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(10, TimeUnit.MINUTES)).as("it ends").isTrue();
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }
}
