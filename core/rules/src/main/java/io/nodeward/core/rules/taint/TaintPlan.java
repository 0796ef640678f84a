package io.nodeward.core.rules.taint;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.DeclaredTaints.Entry;
import io.nodeward.core.rules.taint.DeclaredTaints.Use;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a Node's taints. A taint that is not ours, or is ours and right, keeps its element and its place; a
 * wrong value is replaced in place; what is missing comes last, in the owner's order.
 *
 * @param taints the whole new list, empty if the list stays as it is
 * @param tracking the new text of the tracking annotation, empty if it stays as it is
 */
public record TaintPlan(Optional<List<Taint>> taints, Optional<String> tracking, List<Warning> warnings) {
    private static final String UNINITIALIZED_EFFECT = "NoSchedule";

    /**
     * With propagation: ownership is read from the tracking annotation {@code annotation}, absent means not
     * initialized.
     */
    public static TaintPlan propagate(
            DeclaredTaints declared, Node node, String annotation, boolean dropUninitialized) {
        List<Warning> warnings = declared.warnings();
        String text = node.metadata().annotations().get(annotation);
        Set<TaintId> owned = Set.of();
        // The usual Node: what we own is what is declared, so nothing is to be read from the text.
        if (text != null && !text.equals(declared.tracking())) {
            warnings = new ArrayList<>(warnings);
            owned = TaintTracking.parse(node.metadata().key().name(), annotation, text, warnings);
        }
        String tracking = tracking(declared, owned);
        return new TaintPlan(
                new Change(declared, owned, text != null, dropUninitialized).of(node.taints()),
                tracking.equals(text) ? Optional.empty() : Optional.of(tracking),
                warnings);
    }

    /** Without propagation: only the initialization taint goes. */
    public static TaintPlan dropUninitialized(Node node) {
        Change change = new Change(DeclaredTaints.NONE, Set.of(), true, true);
        return new TaintPlan(change.of(node.taints()), Optional.empty(), List.of());
    }

    private static String tracking(DeclaredTaints declared, Set<TaintId> owned) {
        if (!declared.holds()) {
            return declared.tracking();
        }
        TreeSet<String> ids = new TreeSet<>();
        for (Entry entry : declared.entries()) {
            if (entry.use() == Use.ALWAYS || entry.use() == Use.HELD && owned.contains(entry.id())) {
                ids.add(entry.id().toString());
            }
        }
        return String.join(",", ids);
    }

    private record Change(
            DeclaredTaints declared, Set<TaintId> owned, boolean initialized, boolean dropUninitialized) {

        Optional<List<Taint>> of(List<Taint> before) {
            List<Taint> after = new ArrayList<>(before.size() + 2);
            boolean changed = false;
            for (Taint taint : before) {
                Taint kept = kept(taint);
                changed |= kept != taint;
                if (kept != null) {
                    after.add(kept);
                }
            }
            for (Entry entry : declared.entries()) {
                if (entry.isWanted(initialized) && !isThere(entry, before)) {
                    changed = true;
                    after.add(entry.onNode());
                }
            }
            return changed ? Optional.of(after) : Optional.empty();
        }

        private @Nullable Taint kept(Taint taint) {
            Entry entry = declared.find(taint.key(), taint.effect());
            if (entry == null) {
                return isUninitialized(taint) || isOwned(taint) ? null : taint;
            }
            boolean differs = !entry.taint().value().equals(taint.value());
            return differs && entry.isWanted(initialized) ? entry.onNode() : taint;
        }

        private boolean isUninitialized(Taint taint) {
            return dropUninitialized
                    && taint.key().equals(ClusterApi.UNINITIALIZED_TAINT)
                    && taint.effect().equals(UNINITIALIZED_EFFECT);
        }

        private boolean isOwned(Taint taint) {
            return !owned.isEmpty() && owned.contains(taint.id());
        }

        private static boolean isThere(Entry entry, List<Taint> taints) {
            for (Taint taint : taints) {
                if (taint.effect().equals(entry.taint().effect()) && taint.key().equals(entry.taint().key())) {
                    return true;
                }
            }
            return false;
        }
    }
}
