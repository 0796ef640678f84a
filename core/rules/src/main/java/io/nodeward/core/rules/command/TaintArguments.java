package io.nodeward.core.rules.command;

import io.nodeward.core.rules.command.Flags.Flag;
import io.nodeward.core.rules.command.Flags.Given;
import java.util.List;
import java.util.Map;

/**
 * What stands after {@code kubectl taint}, flags told from the rest. Flags of kubectl as a whole, such as {@code
 * --context}, are not among them.
 *
 * @param words what is no flag, in its order
 * @param flags the value of every flag, by its name; its default if it was not given
 */
public record TaintArguments(List<String> words, Map<String, String> flags) {
    private static final List<Flag> KNOWN = List.of(
            Flag.truth("all", false),
            Flag.truth("allow-missing-template-keys", true),
            new Flag("dry-run", "", false, "none", "unchanged"),
            Flag.text("field-manager", "", "kubectl-taint"),
            new Flag("help", "h", true, "false", "true"),
            Flag.text("output", "o", ""),
            Flag.truth("overwrite", false),
            Flag.text("selector", "l", ""),
            Flag.truth("show-managed-fields", false),
            Flag.text("template", "", ""),
            new Flag("validate", "", false, "strict", "strict"));

    public TaintArguments {
        words = List.copyOf(words);
        flags = Map.copyOf(flags);
    }

    /** @throws TaintRefusal if a flag cannot be read */
    public static TaintArguments parse(List<String> args) {
        Given given = Flags.parse(KNOWN, args);
        return new TaintArguments(given.others(), given.values(KNOWN));
    }

    /** Whether only help is asked for: nothing else is looked at then. */
    public boolean asksForHelp() {
        return isTrue("help");
    }

    /** The value of a flag that kubectl taint has. */
    public String text(String flag) {
        return flags.getOrDefault(flag, "");
    }

    boolean isTrue(String flag) {
        return Flags.truth(text(flag)).orElse(false);
    }
}
