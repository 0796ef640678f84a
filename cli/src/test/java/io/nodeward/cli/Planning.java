package io.nodeward.cli;

import io.nodeward.cli.Cluster.Result;
import io.nodeward.cli.terminal.Terminal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A plan as it is typed, of a fleet and an edit that stand in files. */
record Planning(Path directory) {
    Result plan(String fleet, String edit, String... more) throws IOException {
        return plan(Terminal.NONE, fleet, edit, more);
    }

    Result plan(Terminal terminal, String fleet, String edit, String... more) throws IOException {
        Path file = Files.writeString(directory.resolve("edit.yaml"), edit);
        List<String> arguments = new ArrayList<>(List.of("plan", "-f", "-"));
        if (!edit.isEmpty()) {
            arguments.addAll(List.of("--edit", file.toString()));
        }
        arguments.addAll(List.of(more));
        return Typed.run(terminal, fleet, arguments.toArray(String[]::new));
    }
}
