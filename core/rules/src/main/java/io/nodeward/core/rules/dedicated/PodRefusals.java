package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reasons why groups refuse a pod that is created or updated: it could get onto their Nodes and is no member, or onto other
 * Nodes and may be a member of an exclusive group.
 *
 * @param all in the order of the groups' names, with the refusals of groups that only warn or count
 */
public record PodRefusals(List<PodRefusal> all) {
    /** The number of groups that a message names: all groups may refuse a pod that tolerates everything. */
    private static final int NAMED = 3;

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
        List<Group> own = declared.of(pod, facts);
        Map<String, List<Toleration>> byKey =
                pod.pod().tolerations().stream().collect(Collectors.groupingBy(Toleration::key));
        return new PodRefusals(declared.all().stream()
                .filter(group -> group.fault().isEmpty())
                .flatMap(group -> refusal(group, own, write, NodeRelation.of(group, write.nodeName(), node, declared),
                        byKey,
                        facts, declared.all().stream()
                                .anyMatch(other -> other.admitsTo(group) && other.awaitsClaims(pod, facts)))
                        .stream())
                .map(refusal -> declared.labelsDecide(refusal.group(), pod, facts)
                        ? refusal.with("the labels of namespace " + pod.key().namespace() + " are not known")
                        : refusal)
                .toList());
    }

    /** What the Node that a pod is put on is to a group. */
    private enum NodeRelation {
        OF_GROUP,
        /** It is not known. It may be the group's when it joins, and no kubelet looks at the taint {@code NoSchedule} of its Node. */
        MAY_JOIN, OTHER;

        static NodeRelation of(Group group, String name, Optional<Node> node, Groups declared) {
            if (declared.isOf(group, name, node)) {
                return OF_GROUP;
            }
            return !name.isEmpty() && node.isEmpty() && group.mayGainAny() ? MAY_JOIN : OTHER;
        }
    }

    private static Optional<PodRefusal> refusal(Group group, List<Group> own, PodWrite write, NodeRelation node,
            Map<String, List<Toleration>> byKey, MemberFacts facts, boolean awaitsClaims) {
        Optional<String> onNode = own.stream().anyMatch(other -> other.admitsTo(group))
                ? Optional.empty()
                : found(group, write, node, byKey);
        return onNode.or(() -> unconfined(group, own, write, facts))
                .map(what -> new PodRefusal(group, what, awaitsClaims, node == NodeRelation.MAY_JOIN));
    }

    private static Optional<String> found(
            Group group, PodWrite write, NodeRelation node, Map<String, List<Toleration>> byKey) {
        List<Toleration> some = Stream.of(group.spec().taint().key(), "")
                .flatMap(key -> byKey.getOrDefault(key, List.of()).stream()).toList();
        Optional<String> toleration = group.firstBeyond(some, write.stored())
                .map(first -> "spec.tolerations[" + write.pod().pod().tolerations().indexOf(first)
                        + "] tolerates its taint");
        if (write.ofDaemon()) {
            return toleration.filter(any -> node != NodeRelation.OTHER)
                    .map(any -> "its DaemonSet makes it for Node " + write.nodeName());
        }
        return switch (node) {
            case OF_GROUP -> Optional.of("spec.nodeName is its Node " + write.nodeName());
            case MAY_JOIN -> Optional.of("spec.nodeName is Node " + write.nodeName()
                    + ", which does not exist and may become one of its Nodes");
            case OTHER -> toleration;
        };
    }

    /**
     * Returns why an exclusive group refuses a pod that may be its member. Nodeward gives the affinity to members alone, so a user
     * who hides the labels of a namespace would let its pods onto other Nodes.
     */
    private static Optional<String> unconfined(Group group, List<Group> own, PodWrite write, MemberFacts facts) {
        boolean confined = own.stream().anyMatch(
                other -> other.isEnforced() && other.spec().exclusive() && other.hasTaintOf(group));
        return write.isNew() && !write.ofDaemon() && !confined && group.mayConfine(write.pod(), facts)
                ? Optional.of("the pod may be a member, and members run on the Nodes of the group alone")
                : Optional.empty();
    }

    /** Returns whether a group would not refuse the pod, or not for the same, if the Node that the pod is put on were known. */
    public boolean areForUnknownNode() {
        return all.stream().anyMatch(refusal -> refusal.group().isEnforced() && refusal.nodeUnknown());
    }

    /** Returns the same refusals. A refusal that is new says this as well, unless it awaits claims, which its message says. */
    public PodRefusals addedTo(PodRefusals before, String more) {
        Set<String> known = before.all.stream().map(refusal -> refusal.group().name()).collect(Collectors.toSet());
        return new PodRefusals(all.stream().map(refusal -> refusal.awaitsClaims()
                || known.contains(refusal.group().name()) ? refusal : refusal.with(more)).toList());
    }

    /** Returns whether claims that are not known yet decide if the pod may be stored. */
    public boolean isIncomplete() {
        return message().isPresent() && certain().message().isEmpty();
    }

    /** Returns the refusals that stand whatever the claims are that are not known yet. */
    public PodRefusals certain() {
        return new PodRefusals(all.stream().filter(refusal -> !refusal.awaitsClaims()).toList());
    }

    /** Returns why the pod may not be stored; empty if it may. */
    public Optional<String> message() {
        List<PodRefusal> enforced = all.stream().filter(refusal -> refusal.group().isEnforced()).toList();
        return enforced.stream().findFirst().map(first -> first.message() + others(
                enforced.subList(1, enforced.size()).stream().map(other -> other.group().name()).toList()));
    }

    private static String others(List<String> names) {
        return names.isEmpty()
                ? ""
                : "; " + PodRefusal.some(names) + (names.size() == 1 ? " refuses it too" : " refuse it too");
    }

    /** Returns the warnings of groups that would refuse the pod if they were enforced; of many groups, those of the first. */
    public List<String> warnings() {
        return all.stream().filter(refusal -> refusal.group().isWarned()).limit(NAMED).map(PodRefusal::warning)
                .toList();
    }
}
