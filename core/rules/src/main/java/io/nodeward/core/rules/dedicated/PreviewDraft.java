package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.toleration.Eviction;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Counts what a group would change, Node by Node and pod by pod. */
final class PreviewDraft {
    private final Group group;
    private final Groups groups;
    private final ClusterFacts facts;
    /** Of the group, before and after. */
    private final Map<String, TaintsOfGroup> byNode = new HashMap<>();
    private final List<String> tainted = new ArrayList<>();
    private final List<String> wouldTaint = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<String> withoutToleration = new ArrayList<>();
    private final List<String> cutOff = new ArrayList<>();
    private final List<String> evicted = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<String> elsewhere = new ArrayList<>();
    private int awaitingClaims;

    private record TaintsOfGroup(List<Taint> before, List<Taint> after) {}

    PreviewDraft(DeclaredGroup declared, Groups inForce, ClusterFacts facts) {
        this.group = new Group(declared.name(), declared.desired().withEnforcement(EnforcementMode.Enforce));
        this.groups = inForce.with(group);
        this.facts = facts;
    }

    Preview preview() {
        if (group.fault().isEmpty()) {
            facts.nodes().forEach(this::node);
        }
        facts.pods().stream().filter(pod -> !pod.isFinished() && !pod.pod().isMirror()).forEach(this::pod);
        return new Preview(Sample.of(byNode.keySet()), Sample.of(tainted), Sample.of(wouldTaint), Sample.of(members),
                Sample.of(withoutToleration), Sample.of(cutOff), Sample.of(evicted), Sample.of(refused),
                Sample.of(elsewhere), awaitingClaims);
    }

    private void node(Node node) {
        if (!group.spec().shared() && !group.selects(node)) {
            return; // without asking all groups
        }
        List<Group> own = groups.of(node);
        if (!own.contains(group)) {
            return;
        }
        List<Placed> placed = own.stream().map(each -> new Placed(each, each == group)).toList();
        Node after = DedicatedNodePlan.of(node, placed).change().applyTo(node, "");
        String name = node.key().name();
        TaintsOfGroup taints = new TaintsOfGroup(ofGroup(node), ofGroup(after));
        byNode.put(name, taints);
        if (taints.before.size() == group.taints().size()) {
            tainted.add(name);
        } else if (taints.after.size() == group.taints().size()) {
            wouldTaint.add(name);
        }
    }

    private List<Taint> ofGroup(Node node) {
        return node.taints().stream()
                .filter(taint -> group.taints().contains(Taint.of(taint.key(), taint.value(), taint.effect())))
                .toList();
    }

    private void pod(CandidatePod pod) {
        String name = pod.key().toString();
        boolean isMember = group.spec().shared()
                ? groups.of(pod, facts.members()).contains(group)
                : group.admits(pod, facts.members());
        TaintsOfGroup taints = byNode.get(pod.pod().nodeName());
        if (isMember) {
            members.add(name);
        } else if (group.awaitsClaims(pod, facts.members())) {
            awaitingClaims++;
        }
        if (isToTolerate(pod, isMember, taints != null)) {
            withoutToleration.add(name);
        }
        if (taints != null) { // with the tolerations that it has: nobody gives it more of them before it is evicted
            onNode(name, taints, pod.pod().tolerations());
        } else if (isMember && isKeptOff(pod)) {
            elsewhere.add(name);
        }
        if (!isMember && isReservedFor(pod)) {
            refused.add(name);
        }
    }

    /** Whether the pod lacks a toleration of the group; a DaemonSet of the system needs them on its Nodes only. */
    private boolean isToTolerate(CandidatePod pod, boolean isMember, boolean onNode) {
        boolean tolerates = isMember || onNode && groups.toleratedBy(pod, facts.members()).contains(group);
        return tolerates && !PodAdditions.of(pod, List.of(group)).tolerations().isEmpty();
    }

    private void onNode(String pod, TaintsOfGroup taints, List<Toleration> tolerations) {
        if (!NodeFit.of(taints.after, tolerations, Tolerance.DEFAULT).schedulable()) {
            cutOff.add(pod);
        }
        if (!isEvicted(taints.before, tolerations) && isEvicted(taints.after, tolerations)) {
            evicted.add(pod);
        }
    }

    private static boolean isEvicted(List<Taint> taints, List<Toleration> tolerations) {
        return !(Eviction.of(taints, tolerations, Tolerance.DEFAULT) instanceof Eviction.Never);
    }

    private boolean isKeptOff(CandidatePod pod) {
        return group.spec().exclusive() && !pod.pod().nodeName().isEmpty() && !pod.isOfDaemonSet();
    }

    private boolean isReservedFor(CandidatePod pod) {
        return !facts.members().systemNamespaces().contains(pod.key().namespace())
                && group.isToleratedBy(pod.pod().tolerations());
    }
}
