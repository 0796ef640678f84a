package io.nodeward.cli.completion;

import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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
                + quoted(" -d ", Offer.described(command.getCommandSpec().usageMessage().description()))));
        commands.values().forEach(command -> fish.options(command.getCommandSpec()));
        return fish.script.toString();
    }

    private void options(CommandSpec command) {
        String within = "-n " + quoted("__fish_seen_subcommand_from " + command.name());
        for (OptionSpec option : Offer.options(command)) {
            line(within + names(option) + takes(option) + quoted(" -d ", Offer.described(option.description())));
        }
        String words = Offer.words(command);
        if (!words.isEmpty()) {
            line(within + " -a " + quoted(words));
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
        if (!Offer.takesValue(option)) {
            return "";
        }
        String words = Offer.words(option);
        if (!words.isEmpty()) {
            return " -x -a " + quoted(words);
        }
        return Offer.takesFile(option) ? " -r -F" : " -x";
    }

    private static String quoted(String before, String text) {
        return text.isEmpty() ? "" : before + quoted(text);
    }

    private static String quoted(String text) {
        return '\'' + text.replace("\\", "\\\\").replace("'", "\\'") + '\'';
    }
}
