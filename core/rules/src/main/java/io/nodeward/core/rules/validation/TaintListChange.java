package io.nodeward.core.rules.validation;

import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.validation.Given.Value;
import io.nodeward.core.rules.validation.Violation.Reason;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What of a list of taints is new: an item is kept if the list had an equal one, once for each time it is there. Lists that
 * are far too long are the same or all new: to compare their items would cost the product of both.
 */
final class TaintListChange {
    private static final int COMPARED = 4 * MachineTaintRules.MAX_ITEMS;

    private final String item;
    private final List<Given<DeclaredTaint>> now;
    private final BitSet kept = new BitSet();
    private final Set<TaintId> added = new HashSet<>(0);
    private final boolean same;

    private TaintListChange(Review.Taints list) {
        this.item = list.path() + "[";
        this.now = items(list.now());
        List<Given<DeclaredTaint>> before = items(list.before());
        boolean equal = list.before().equals(list.now());
        if (equal) {
            kept.set(0, now.size());
        } else if (now.size() <= COMPARED && before.size() <= COMPARED) {
            compare(new ArrayList<>(before));
        }
        this.same = equal || !now.isEmpty() && kept.cardinality() == now.size();
    }

    static TaintListChange of(Review.Taints list) {
        return new TaintListChange(list);
    }

    static List<Given<DeclaredTaint>> items(Given<List<Given<DeclaredTaint>>> list) {
        return list instanceof Value<List<Given<DeclaredTaint>>>(List<Given<DeclaredTaint>> items) ? items : List.of();
    }

    private void compare(List<Given<DeclaredTaint>> left) {
        for (int i = 0; i < now.size(); i++) {
            if (left.remove(now.get(i))) {
                kept.set(i);
            } else {
                id(now.get(i)).ifPresent(added::add);
            }
        }
    }

    boolean addsItems() {
        return kept.cardinality() < now.size();
    }

    boolean isKept(int item) {
        return kept.get(item);
    }

    /** Whether a fault of the list as it is now is none of what was stored before. */
    boolean isNew(Violation fault) {
        if (!fault.field().startsWith(item)) {
            return !same;
        }
        int index = Integer.parseInt(fault.field(), item.length(), fault.field().indexOf(']', item.length()), 10);
        // The later of two that are alike is named as the duplicate, whichever of them is new.
        return fault.reason() == Reason.DUPLICATE
                ? id(now.get(index)).filter(added::contains).isPresent()
                : !kept.get(index);
    }

    private static Optional<TaintId> id(Given<DeclaredTaint> item) {
        return item instanceof Value<DeclaredTaint>(DeclaredTaint taint)
                && taint.key() instanceof Value<String>(String key)
                && taint.effect() instanceof Value<String>(String effect)
                        ? Optional.of(new TaintId(key, effect))
                        : Optional.empty();
    }
}
