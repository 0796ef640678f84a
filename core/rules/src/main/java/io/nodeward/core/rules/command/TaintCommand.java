package io.nodeward.core.rules.command;

import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;

/**
 * A command to taint Nodes, read and checked as kubectl does it.
 *
 * @param added in the order in which they were given
 * @param overwrite whether a taint with the same key and effect may be there already
 * @param output the format of what is printed: see {@link TaintOutput}
 */
public record TaintCommand(
        NodeSelection selection,
        List<Taint> added,
        List<Removal> removed,
        boolean overwrite,
        DryRun dryRun,
        TaintOutput output) {
    private static final BiPredicate<Taint, Taint> SAME_VALUE = (one, other) -> one.value().equals(other.value());
    private static final Set<String> VALIDATIONS = Set.of("strict", "warn", "ignore");

    public TaintCommand {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
    }

    /**
     * Checks in kubectl's order, so that of several faults it reports the same one.
     *
     * @throws TaintRefusal if kubectl would do nothing either
     */
    public static TaintCommand of(TaintArguments arguments, ResourceTypes types) {
        DryRun dryRun = DryRun.of(arguments.text("dry-run"));
        requireValidation(arguments.text("validate"));
        TaintWords words = TaintWords.parse(arguments.words());
        requireNode(words.resources().get(0).toLowerCase(Locale.ROOT), types);
        requireDifferent(words);
        boolean all = arguments.isTrue("all");
        String selector = arguments.text("selector");
        List<String> names = words.resources().subList(1, words.resources().size());
        requireTarget(all, selector, names);
        return new TaintCommand(NodeSelection.of(all, selector, names, types), words.added(), words.removed(),
                arguments.isTrue("overwrite"), dryRun,
                new TaintOutput(arguments.text("output"), arguments.text("template")));
    }

    /** What it makes of the taints of one Node; see {@link TaintEdit#of}. */
    public TaintEdit edit(String node, List<Taint> before) {
        return TaintEdit.of(this, "node " + node, before);
    }

    /** As {@link #edit(String, List)}, with more taken than kubectl takes; see {@link Lenience}. */
    public TaintEdit edit(String node, List<Taint> before, Lenience lenience) {
        return lenience.isNone() ? edit(node, before)
                : LenientEdit.of(this, lenience, SAME_VALUE, "node " + node, before);
    }

    /**
     * What it makes of taints that are declared on something.
     *
     * @param subject what refusals call it
     * @param same whether two of the same key and effect say the same
     */
    public TaintEdit editDeclared(
            String subject, List<Taint> before, Lenience lenience, BiPredicate<Taint, Taint> same) {
        return lenience.isNone() ? TaintEdit.of(this, subject, before)
                : LenientEdit.of(this, lenience, same, subject, before);
    }

    /** The command with each given taint as {@code declared} makes it, for those that have more to say than a Node's. */
    public TaintCommand declaring(UnaryOperator<Taint> declared) {
        return new TaintCommand(selection, added.stream().map(declared).toList(), removed, overwrite, dryRun, output);
    }

    private static void requireValidation(String text) {
        if (!VALIDATIONS.contains(text) && Flags.truth(text).isEmpty()) {
            throw TaintRefusal.of(Reason.UNKNOWN_VALIDATION, "invalid - validate option " + Quoted.of(text)
                    + "; must be one of: strict (or true), warn, ignore (or false)");
        }
    }

    /** What comes after a dot is not looked at. */
    private static void requireNode(String type, ResourceTypes types) {
        String name = type.split("\\.", 2)[0];
        String kind = types.kind(name).orElseThrow(() -> TaintRefusal.ofLine(
                Reason.UNKNOWN_TYPE, "the server doesn't have a resource type " + Quoted.of(name)));
        if (!kind.equals("Node")) {
            throw TaintRefusal.of(Reason.NOT_A_NODE,
                    "invalid resource type " + type + ", only node types are supported");
        }
    }

    private static void requireDifferent(TaintWords words) {
        List<String> both = new ArrayList<>();
        for (Taint added : words.added()) {
            for (Removal removed : words.removed()) {
                if (removed.matches(added)) {
                    both.add(removed.key() + "=" + removed.effect());
                }
            }
        }
        if (!both.isEmpty()) {
            throw TaintRefusal.of(Reason.ADDED_AND_REMOVED,
                    "can not both modify and remove the following taint(s) in the same command: "
                            + String.join(", ", both));
        }
    }

    private static void requireTarget(boolean all, String selector, List<String> names) {
        if (all && !selector.isEmpty()) {
            throw TaintRefusal.of(Reason.ALL_WITH_SELECTOR,
                    "setting 'all' parameter with a non empty selector is prohibited");
        }
        if (!all && selector.isEmpty() && names.isEmpty()) {
            throw TaintRefusal.of(Reason.NO_NAME,
                    "at least one resource name must be specified since 'all' parameter is not set");
        }
    }
}
