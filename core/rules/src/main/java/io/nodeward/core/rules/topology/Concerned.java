package io.nodeward.core.rules.topology;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom the message of a condition is about, where the condition is on an object above them: it begins with them.
 *
 * @param names of the first of them, each with its kind
 * @param others whether there are others
 */
public record Concerned(List<String> names, boolean others) {
    private static final Pattern MESSAGE =
            Pattern.compile("(\\S+ \\S+(?:, \\S+ \\S+)*?)( and others)?: .*", Pattern.DOTALL);

    public Concerned {
        names = List.copyOf(names);
    }

    /** Reads a message; one of another form may be about anybody. */
    public static Concerned of(String message) {
        Matcher matcher = MESSAGE.matcher(message);
        return matcher.matches()
                ? new Concerned(List.of(matcher.group(1).split(", ")), matcher.group(2) != null)
                : new Concerned(List.of(), true);
    }

    /** {@code MachineSet a, MachineSet b and others: } and what is wrong with the first. */
    public String message(String what) {
        return String.join(", ", names) + (others ? " and others" : "") + ": " + what;
    }

    /** Whether an object is among them, as far as is known. */
    public boolean mayHave(String kind, String name) {
        return others || names.contains(kind + " " + name);
    }
}
