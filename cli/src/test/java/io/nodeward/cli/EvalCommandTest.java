package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class EvalCommandTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final StringWriter err = new StringWriter();

    @Test
    void every_case_has_its_answer_in_order_whatever_is_wrong_with_one() {
        int exit = eval("tolerate", """
                {"id":"ä","kind":"match","taint":{"key":"a"},"toleration":{"operator":"Exists"}}
                {"id":"2","kind":"dance"}

                no case
                {"id":"3","kind":"match","taint":{"key":"a"},"toleration":{"key":"b"}}""");

        assertThat(out.toString(StandardCharsets.UTF_8).lines()).containsExactly(
                "{\"id\":\"ä\",\"result\":{\"tolerates\":true}}",
                "{\"id\":\"2\",\"name\":\"2\",\"error\":\"unknown kind: \\\"dance\\\"\"}",
                "{\"name\":null,\"error\":\"not a JSON object: the line is empty\"}",
                "{\"name\":null,\"error\":\"not a JSON object: Unrecognized token 'no': was expecting (JSON String,"
                        + " Number, Array, Object or token 'null', 'true' or 'false')\"}",
                "{\"id\":\"3\",\"result\":{\"tolerates\":false}}");
        assertThat(exit).isZero();
    }

    @Test
    void whatever_a_line_is_made_of_the_next_one_is_answered() throws IOException {
        String good = "{\"id\":\"%s\",\"kind\":\"match\",\"taint\":{},\"toleration\":{\"operator\":\"Exists\"}}\n";
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (byte[] bad : List.of(new byte[]{'{', '"', 'i', 'd', '"', ':', '"', (byte) 0xff, '"', '}'},
                "x".repeat((16 << 20) + 1).getBytes(StandardCharsets.UTF_8), new byte[]{0}, new byte[]{'\r'},
                ("{\"id\":\"deep\",\"kind\":" + "[".repeat(990) + "]".repeat(990) + "}")
                        .getBytes(StandardCharsets.UTF_8),
                "{\"id\":\"twice\",\"kind\":\"match\",\"kind\":\"filter\"}".getBytes(StandardCharsets.UTF_8))) {
            lines.write(bad);
            lines.write('\n');
            lines.write(good.formatted("good").getBytes(StandardCharsets.UTF_8));
        }
        CommandLine command = Typed.commandLine(new ByteArrayInputStream(lines.toByteArray()), out);

        assertThat(command.execute("eval", "tolerate")).isZero();

        List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
        assertThat(answers).hasSize(12);
        assertThat(IntStream.range(0, 6).mapToObj(i -> answers.get(2 * i + 1)))
                .containsOnly("{\"id\":\"good\",\"result\":{\"tolerates\":true}}");
        assertThat(answers.get(0)).isEqualTo("{\"name\":null,\"error\":\"not a JSON object: the line is not UTF-8\"}");
        assertThat(answers.get(2)).isEqualTo(
                "{\"name\":null,\"error\":\"not a JSON object: the line has more than 16777216 bytes\"}");
        assertThat(answers.get(4)).startsWith("{\"name\":null,\"error\":\"not a JSON object: ");
        assertThat(answers.get(6)).isEqualTo("{\"name\":null,\"error\":\"not a JSON object: the line is empty\"}");
        assertThat(answers.get(8)).isEqualTo("{\"id\":\"deep\",\"name\":\"deep\",\"error\":\"kind is not a text\"}");
        assertThat(answers.get(10)).startsWith("{\"id\":\"twice\",\"name\":\"twice\",\"error\":\"not a JSON object: ")
                .contains("uplicate", "kind");
    }

    @Test
    void nothing_in_a_case_commands_the_terminal_that_shows_its_answer() throws IOException {
        eval("tolerate", "{\"id\":\"a\u009b2J\u007f\",\"kind\":\"dance\"}\n");
        assertThat(out.toString(StandardCharsets.UTF_8)).startsWith("{\"id\":\"a\\u009b2J\\u007f\",");
        assertThat(Cluster.JSON.readTree(out.toByteArray()).path("id").asText()).isEqualTo("a\u009b2J\u007f");
    }

    @Test
    void lines_may_end_as_on_windows() {
        eval("tolerate", "{\"id\":\"1\",\"kind\":\"dance\"}\r\n");
        assertThat(out.toString(StandardCharsets.UTF_8))
                .isEqualTo("{\"id\":\"1\",\"name\":\"1\",\"error\":\"unknown kind: \\\"dance\\\"\"}\n");
    }

    @Test
    void answers_that_nobody_takes_are_a_failure() {
        PrintStream closed = new PrintStream(OutputStream.nullOutputStream());
        closed.close();
        InputStream in = new ByteArrayInputStream("{}\n".getBytes(StandardCharsets.UTF_8));
        CommandLine command = Typed.commandLine(in, closed);
        command.setErr(new PrintWriter(err, true));
        assertThat(command.execute("eval", "tolerate")).isEqualTo(1);
        assertThat(err.toString()).contains("cannot be written to standard output");
    }

    @Test
    void devices_are_selected_by_one_rule_and_tolerated_by_another() {
        eval("device", "{\"id\":\"d\",\"kind\":\"rule\",\"deviceSelector\":{},\"device\":{\"driver\":\"a\"}}");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"matches\":true");
        out.reset();
        eval("tolerate", "{\"id\":\"d\",\"kind\":\"device\"}");
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("\"allocatable\":true");
    }

    @Test
    void an_unknown_rule_is_answered_with_those_there_are() {
        int exit = eval("tolerates", "");

        assertThat(err.toString()).startsWith("error: there is no rule 'tolerates'; there are: propagate, validate,"
                + " capacity, tolerate, taint-command, device");
        assertThat(exit).isEqualTo(1);
    }

    @Test
    void a_command_that_is_missing_or_unknown_is_wrong_usage() {
        assertThat(run("")).isEqualTo(1);
        assertThat(run("", "evla")).isEqualTo(1);
        assertThat(err.toString()).contains("'nodeward --help' says more").doesNotContain("did you mean");
        assertThat(run("", "plan", "--edti", "x")).isEqualTo(1);
        assertThat(err.toString()).contains("error: Unknown options: '--edti', 'x'; did you mean --edit?");
    }

    private int eval(String rule, String input) {
        return run(input, "eval", rule);
    }

    private int run(String input, String... arguments) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        CommandLine command = Typed.commandLine(in, out);
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
