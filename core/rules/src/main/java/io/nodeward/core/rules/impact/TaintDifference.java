package io.nodeward.core.rules.impact;

import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Optional;

/**
 * What becomes of a Node's taints.
 *
 * @param added what was not there, by key and effect, in the order of the new list
 * @param removed what is not there any more, in the order of the old list
 * @param changed with another value than before
 */
public record TaintDifference(List<Taint> added, List<Taint> removed, List<Changed> changed) {
    public TaintDifference {
        added = List.copyOf(added);
        removed = List.copyOf(removed);
        changed = List.copyOf(changed);
    }

    /** One taint with two values. */
    public record Changed(Taint before, Taint after) {}

    public static TaintDifference of(List<Taint> before, List<Taint> after) {
        List<Changed> changed = after.stream()
                .flatMap(taint -> same(before, taint).map(old -> new Changed(old, taint)).stream())
                .filter(pair -> !pair.before.value().equals(pair.after.value()))
                .toList();
        return new TaintDifference(without(after, before), without(before, after), changed);
    }

    public boolean isEmpty() {
        return added.isEmpty() && removed.isEmpty() && changed.isEmpty();
    }

    private static List<Taint> without(List<Taint> taints, List<Taint> others) {
        return taints.stream().filter(taint -> same(others, taint).isEmpty()).toList();
    }

    private static Optional<Taint> same(List<Taint> taints, Taint wanted) {
        return taints.stream().filter(taint -> taint.id().equals(wanted.id())).findFirst();
    }
}
