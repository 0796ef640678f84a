package io.nodeward.core.rules.dedicated;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import java.util.List;

/**
 * The decision about one Node: the taints of its groups, their labels, and the annotations that say which of them are
 * managed, in one write. What is managed and belongs to no group any more goes. What others manage stays as it is, and is
 * never taken over: if it is what a group declares, the Node is right, and else the group lacks it there. A taint together
 * with its label, as a group declares them, is that group's.
 *
 * @param change {@link NodeChange#isEmpty()} if the Node is as it should be: no request is due
 * @param conflicts by group
 * @param unproven taints with their label that stay, as nothing proves that they are of a group that is gone: the digest does
 *     not match
 */
public record DedicatedNodePlan(NodeChange change, List<NodeConflict> conflicts, List<Taint> unproven) {
    public DedicatedNodePlan {
        conflicts = List.copyOf(conflicts);
        unproven = List.copyOf(unproven);
    }

    /** Whether the Node has the taint because of a group, as far as its annotations prove that. */
    public static boolean isManaged(Node node, TaintId taint) {
        Tracking tracking = Tracking.of(node);
        return tracking.proven() && tracking.claimed().contains(taint);
    }

    /** Returns whether the Node has a taint of this group, with any effect, because of a group, as its annotations prove. */
    public static boolean isManaged(Node node, Group group) {
        return managed(node).stream().anyMatch(group::hasKeyAndValueOf);
    }

    /** Returns whether the Node has yet to lose a taint, which it has because of a group, when this group gives it up. */
    static boolean isHeld(Node node, Group group) {
        return managed(node).stream().anyMatch(group::isLost);
    }

    /** Returns the taints that the Node has because of groups, as its annotations prove. */
    static List<Taint> managed(Node node) {
        Tracking tracking = Tracking.of(node);
        return tracking.proven()
                ? node.taints().stream().filter(taint -> tracking.claimed().contains(taint.id())).toList()
                : List.of();
    }

    /** @param groups all whose Node it is; without any, nothing that is managed is left */
    public static DedicatedNodePlan of(Node node, List<Placed> groups) {
        return new NodeDraft(node).plan(groups);
    }
}
