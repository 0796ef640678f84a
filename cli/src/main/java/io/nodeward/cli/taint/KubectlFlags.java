package io.nodeward.cli.taint;

import io.nodeward.core.rules.command.Flags;
import io.nodeward.core.rules.command.Flags.Flag;
import io.nodeward.core.rules.command.Flags.Given;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Arguments by the rules of kubectl's flag library, written anew so that picocli understands them the same. */
public final class KubectlFlags {
    private KubectlFlags() {}

    /**
     * The same arguments, every flag in one word and before all that are none.
     *
     * @param command whose options are the flags
     * @throws io.nodeward.core.rules.command.TaintRefusal in kubectl's words, if it could not read them either
     */
    public static List<String> canonical(CommandSpec command, List<String> args) {
        List<Flag> known = command.options().stream().map(KubectlFlags::flag).toList();
        Given given = Flags.parse(known, args);
        List<String> canonical = new ArrayList<>();
        for (OptionSpec option : command.options()) {
            List<String> values = given.flags().getOrDefault(name(option), List.of());
            boolean many = Collection.class.isAssignableFrom(option.type());
            for (String value : many || values.isEmpty() ? values : List.of(values.getLast())) {
                if (!isTruth(option)) {
                    canonical.add("--" + name(option) + "=" + value);
                } else if (value.matches("1|[tT]|TRUE|true|True")) {
                    canonical.add("--" + name(option));
                }
            }
        }
        canonical.add("--");
        canonical.addAll(given.others());
        return canonical;
    }

    private static Flag flag(OptionSpec option) {
        String bare = isTruth(option) ? "true" : option.fallbackValue() == null ? "" : option.fallbackValue();
        return new Flag(name(option), letter(option), isTruth(option), "", bare);
    }

    private static boolean isTruth(OptionSpec option) {
        return option.type() == boolean.class;
    }

    private static String name(OptionSpec option) {
        return option.longestName().substring(2);
    }

    private static String letter(OptionSpec option) {
        String shortest = option.shortestName();
        return shortest.startsWith("--") ? "" : shortest.substring(1);
    }
}
