package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.placement.Placement;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.BitSet;
import java.util.List;

/** Looks at the Nodes and pods that a group concerns, and at no others. */
final class Survey {
    private final Groups inForce;
    private final List<Group> acting;
    private final ClusterView view;
    private final boolean tolerationsGiven;
    private final GroupsByNamespace enforced;

    Survey(Groups inForce, ClusterView view, boolean tolerationsGiven) {
        this.acting = inForce.all();
        this.inForce = new Groups(inForce.all().stream().filter(Group::isEnforced).toList());
        this.view = view;
        this.tolerationsGiven = tolerationsGiven;
        this.enforced = new GroupsByNamespace(this.inForce.all(), view.members());
    }

    /** As if the group were enforced beside those in force. */
    Preview preview(Group group) {
        PreviewDraft draft = new PreviewDraft(group, view, tolerationsGiven);
        NodeSets all = view.nodes();
        BitSet nodes = group.fault().isEmpty() ? all.of(group, inForce) : new BitSet();
        List<Group> others = inForce.without(group.name()).all().stream()
                .filter(other -> all.selectedBy(other).intersects(nodes)).toList();
        nodes.stream().forEach(place -> draft.node(all.node(place), others.stream()
                .filter(other -> all.selectedBy(other).get(place)).toList()));
        List<Group> alike = acting.stream()
                .filter(other -> !other.name().equals(group.name()) && other.hasTaintOf(group)).toList();
        view.pods(group, all.nameSet(nodes))
                .filter(pod -> NewEvictions.counts(pod, all.find(pod.pod().nodeName())))
                .forEach(pod -> draft.pod(pod, membership(pod, group), ofAny(pod, alike)));
        view.daemons().forEach(daemon -> draft.daemon(daemon, membership(daemon.pod(), group).is(),
                ofAny(daemon.pod(), alike).is(), demand -> nodes.stream().mapToObj(all::node).anyMatch(
                        node -> Placement.first(demand, lasting(node, group), false, Tolerance.DEFAULT).isEmpty())));
        return draft.preview();
    }

    /** Without the taints that come and go with the Node's conditions, and those that the group has given it. */
    private static Node lasting(Node node, Group group) {
        return new Node(node.metadata(), node.providerId(),
                node.taints().stream().filter(taint -> !taint.key().startsWith(Group.KUBERNETES)
                        && !taint.key().equals(group.spec().taint().key())).toList());
    }

    private Membership ofAny(CandidatePod pod, List<Group> groups) {
        return Membership.ofAny(groups.stream().map(group -> membership(pod, group)));
    }

    /** Returns what {@link Groups#membership} does, without a look at all groups for each pod. */
    private Membership membership(CandidatePod pod, Group of) {
        return of.spec().shared()
                ? Membership.ofShared(enforced.admitting(pod).filter(other -> !other.name().equals(of.name()))
                        .map(other -> other.membership(pod, view.members())))
                : of.membership(pod, view.members());
    }
}
