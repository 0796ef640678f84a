package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.placement.Demand;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import io.nodeward.core.rules.preview.Sample;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Counts what one group would change, Node by Node and pod by pod. */
final class PreviewDraft {
    private final Group group;
    private final ClusterView view;
    private final MemberFacts facts;
    private final boolean tolerationsGiven;
    /** The taints of a Node before the group has it, and after. */
    private final Map<String, TaintsOfGroup> byNode = new HashMap<>();
    private final List<String> tainted = new ArrayList<>();
    private final List<String> wouldTaint = new ArrayList<>();
    private final List<String> members = new ArrayList<>();
    private final List<String> withoutToleration = new ArrayList<>();
    private final List<String> cutOff = new ArrayList<>();
    private final List<String> evicted = new ArrayList<>();
    private final List<Stranger> strangers = new ArrayList<>();
    private final List<String> refused = new ArrayList<>();
    private final List<String> elsewhere = new ArrayList<>();
    private final List<String> daemonSets = new ArrayList<>();
    private final List<String> refusedDaemonSets = new ArrayList<>();
    private final List<String> notLookedInto = new ArrayList<>();
    private int awaitingClaims;
    private int exposed;

    private record TaintsOfGroup(List<Taint> before, List<Taint> after) {}

    PreviewDraft(Group group, ClusterView view, boolean tolerationsGiven) {
        this.group = group;
        this.view = view;
        this.facts = view.members();
        this.tolerationsGiven = tolerationsGiven;
    }

    Preview preview() {
        return new Preview(Sample.of(byNode.keySet()), Sample.of(tainted), Sample.of(wouldTaint), Sample.of(members),
                Sample.of(withoutToleration), Sample.of(cutOff),
                Sample.of(evicted), Sample.of(refused),
                Sample.of(elsewhere), Sample.of(daemonSets), Sample.of(refusedDaemonSets), Sample.of(notLookedInto),
                awaitingClaims, exposed, Set.copyOf(strangers));
    }

    /** @param others that are enforced and have this Node of the group too */
    void node(Node node, List<Group> others) {
        List<Placed> placed = Stream.concat(Stream.of(group), others.stream())
                .map(each -> new Placed(each, each == group)).toList();
        Node after = DedicatedNodePlan.of(node, placed).change().applyTo(node, "");
        String name = node.key().name();
        TaintsOfGroup taints = new TaintsOfGroup(group.taintsOn(node), group.taintsOn(after));
        byNode.put(name, taints);
        if (taints.before.size() == group.taints().size()) {
            tainted.add(name);
        } else if (taints.after.size() == group.taints().size()) {
            wouldTaint.add(name);
        }
    }

    /**
     * Counts a pod.
     *
     * @param own what it is to the group
     * @param guest what it is to the other groups that give it the same toleration
     */
    void pod(CandidatePod pod, Membership own, Membership guest) {
        String name = pod.key().toString();
        if (pod.isTruncated() || own.byLabels() || guest.byLabels()) {
            notLookedInto.add(name);
        }
        if (own.is()) {
            members.add(name);
        } else {
            nonMember(name, pod, own, guest.is());
        }
        TaintsOfGroup taints = byNode.get(pod.pod().nodeName());
        List<Toleration> missing = own.is() ? PodAdditions.of(pod, List.of(group)).tolerations() : List.of();
        if (!missing.isEmpty()) {
            withoutToleration.add(name);
            exposed += taints != null || pod.pod().nodeName().isEmpty() ? 1 : 0;
        }
        if (taints != null) {
            onNode(pod, taints, tolerationsGiven ? missing : List.of());
        } else if (own.is() && isKeptOff(pod)) {
            elsewhere.add(name);
        }
    }

    private void nonMember(String name, CandidatePod pod, Membership own, boolean isGuest) {
        if (own.byClaims()) {
            awaitingClaims++;
        }
        if (!isGuest && isKeptOut(pod) || own.byLabels() && isUnconfined(pod)) {
            refused.add(name);
        }
    }

    private void onNode(CandidatePod pod, TaintsOfGroup taints, List<Toleration> given) {
        if (NewEvictions.decisive(pod, given, view::daemon).anyMatch(
                tolerations -> !NodeFit.of(taints.after, tolerations, Tolerance.DEFAULT).schedulable())) {
            cutOff.add(pod.key().toString());
        }
        NewEvictions.stranger(pod, taints.before, taints.after, given, view::daemon).ifPresent(stranger -> {
            evicted.add(pod.key().toString());
            if (group.spec().eviction().respectsBudgets()) {
                strangers.add(stranger);
            }
        });
    }

    /**
     * Counts a DaemonSet. Its controller takes its pods from Nodes that the template does not tolerate, whatever the pods do.
     * Pods that have the tolerations of the template and are no members are refused, as {@link PodRefusals} has it. A truncated
     * template may ask for any Node, and one that memory is short for may tolerate the taint.
     *
     * @param isGuest whether its pods are members of another group that gives them the same toleration
     * @param on whether there is a Node of the group that it asks for
     */
    void daemon(DaemonTemplate daemon, boolean isMember, boolean isGuest, Predicate<Demand> on) {
        List<Toleration> tolerations = daemon.pod().pod().tolerations();
        boolean runs = isMember || facts.systemNamespaces().contains(daemon.key().namespace());
        boolean counts = runs
                ? !NodeFit.of(group.taints(), tolerations, Tolerance.DEFAULT).schedulable()
                : !isGuest && (daemon.pod().isReduced() || group.isToleratedBy(tolerations));
        if (counts && (daemon.pod().isTruncated() || on.test(Demand.of(daemon.spec(), "")))) {
            (runs ? daemonSets : refusedDaemonSets).add(daemon.key().toString());
        }
    }

    private boolean isKeptOff(CandidatePod pod) {
        return group.spec().exclusive() && !pod.pod().nodeName().isEmpty();
    }

    /** Decides as {@link PodRefusals} of a pod like this one that is created. */
    private boolean isKeptOut(CandidatePod pod) {
        boolean onNode = byNode.containsKey(pod.pod().nodeName());
        boolean tolerates = group.isToleratedBy(pod.pod().tolerations());
        return !facts.systemNamespaces().contains(pod.key().namespace())
                && (isOfDaemonSet(pod) ? onNode && tolerates : onNode && pod.nodeGiven() || tolerates);
    }

    /** Returns whether a pod like this one, which may be a member, is refused wherever it would run. */
    private boolean isUnconfined(CandidatePod pod) {
        return group.spec().exclusive() && !isOfDaemonSet(pod)
                && !facts.systemNamespaces().contains(pod.key().namespace());
    }

    /** Such a pod is for one Node, and is refused there alone. */
    private static boolean isOfDaemonSet(CandidatePod pod) {
        return pod.metadata().controller().filter(Author::isDaemonSet).isPresent();
    }
}
