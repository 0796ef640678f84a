package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Colours and progress are for who looks on. */
class TerminalTest {
    private static final String ESCAPE = "\u001b";

    @TempDir
    Path folder;

    private Cluster cluster;

    @BeforeEach
    void start() throws IOException {
        cluster = new Cluster(folder);
        for (int i = 0; i < 12; i++) {
            cluster.node("a-node-with-a-very-long-name-as-clouds-give-them-in-zone-eu-central-1a-" + i, "{}", "[]");
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private static Terminal terminal(String streams, Map<String, String> environment) {
        return Terminal.of(streams, "", environment);
    }

    private Result dryRun(Terminal terminal) {
        return cluster.run(terminal, "taint", "nodes", "--all", "a=1:NoSchedule", "--dry-run=server");
    }

    @Test
    void without_a_terminal_there_is_neither_colour_nor_progress() {
        Result result = dryRun(Terminal.NONE);

        assertThat(result.out()).contains("  + a=1:NoSchedule\n").doesNotContain(ESCAPE, "\r");
        assertThat(result.err()).isEmpty();
    }

    @Test
    void on_a_terminal_there_are_both_and_the_progress_takes_itself_away() {
        Result result = dryRun(terminal("out err", Map.of("TERM", "xterm")));

        assertThat(result.out()).contains(ESCAPE + "[32m  + a=1:NoSchedule" + ESCAPE + "[0m");
        assertThat(result.err())
                .contains("[##----------------------] 1/12 Nodes; a-node").endsWith("\r" + ESCAPE + "[K");
        assertThat(result.err().replace(ESCAPE + "[K", "").split("\r")).allMatch(line -> line.length() < 80);
    }

    @Test
    void progress_is_there_while_the_output_goes_into_a_file() {
        Result result = dryRun(terminal("err", Map.of()));

        assertThat(result.out()).doesNotContain(ESCAPE);
        assertThat(result.err()).contains("12 Nodes;");
    }

    @Test
    void few_nodes_are_done_without_progress() {
        Result result = cluster.run(terminal("out err", Map.of()), "taint", "nodes",
                "a-node-with-a-very-long-name-as-clouds-give-them-in-zone-eu-central-1a-1", "a=1:NoSchedule");

        assertThat(result.err()).isEmpty();
    }

    @Test
    void who_wants_no_colour_gets_none() {
        assertThat(dryRun(terminal("out err", Map.of("NO_COLOR", "1"))).out()).doesNotContain(ESCAPE);
        assertThat(dryRun(terminal("out err", Map.of("NO_COLOR", ""))).out()).contains(ESCAPE);
    }

    @Test
    void a_dumb_terminal_is_left_alone() {
        Result result = dryRun(terminal("out err", Map.of("TERM", "dumb")));

        assertThat(result.out() + result.err()).doesNotContain(ESCAPE, "\r");
    }

    @Test
    void a_line_is_never_wider_than_80_columns_or_the_terminal() {
        assertThat(Terminal.of("", "200", Map.of()).width()).isEqualTo(80);
        assertThat(Terminal.of("", "60", Map.of()).width()).isEqualTo(60);
        assertThat(Terminal.of("", "many", Map.of()).width()).isEqualTo(80);
        assertThat(Terminal.of("", "3", Map.of()).width()).isEqualTo(20);
    }
}
