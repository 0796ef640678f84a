package io.nodeward.core.rules.taint;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.DeclaredTaints.Use;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Taints that were set for a Node's initialization, and may go with it: who removes the initialization taint by writing the
 * whole list from an older one, as Cluster API's MachinePool controller does, takes what was added meanwhile with it.
 */
public final class InitialTaints {
    private InitialTaints() {}

    /**
     * Which ones a change sets on a Node that has the initialization taint, and keeps it; empty if none.
     *
     * @param spec what the owner declares
     * @param annotated likewise, by annotation
     */
    public static Set<TaintId> setBy(NodeChange change, Node before, DeclaredTaints spec, DeclaredTaints annotated) {
        if (change.taints().isEmpty() || !hasUninitialized(change.taints().get())) {
            return Set.of();
        }
        Set<TaintId> there = ids(before);
        return change.taints().get().stream().map(Taint::id)
                .filter(id -> !there.contains(id) && (isOnce(spec, id) || isOnce(annotated, id)))
                .collect(Collectors.toUnmodifiableSet());
    }

    /** Whether all that were set are gone, and the initialization taint with them: nobody takes them off one by one so. */
    public static boolean areWiped(Set<TaintId> set, Node now) {
        if (set.isEmpty() || hasUninitialized(now.taints())) {
            return false;
        }
        Set<TaintId> there = ids(now);
        return set.stream().noneMatch(there::contains);
    }

    /** Whether it is not known yet what becomes of them: the Node has them all, and the initialization taint. */
    public static boolean areAtRisk(Set<TaintId> set, Node now) {
        return hasUninitialized(now.taints()) && ids(now).containsAll(set);
    }

    private static boolean hasUninitialized(Iterable<Taint> taints) {
        for (Taint taint : taints) {
            if (Initialization.isUninitialized(taint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOnce(DeclaredTaints declared, TaintId id) {
        DeclaredTaints.Entry entry = declared.find(id.key(), id.effect());
        return entry != null && entry.use() == Use.ONCE;
    }

    private static Set<TaintId> ids(Node node) {
        Set<TaintId> ids = new HashSet<>();
        node.taints().forEach(taint -> ids.add(taint.id()));
        return ids;
    }
}
