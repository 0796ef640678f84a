package io.nodeward.cli.text;

import io.nodeward.cli.terminal.Harmless;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Names of objects for programs, each in a line of its own: one from a file may have ends of lines in it. */
public final class Names {
    private Names() {}

    public static String of(Stream<String> names) {
        return names.map(name -> Harmless.line(name) + "\n").collect(Collectors.joining());
    }
}
