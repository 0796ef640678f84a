package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.cli.Launched.Ended;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ./nodeward taint} as a process, on a terminal and on none: its colours and its progress. */
@Tag("deep")
class OnTerminalTest {
    private static final String ESCAPE = "\u001b[";
    private static final String LINE = "./nodeward taint nodes -l terminal=yes a=1:NoSchedule --dry-run=server";

    private static Fleet fleet;
    private static String kubeconfig;

    @BeforeAll
    static void start() {
        ControlPlane controlPlane = ControlPlane.shared();
        kubeconfig = controlPlane.file(controlPlane.adminKubeconfig()).toString();
        fleet = Fleet.in(controlPlane.admin(), "terminal");
        for (int i = 0; i < 10; i++) {
            fleet.node(NodeSpec.named("terminal-" + i).withLabels(Map.of("terminal", "yes")));
        }
    }

    @AfterAll
    static void end() {
        fleet.close();
    }

    private static Map<String, String> environment(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("KUBECONFIG", kubeconfig);
        return environment;
    }

    private static String onTerminal(Map<String, String> environment) {
        return shown(Launched.onTerminal(80, environment(environment), LINE));
    }

    private static String shown(Ended ended) {
        assertThat(ended.exit()).as(ended.shown()).isZero();
        return ended.shown();
    }

    @Test
    void on_a_terminal_there_are_colours_and_a_progress_that_goes_away() {
        String shown = onTerminal(Map.of());

        assertThat(shown).contains(ESCAPE + "32m  + a=1:NoSchedule" + ESCAPE + "0m", "/10 Nodes; terminal-")
                .endsWith("10 of 10 Nodes change, nothing is written\r\n");
        assertThat(shown.substring(shown.lastIndexOf("/10 Nodes; "))).contains("\r" + ESCAPE + "K");
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 25, 40, 60, 80, 200})
    void progress_stays_in_its_line(int columns) {
        String shown =
                shown(Launched.onTerminal(columns, environment(Map.of()), "env COLUMNS=" + columns + " " + LINE));

        String[] redrawn = shown.split("\r" + "\u001b\\[K", -1);
        assertThat(redrawn).hasSizeGreaterThan(10);
        // What follows a drawn line in its place begins with the line that is drawn next, or with nothing.
        assertThat(redrawn).filteredOn(part -> part.startsWith("[")).isNotEmpty()
                .allSatisfy(part -> assertThat(part).doesNotContain("\n").hasSizeLessThan(Math.min(columns, 80)));
    }

    @Test
    void with_no_color_there_is_progress_alone() {
        assertThat(onTerminal(Map.of("NO_COLOR", "1"))).contains("/10 Nodes; terminal-")
                .doesNotContain(ESCAPE + "32m");
    }

    @Test
    void a_dumb_terminal_gets_words_alone() {
        assertThat(onTerminal(Map.of("TERM", "dumb"))).contains("  + a=1:NoSchedule").doesNotContain("\u001b",
                "/10 Nodes;");
    }

    @Test
    void a_pipe_gets_words_alone() {
        String piped = shown(Launched.intoFile(environment(Map.of()), LINE + " 2>&1 | cat"));

        assertThat(piped).contains("node/terminal-9 tainted\n  + a=1:NoSchedule\n").doesNotContain("\u001b", "\r",
                "/10 Nodes;");
    }

    @Test
    void help_loads_nothing_of_a_client() {
        String loaded = shown(Launched.intoFile(
                environment(Map.of("NODEWARD_JAVA_OPTS", "-XX:AOTMode=off -Xlog:class+load")),
                "./nodeward taint --help"));

        assertThat(loaded).contains("io.nodeward.cli.TaintCommand", "--replace-key")
                .doesNotContain("okhttp3.", "io.kubernetes.", "OfficialBackend");
    }
}
