package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reasons why groups refuse a pod that is created or updated: it could get onto their Nodes and is no member, or onto other
 * Nodes and may be a member of an exclusive group.
 *
 * @param all in the order of the groups' names, with the refusals of groups that only warn or count
 */
public record PodRefusals(List<Refusal> all) {
    /** The number of groups that a message names: all groups may refuse a pod that tolerates everything. */
    private static final int NAMED = 3;

    /**
     * The reason why one group refuses the pod.
     *
     * @param found the field of the pod that would let it in, and what else the author should know
     * @param awaitsClaims whether claims that are not known yet may let the pod in
     * @param nodeUnknown whether the group refuses the pod because the Node that it is put on is not known
     */
    public record Refusal(Group group, String found, boolean awaitsClaims, boolean nodeUnknown) {}

    public PodRefusals {
        all = List.copyOf(all);
    }

    /**
     * Decides which groups refuse a pod.
     *
     * @param declared all groups, each as it is in force; one with {@code Audit} as it is declared
     * @param node the Node that the pod is put on; empty if it is put on none, or the Node is not known
     */
    public static PodRefusals of(PodWrite write, Groups declared, MemberFacts facts, Optional<Node> node) {
        CandidatePod pod = write.pod();
        if (facts.systemNamespaces().contains(pod.key().namespace()) || write.author().mirrors(pod)) {
            return new PodRefusals(List.of());
        }
        Map<String, List<Toleration>> byKey =
                pod.pod().tolerations().stream().distinct().collect(Collectors.groupingBy(Toleration::key));
        return new PodRefusals(declared.all().stream().filter(group -> group.fault().isEmpty())
                .flatMap(group -> refusal(group, write, declared, facts, node, byKey).stream()).toList());
    }

    private static Optional<Refusal> refusal(Group group, PodWrite write, Groups declared, MemberFacts facts,
            Optional<Node> node, Map<String, List<Toleration>> byKey) {
        boolean isOf = declared.isOf(group, write.nodeName(), node);
        // The Node may be the group's when it joins, and no kubelet looks at the taint NoSchedule of its Node.
        boolean mayJoin = !isOf && !write.nodeName().isEmpty() && node.isEmpty() && group.mayGainAny();
        Optional<String> unconfined = unconfined(group, write, declared, facts);
        Optional<String> found = found(group, write, isOf, mayJoin, byKey).or(() -> unconfined);
        if (found.isEmpty()) {
            return Optional.empty(); // before all groups are compared with this one
        }
        Membership access = declared.access(group, write.pod(), facts);
        String labels = access.byLabels()
                ? "; the labels of namespace " + write.pod().key().namespace() + " are not known"
                : "";
        return (access.is() ? unconfined : found)
                .map(what -> new Refusal(group, what + labels, access.byClaims(), mayJoin));
    }

    /** Returns what lets the pod onto Nodes of the group. */
    private static Optional<String> found(
            Group group, PodWrite write, boolean isOf, boolean mayJoin, Map<String, List<Toleration>> byKey) {
        List<Toleration> some = Stream.of(group.spec().taint().key(), "")
                .flatMap(key -> byKey.getOrDefault(key, List.of()).stream()).toList();
        Optional<String> toleration = group.firstBeyond(some, write.stored())
                .map(first -> "spec.tolerations[" + write.pod().pod().tolerations().indexOf(first)
                        + "] tolerates its taint");
        if (write.ofDaemon()) {
            return toleration.filter(any -> isOf || mayJoin)
                    .map(any -> "its DaemonSet makes it for Node " + write.nodeName());
        }
        return isOf ? Optional.of("spec.nodeName is its Node " + write.nodeName())
                : mayJoin ? Optional.of("spec.nodeName is Node " + write.nodeName()
                        + ", which does not exist and may become one of its Nodes")
                : toleration;
    }

    /**
     * Returns why an exclusive group refuses a pod that may be its member. Nodeward gives the affinity to members alone, so a user
     * who hides the labels of a namespace would let its pods onto other Nodes.
     */
    private static Optional<String> unconfined(Group group, PodWrite write, Groups declared, MemberFacts facts) {
        return write.isNew() && !write.ofDaemon() && group.spec().exclusive()
                && group.membership(write.pod(), facts).byLabels()
                && declared.of(write.pod(), facts).stream().noneMatch(
                        own -> own.isEnforced() && own.spec().exclusive() && own.hasTaintOf(group))
                                ? Optional
                                        .of("the pod may be a member, and members run on the Nodes of the group alone")
                                : Optional.empty();
    }

    /** Returns whether an enforced group refuses the pod because its Node is not known: with the Node the answer may be another. */
    public boolean areForUnknownNode() {
        return enforced().anyMatch(Refusal::nodeUnknown);
    }

    /** Returns whether claims that are not known yet decide if the pod may be stored. */
    public boolean isIncomplete() {
        return enforced().findAny().isPresent() && enforced().allMatch(Refusal::awaitsClaims);
    }

    /** Returns the refusals that stand whatever the claims are that are not known yet. */
    public PodRefusals certain() {
        return new PodRefusals(all.stream().filter(refusal -> !refusal.awaitsClaims()).toList());
    }

    /** Returns the same; a group that refuses the pod whatever claims come says this as well. */
    public PodRefusals because(String more) {
        return new PodRefusals(all.stream().map(one -> one.group().isEnforced() && !one.awaitsClaims()
                ? new Refusal(one.group(), one.found() + "; " + more, false, one.nodeUnknown())
                : one).toList());
    }

    private Stream<Refusal> enforced() {
        return all.stream().filter(refusal -> refusal.group().isEnforced());
    }

    /** Returns why the pod may not be stored; empty if it may. */
    public Optional<String> message() {
        List<String> others = enforced().skip(1).map(other -> other.group().name()).toList();
        return enforced().findFirst().map(first -> "DedicatedNodes " + first.group().name() + " is for "
                + Members.text(first.group()) + ": " + first.found()
                + (first.awaitsClaims() ? "; claims of this pod are not known yet, try again" : "")
                + (others.isEmpty() ? "" : "; " + Members.some(others))
                + (others.isEmpty() ? "" : others.size() == 1 ? " refuses it too" : " refuse it too"));
    }

    /** Returns the warnings of groups that would refuse the pod if they were enforced; of many groups, those of the first. */
    public List<String> warnings() {
        return all.stream().filter(refusal -> refusal.group().isWarned()).limit(NAMED)
                .map(refusal -> "DedicatedNodes " + refusal.group().name() + ": Enforce will refuse this pod: "
                        + refusal.found())
                .toList();
    }
}
