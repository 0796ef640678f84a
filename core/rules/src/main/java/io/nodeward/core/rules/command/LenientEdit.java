package io.nodeward.core.rules.command;

import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.command.TaintEdit.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;

/** A command's edit with {@link Lenience}: what is missing comes first, as with kubectl, and all else keeps its place. */
record LenientEdit(TaintCommand command, Lenience lenience, BiPredicate<Taint, Taint> same) {
    /**
     * What a command makes of them.
     *
     * @param same whether two of the same key and effect say the same
     * @throws TaintRefusal for what is not lenient, as {@link TaintEdit#of}
     */
    static TaintEdit of(TaintCommand command, Lenience lenience, BiPredicate<Taint, Taint> same, String subject,
            List<Taint> before) {
        if (!command.overwrite() && !lenience.ensure() && !lenience.replaceKey()) {
            TaintEdit.requireNew(command.added(), subject, before);
        }
        if (!lenience.ensure() && !lenience.absent()) {
            TaintEdit.requireNone(command.removed().stream()
                    .filter(removal -> before.stream().noneMatch(removal::matches))
                    .toList());
        }
        return new LenientEdit(command, lenience, same).of(before);
    }

    private TaintEdit of(List<Taint> before) {
        List<Taint> fresh = command.added().stream()
                .filter(taint -> before.stream().noneMatch(old -> old.id().equals(taint.id())))
                .toList();
        List<Taint> kept = before.stream().filter(this::stays).map(this::asGiven).toList();
        List<Taint> after = new ArrayList<>(fresh);
        after.addAll(kept);
        boolean removed = kept.size() < before.size();
        boolean changed = !before.containsAll(kept);
        return new TaintEdit(operation(!fresh.isEmpty(), removed, changed), after);
    }

    private static Operation operation(boolean added, boolean removed, boolean changed) {
        if (changed || added && removed) {
            return Operation.MODIFIED;
        }
        return added ? Operation.TAINTED : removed ? Operation.UNTAINTED : Operation.UNCHANGED;
    }

    private boolean stays(Taint taint) {
        if (given(taint).isPresent()) {
            return true;
        }
        boolean replaced = lenience.replaceKey()
                && command.added().stream().anyMatch(added -> added.key().equals(taint.key()));
        return !replaced && command.removed().stream().noneMatch(removal -> removal.matches(taint));
    }

    /** One with the same value stays as it is: since when it is there counts for nothing, but is worth knowing. */
    private Taint asGiven(Taint old) {
        return given(old).filter(given -> !same.test(given, old)).orElse(old);
    }

    private Optional<Taint> given(Taint taint) {
        return command.added().stream().filter(added -> added.id().equals(taint.id())).findFirst();
    }
}
