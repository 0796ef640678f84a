package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code ./nodeward taint} as a process, on a terminal that {@code script} of util-linux makes, and on none. */
class OnTerminalTest {
    private static final Path ROOT = root();
    private static final String ESCAPE = "\u001b[";
    private static final String WORDS = "taint nodes -l terminal=yes a=1:NoSchedule --preview";
    private static final String[] TYPED = WORDS.split(" ");

    @TempDir
    Path directory;

    private static Fleet fleet;
    private static Path kubeconfig;

    @BeforeAll
    static void start() {
        assertThat(ROOT.resolve("cli/target/lib")).as("'mvn verify' makes it").isNotEmptyDirectory();
        ControlPlane controlPlane = ControlPlane.shared();
        kubeconfig = controlPlane.file(controlPlane.adminKubeconfig());
        fleet = Fleet.in(controlPlane.admin(), "terminal");
        for (int i = 0; i < 10; i++) {
            fleet.node(NodeSpec.named("terminal-" + i).withLabels(Map.of("terminal", "yes")));
        }
    }

    @AfterAll
    static void end() {
        fleet.close();
    }

    @Test
    void on_a_terminal_there_are_colours_and_a_progress_that_goes_away() throws Exception {
        String shown = script(Map.of());

        assertThat(shown).contains(ESCAPE + "32m  + a=1:NoSchedule" + ESCAPE + "0m", "/10 Nodes; terminal-",
                "10 of 10 Nodes change, nothing is written");
        assertThat(shown.substring(shown.lastIndexOf("/10 Nodes; "))).contains("\r" + ESCAPE + "K");
    }

    @Test
    void with_no_color_there_is_progress_alone() throws Exception {
        assertThat(script(Map.of("NO_COLOR", "1"))).contains("/10 Nodes; terminal-").doesNotContain(ESCAPE + "32m");
    }

    @Test
    void a_pipe_gets_words_alone() throws Exception {
        String piped = run(List.of(launcher()), TYPED, Map.of());

        assertThat(piped).contains("node/terminal-9\n  + a=1:NoSchedule\n").doesNotContain("\u001b", "\r",
                "/10 Nodes;");
    }

    @Test
    void help_loads_nothing_of_a_client() throws Exception {
        String loaded = run(List.of(launcher()), new String[]{"taint", "--help"},
                Map.of("NODEWARD_JAVA_OPTS", "-XX:AOTMode=off -Xlog:class+load"));

        assertThat(loaded).contains("io.nodeward.cli.TaintCommand", "--replace-key")
                .doesNotContain("okhttp3.", "io.kubernetes.", "OfficialBackend");
    }

    private String script(Map<String, String> environment) throws IOException, InterruptedException {
        assertThat(Path.of("/usr/bin/script")).as("util-linux has it (apt-get install bsdutils)").isExecutable();
        return run(List.of("script", "-qec", "'" + launcher() + "' " + WORDS, "/dev/null"), new String[0], environment);
    }

    private String run(List<String> program, String[] args, Map<String, String> environment)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile(directory, "terminal", ".log");
        List<String> words = new java.util.ArrayList<>(program);
        words.addAll(List.of(args));
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true).redirectOutput(output.toFile());
        List.of("JAVA_TOOL_OPTIONS", "NO_COLOR", "COLUMNS").forEach(builder.environment()::remove);
        builder.environment().putAll(Map.of("NODEWARD_NO_BUILD", "yes", "KUBECONFIG", kubeconfig.toString(),
                "TERM", "xterm"));
        builder.environment().putAll(environment);
        Process process = builder.start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("it ends").isTrue();
            String said = Files.readString(output, StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(said).isZero();
            return said;
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    private static String launcher() {
        return ROOT.resolve("nodeward").toString();
    }

    private static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("nodeward"))) {
            directory = directory.getParent();
        }
        return directory;
    }
}
