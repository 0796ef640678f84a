package io.nodeward.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.io.Writer;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HarmlessTest {
    private static final Terminal COLOURED = Terminal.of("out err", "", Map.of("TERM", "xterm"));

    @Test
    void a_line_is_one_whatever_it_holds() {
        assertThat(Harmless.line("a\u001b[2J\r\nb\tc\u007f\u009b\u2028\u202e")).isEqualTo(
                "a\\u001b[2J\\u000d\\u000ab\\u0009c\\u007f\\u009b\\u2028\\u202e");
    }

    @Test
    void other_writings_stay_as_they_are() {
        String text = "Größe, 日本, 👩\u200d🔧, עברית";

        assertThat(Harmless.line(text)).isEqualTo(text);
        assertThat(Harmless.lines(text)).isEqualTo(text);
    }

    @Test
    void of_several_lines_none_passes_for_one_of_the_command() {
        assertThat(Harmless.lines("no:\r\nnode/n1 tainted\u001b[A\n\n")).isEqualTo("no:\n  node/n1 tainted\\u001b[A");
    }

    @ParameterizedTest
    @CsvSource({"out, false", "err, true"})
    void only_our_own_commands_pass(String stream, boolean progress) throws IOException {
        assertThat(written(stream, COLOURED, "\u001b[32mgood\u001b[0m\n")).isEqualTo("\u001b[32mgood\u001b[0m\n");
        assertThat(written(stream, COLOURED, "x\u001b[8mhidden\u001b[2J\u001b]0;title\u0007"))
                .isEqualTo("x\\u001b[8mhidden\\u001b[2J\\u001b]0;title\\u0007");
        assertThat(written(stream, COLOURED, "\r\u001b[K[#-] 1/2")).isEqualTo(
                (progress ? "\r\u001b[K" : "\\u000d\\u001b[K") + "[#-] 1/2");
        assertThat(written(stream, COLOURED, "node\r\u001b[K")).isEqualTo("node\\u000d\\u001b[K");
    }

    @Test
    void where_there_are_no_colours_none_pass() throws IOException {
        assertThat(written("out", Terminal.NONE, "\u001b[32mgood\u001b[0m\r\n")).isEqualTo(
                "\\u001b[32mgood\\u001b[0m\r\n");
    }

    private static String written(String stream, Terminal terminal, String text) throws IOException {
        StringWriter into = new StringWriter();
        try (Writer writer = stream.equals("out") ? HarmlessWriter.out(into, terminal)
                : HarmlessWriter.err(into, terminal)) {
            writer.write(text);
        }
        return into.toString();
    }
}
