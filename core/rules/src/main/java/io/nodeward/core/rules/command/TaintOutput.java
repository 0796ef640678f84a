package io.nodeward.core.rules.command;

import io.nodeward.core.rules.command.TaintEdit.Operation;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.Quoted;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * What is printed of each Node that was changed.
 *
 * @param format empty for a line of words
 * @param template empty if there is none
 */
public record TaintOutput(String format, String template) {
    private static final Set<String> TEMPLATES = Set.of(
            "go-template", "go-template-file", "jsonpath", "jsonpath-as-json", "jsonpath-file", "template",
            "templatefile");
    private static final Set<String> OBJECTS = Set.of("json", "kyaml", "yaml");

    /** The line about a Node; empty if the object itself is to be printed. */
    public Optional<String> line(String node, Operation operation) {
        if (format.equalsIgnoreCase("name")) {
            return Optional.of("node/" + node);
        }
        return printsObjects() ? Optional.empty() : Optional.of("node/" + node + " " + operation.text());
    }

    /** Whether objects are printed, in whatever format. */
    public boolean printsObjects() {
        return !format.isEmpty() && !format.equalsIgnoreCase("name") || format.isEmpty() && !template.isEmpty();
    }

    /** Whether there is such a format. */
    public boolean isKnown() {
        String name = format.toLowerCase(Locale.ROOT);
        return name.isEmpty() || name.equals("name") || OBJECTS.contains(name)
                || TEMPLATES.stream().anyMatch(known -> name.equals(known) || name.startsWith(known + "="));
    }

    /**
     * Kubectl finds out for each Node, before it changes anything.
     *
     * @throws TaintRefusal if there is no such format
     */
    public void requireKnown() {
        if (!isKnown()) {
            TreeSet<String> known = new TreeSet<>(TEMPLATES);
            known.addAll(OBJECTS);
            known.add("name");
            throw TaintRefusal.of(Reason.UNKNOWN_OUTPUT, "unable to match a printer suitable for the output format "
                    + Quoted.of(format) + ", allowed formats are: " + String.join(",", known));
        }
    }
}
