package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A group, as it concerns a pod.
 *
 * @param group as it is in force; one that waits as it will be, with {@code Warn}
 * @param because about the pod; of one that is no member, whose Nodes they are; and why the group cannot be in force
 */
public record PodGroup(Group group, State state, Relation relation, String because) {
    /** The state of the group. */
    public enum State {
        /** It does what its enforcement says. */
        IN_FORCE,
        /** It is to be enforced, and is not yet. */
        WAITS,
        /** It is to be enforced, and cannot be as it is declared. */
        CONFLICT
    }

    /** The relation of the pod to the group. */
    public enum Relation {
        MEMBER,
        /** What decides it is not known. */
        MAY_BE_MEMBER,
        NO_MEMBER
    }

    /** Returns the enforcement that is in force, or that is declared if nothing of the group is in force. */
    public EnforcementMode enforcement() {
        return state == State.IN_FORCE ? group.spec().enforcement() : EnforcementMode.Enforce;
    }

    /**
     * Returns the groups whose member the pod is or may be, and those that have one of these Nodes; by name.
     *
     * @param conflicts by the name of the group, why its spec is not in force
     * @param nodes that are of interest
     */
    public static List<PodGroup> of(CandidatePod pod, Collection<DeclaredGroup> declared,
            Map<String, String> conflicts, MemberFacts facts, Collection<Node> nodes) {
        Groups groups = new Groups(declared.stream()
                .map(group -> group.inForce().orElseGet(() -> Declared.ofPods(group))).toList());
        Set<String> toBeEnforced = declared.stream().filter(DeclaredGroup::enforces).map(DeclaredGroup::name)
                .collect(Collectors.toSet());
        return groups.all().stream()
                .map(group -> of(pod, group, groups.membership(group, pod, facts),
                        !group.isEnforced() && toBeEnforced.contains(group.name()),
                        Optional.ofNullable(conflicts.get(group.name()))))
                .filter(of -> of.relation != Relation.NO_MEMBER || nodes.stream().anyMatch(
                        node -> groups.isOf(of.group, node.key().name(), Optional.of(node))))
                .toList();
    }

    /** @param isOpen whether the group is to be enforced, and is not yet; else what conflicts with it does not matter */
    private static PodGroup of(
            CandidatePod pod, Group group, Membership membership, boolean isOpen, Optional<String> conflict) {
        Optional<String> why = group.fault().or(() -> conflict.filter(any -> isOpen));
        State state = !isOpen ? State.IN_FORCE : why.isPresent() ? State.CONFLICT : State.WAITS;
        Relation relation = membership.byLabels() || membership.byClaims() ? Relation.MAY_BE_MEMBER
                : membership.is() ? Relation.MEMBER : Relation.NO_MEMBER;
        Optional<String> who = switch (relation) {
            case MEMBER -> Optional.empty();
            case MAY_BE_MEMBER -> Optional.of((membership.byLabels()
                    ? "the labels of its namespace" : "its claims of devices") + ", not known here, decide");
            case NO_MEMBER -> Optional.of("they are for " + Members.text(group));
        };
        return new PodGroup(group, state, relation, Stream.of(who, toleration(pod, group, relation), why)
                .flatMap(Optional::stream).collect(Collectors.joining("; ")));
    }

    /** Returns what the tolerations of the pod say; no Node has a taint that is faulty. */
    private static Optional<String> toleration(CandidatePod pod, Group group, Relation relation) {
        boolean tolerates = NodeFit.of(group.taints(), pod.pod().tolerations(), Tolerance.DEFAULT).schedulable();
        String taint = Contradictions.text(group);
        if (pod.isTruncated() && relation != Relation.MAY_BE_MEMBER) {
            return Optional.of("nobody looks into it, as it has more than is kept of one pod: "
                    + String.join(", ", pod.truncatedFields()));
        }
        if (group.fault().isPresent()) {
            return Optional.empty();
        }
        return switch (relation) {
            case MAY_BE_MEMBER -> Optional.empty();
            case MEMBER -> Optional.of((tolerates ? "it tolerates " : "it does not tolerate ") + taint
                    + (group.isEnforced() && group.spec().exclusive() ? ", and is for Nodes of the group alone" : ""));
            case NO_MEMBER -> Optional.of("it tolerates " + taint + " all the same").filter(text -> tolerates);
        };
    }
}
