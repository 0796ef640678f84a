package io.nodeward.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.device.DeviceTainting;
import io.nodeward.cli.terminal.Harmless;
import io.nodeward.cli.terminal.Terminal;
import io.nodeward.cli.text.Structured;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/** Prints rules that were written as kubectl does, and asks on a terminal. */
record RulePrinter(Output output, InputStream in, Terminal terminal) implements DeviceTainting.Printer {
    @Override
    public void print(String resource, String line, Optional<ObjectNode> object) {
        PrintWriter out = Objects.requireNonNull(output.spec).commandLine().getOut();
        out.print(switch (output.format) {
            case name -> resource + "\n";
            case json -> object.map(tree -> Structured.json(plain(tree))).orElse(line + "\n");
            case yaml -> object.map(tree -> Structured.yaml(plain(tree))).orElse(line + "\n");
            case text, wide -> Harmless.line(line) + "\n";
        });
        out.flush();
    }

    private static ObjectNode plain(ObjectNode rule) {
        ObjectNode plain = rule.deepCopy();
        plain.withObject("/metadata").remove("managedFields");
        return plain;
    }

    @Override
    public Optional<Boolean> confirmed(String question) throws IOException {
        if (!terminal.err()) {
            return Optional.empty();
        }
        PrintWriter err = Objects.requireNonNull(output.spec).commandLine().getErr();
        err.print(Harmless.line(question));
        err.flush();
        String answer = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)).readLine();
        return Optional.of(answer != null && answer.strip().toLowerCase(Locale.ROOT).matches("y|yes"));
    }
}
