package io.nodeward.core.rules.validation;

import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.Given.Value;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/** What of a list of taints is new: an item is kept if the list had an equal one, once for each time it is there. */
final class TaintListChange {
    private final String path;
    private final List<Given<DeclaredTaint>> items;
    private final BitSet kept = new BitSet();
    private final boolean same;

    private TaintListChange(Review.Taints list) {
        this.path = list.path();
        this.items = items(list.now());
        List<Given<DeclaredTaint>> left = new ArrayList<>(items(list.before()));
        for (int i = 0; i < items.size(); i++) {
            kept.set(i, left.remove(items.get(i)));
        }
        this.same = list.before().equals(list.now()) || !items.isEmpty() && kept.cardinality() == items.size();
    }

    static TaintListChange of(Review.Taints list) {
        return new TaintListChange(list);
    }

    static List<Given<DeclaredTaint>> items(Given<List<Given<DeclaredTaint>>> list) {
        return list instanceof Value<List<Given<DeclaredTaint>>>(List<Given<DeclaredTaint>> items) ? items : List.of();
    }

    boolean isKept(int item) {
        return kept.get(item);
    }

    /** Whether a fault of the list as it is now is none of what was stored before. */
    boolean isNew(Violation fault) {
        for (int i = 0; i < items.size(); i++) {
            if (fault.field().startsWith(path + "[" + i + "]")) {
                return fault.reason() == Reason.DUPLICATE ? !areAllKept(items.get(i)) : !kept.get(i);
            }
        }
        return !same;
    }

    /** The later of two that are alike is named as the duplicate, whichever of them is new. */
    private boolean areAllKept(Given<DeclaredTaint> alike) {
        Optional<TaintId> id = id(alike);
        for (int i = 0; i < items.size(); i++) {
            if (id(items.get(i)).equals(id) && !kept.get(i)) {
                return false;
            }
        }
        return true;
    }

    private static Optional<TaintId> id(Given<DeclaredTaint> item) {
        return item instanceof Value<DeclaredTaint>(DeclaredTaint taint)
                && taint.key() instanceof Value<String>(String key)
                && taint.effect() instanceof Value<String>(String effect)
                        ? Optional.of(new TaintId(key, effect))
                        : Optional.empty();
    }
}
