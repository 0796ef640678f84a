package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
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
                "{\"name\":null,\"error\":\"not a JSON object: Unrecognized token 'no': was expecting (JSON String,"
                        + " Number, Array, Object or token 'null', 'true' or 'false')\"}",
                "{\"id\":\"3\",\"result\":{\"tolerates\":false}}");
        assertThat(exit).isZero();
    }

    @Test
    void an_unknown_rule_is_answered_with_those_there_are() {
        int exit = eval("tolerates", "");

        assertThat(err.toString()).startsWith("nodeward: there is no rule 'tolerates'; there are: propagate, validate,"
                + " capacity, tolerate, taint-command");
        assertThat(exit).isEqualTo(2);
    }

    @Test
    void a_command_that_is_missing_or_unknown_is_wrong_usage() {
        assertThat(run("")).isEqualTo(2);
        assertThat(run("", "evla")).isEqualTo(2);
        assertThat(err.toString()).contains("'nodeward --help' says more");
    }

    private int eval(String rule, String input) {
        return run(input, "eval", rule);
    }

    private int run(String input, String... arguments) {
        ByteArrayInputStream in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        CommandLine command = Main.commandLine(in, out);
        command.setErr(new PrintWriter(err, true));
        return command.execute(arguments);
    }
}
