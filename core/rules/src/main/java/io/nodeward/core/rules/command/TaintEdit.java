package io.nodeward.core.rules.command;

import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.command.TaintRefusal.Reason;
import io.nodeward.core.rules.validation.Quoted;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a command makes of the taints of one Node.
 *
 * @param taints the whole new list: what was given first, in its order, then what was there and is not touched, which
 *     keeps its elements
 */
public record TaintEdit(Operation operation, List<Taint> taints) {
    public TaintEdit {
        taints = List.copyOf(taints);
    }

    /** What happened, in a word. */
    public enum Operation {
        TAINTED("tainted"),
        UNTAINTED("untainted"),
        MODIFIED("modified"),
        /** Only of an edit that kubectl would refuse. */
        UNCHANGED("unchanged");

        private final String text;

        Operation(String text) {
            this.text = text;
        }

        public String text() {
            return text;
        }
    }

    /**
     * What a command makes of them.
     *
     * @param subject whose taints they are, for refusals
     * @throws TaintRefusal if a taint is there that must not be, or is not there that should go
     */
    static TaintEdit of(TaintCommand command, String subject, List<Taint> before) {
        if (!command.overwrite()) {
            requireNew(command.added(), subject, before);
        }
        List<Taint> after = new ArrayList<>(command.added());
        Set<TaintId> there = new HashSet<>();
        command.added().forEach(taint -> there.add(taint.id()));
        for (Taint taint : before) {
            if (there.add(taint.id())) {
                after.add(taint);
            }
        }
        boolean added = after.size() != before.size();
        remove(command.removed(), after);
        if (command.overwrite() || added && !command.removed().isEmpty()) {
            return new TaintEdit(Operation.MODIFIED, after);
        }
        return new TaintEdit(added ? Operation.TAINTED : Operation.UNTAINTED, after);
    }

    static void requireNew(List<Taint> added, String subject, List<Taint> before) {
        List<String> keys = new ArrayList<>();
        for (Taint taint : added) {
            before.stream().filter(old -> old.id().equals(taint.id())).forEach(old -> keys.add(old.key()));
        }
        if (!keys.isEmpty()) {
            throw TaintRefusal.of(Reason.ALREADY_THERE, subject + " already has " + String.join(",", keys)
                    + " taint(s) with same effect(s) and --overwrite is false");
        }
    }

    private static void remove(List<Removal> removals, List<Taint> taints) {
        List<Removal> missing = new ArrayList<>();
        for (Removal removal : removals) {
            if (!taints.removeIf(removal::matches)) {
                missing.add(removal);
            }
        }
        requireNone(missing);
    }

    static void requireNone(List<Removal> missing) {
        if (!missing.isEmpty()) {
            throw TaintRefusal.ofAll(Reason.NO_SUCH_TAINT, missing.stream()
                    .map(removal -> "taint " + Quoted.of(removal.toString()) + " not found")
                    .toList());
        }
    }
}
