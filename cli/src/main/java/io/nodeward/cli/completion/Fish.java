package io.nodeward.cli.completion;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** Completion for fish, for which picocli has none: https://fishshell.com/docs/current/completions.html. */
public final class Fish {
    private final StringBuilder script = new StringBuilder();
    private final String name;

    private Fish(String name) {
        this.name = name;
    }

    /** @param root whose name is what is typed */
    public static String script(CommandLine root) {
        Fish fish = new Fish(root.getCommandName());
        fish.line("-f"); // no files, but where an option takes one
        Map<String, CommandLine> commands = new TreeMap<>(root.getSubcommands());
        commands.forEach((name, command) -> fish.line("-n __fish_use_subcommand -a " + name
                + described(command.getCommandSpec())));
        commands.values().forEach(command -> fish.options(command.getCommandSpec()));
        return fish.script.toString();
    }

    private void options(CommandSpec command) {
        String within = "-n " + quoted("__fish_seen_subcommand_from " + command.name());
        for (OptionSpec option : command.options()) {
            line(within + names(option) + takes(option) + quoted(" -d ", first(option.description())));
        }
        for (PositionalParamSpec positional : command.positionalParameters()) {
            String candidates = candidates(positional.completionCandidates());
            if (!candidates.isEmpty()) {
                line(within + " -a " + quoted(candidates));
            }
        }
    }

    private void line(String rest) {
        script.append("complete -c ").append(name).append(' ').append(rest).append('\n');
    }

    private static String names(OptionSpec option) {
        StringBuilder names = new StringBuilder();
        for (String name : option.names()) {
            names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
        }
        return names.toString();
    }

    private static String takes(OptionSpec option) {
        if (option.arity().max() == 0) {
            return "";
        }
        String candidates = candidates(option.completionCandidates());
        if (!candidates.isEmpty()) {
            return " -x -a " + quoted(candidates);
        }
        return option.paramLabel().contains("FILE") ? " -r -F" : " -x";
    }

    private static String candidates(@Nullable Iterable<String> of) {
        return of == null ? "" : StreamSupport.stream(of.spliterator(), false).collect(Collectors.joining(" "));
    }

    private static String described(CommandSpec command) {
        return quoted(" -d ", first(command.usageMessage().description()));
    }

    /** The first sentence says it; the list of candidates shows one line of it. */
    private static String first(String[] description) {
        String text = description.length == 0 ? "" : description[0].replaceAll("\\$\\{[^}]*}", "").strip();
        int end = text.indexOf(". ");
        return end < 0 ? text : text.substring(0, end);
    }

    private static String quoted(String before, String text) {
        return text.isEmpty() ? "" : before + quoted(text);
    }

    private static String quoted(String text) {
        return '\'' + text.replace("\\", "\\\\").replace("'", "\\'") + '\'';
    }
}
