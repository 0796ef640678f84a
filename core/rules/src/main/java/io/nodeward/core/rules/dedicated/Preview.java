package io.nodeward.core.rules.dedicated;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.core.rules.preview.Sample;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a group would change if it were enforced now with all of its effects; of a group that is enforced, what is left to
 * do. Pods that have ended, and those that kubelets run by themselves, do not count.
 *
 * @param nodes of the group
 * @param tainted those of them that have all of its taints
 * @param wouldTaint those that would get them
 * @param members pods that may use the Nodes
 * @param withoutToleration pods that are to tolerate the taint and do not yet
 * @param cutOff pods on the Nodes that would not tolerate the taint: none of them could be placed there again
 * @param evicted those of them that its NoExecute would newly delete, now or later
 * @param refused pods that are no members and whose like would be refused: they tolerate the taint, or their author chose a Node
 *     of the group
 * @param elsewhere members of an exclusive group that run on other Nodes
 * @param daemonSets those of members and of the system that would not run on the Nodes any more, by their templates
 * @param refusedDaemonSets those of no members, by their templates, whose pods on the Nodes would be refused: they tolerate the taint
 * @param notLookedInto pods that have more than is kept of one pod: on the Nodes they count as pods that tolerate nothing, and
 *     elsewhere they may tolerate the taint; and pods that may be members by labels of their namespaces that are not known
 * @param awaitingClaims pods that may be members by a claim of devices that is not known yet
 * @param exposed how many of those without toleration are on the Nodes, or on none: the taint matters to no others
 * @param strangers all of {@code evicted}, if the group respects budgets, else none
 */
public record Preview(
        Sample nodes,
        Sample tainted,
        Sample wouldTaint,
        Sample members,
        Sample withoutToleration,
        Sample cutOff,
        Sample evicted,
        Sample refused,
        Sample elsewhere,
        Sample daemonSets,
        Sample refusedDaemonSets,
        Sample notLookedInto,
        int awaitingClaims,
        int exposed,
        Set<Stranger> strangers) {
    /** A copy of what is given. */
    public Preview {
        strangers = Set.copyOf(strangers);
    }

    /**
     * Of what a group declares, as if it were enforced, beside the groups that are in force.
     *
     * @param tolerationsGiven whether pods get the tolerations that they lack before their Nodes get the taint; else those
     *     pods are cut off and evicted like any other
     */
    public static Preview of(Resolved group, Groups inForce, ClusterView view, boolean tolerationsGiven) {
        return new Survey(inForce, view, tolerationsGiven).preview(group.tried());
    }

    /** As fields of the status. */
    public Tree tree() {
        return Tree.of(Map.of(
                "nodes", nodes.count(),
                "taintedNodes", tainted.count(),
                "pods", members.count(),
                "preview", Map.of(
                        "wouldTaint", wouldTaint.tree(),
                        "withoutToleration", withoutToleration.tree(),
                        "cutOff", cutOff.tree(),
                        "evicted", evicted.tree(),
                        "refused", refused.tree(),
                        "elsewhere", elsewhere.tree(),
                        "daemonSets", daemonSets.tree(),
                        "notLookedInto", notLookedInto.tree(),
                        "awaitingClaims", awaitingClaims)));
    }

    /** Returns the strangers that end in this way. */
    public List<Stranger> strangers(Stranger.End end) {
        return strangers.stream().filter(stranger -> stranger.end() == end).toList();
    }

    /** Whether so many evictions are confirmed; none need no confirmation. */
    public boolean isConfirmedBy(DedicatedNodesSpec spec) {
        return spec.confirmedPods().orElse(0) >= evicted.count();
    }
}
