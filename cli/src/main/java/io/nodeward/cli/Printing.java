package io.nodeward.cli;

import io.nodeward.cli.terminal.Harmless;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;

/** Prints what a command found out, and beside it what it could not. */
record Printing(CommandSpec spec) {
    /** @param inText whether the warnings are in the text already */
    void print(List<String> warnings, String text, boolean inText) throws IOException {
        PrintWriter out = spec.commandLine().getOut();
        if (!inText) {
            warnings.forEach(warning -> spec.commandLine().getErr().println("warning: " + Harmless.lines(warning)));
        }
        out.print(text);
        if (out.checkError()) {
            throw new IOException("it cannot be written to standard output");
        }
    }
}
