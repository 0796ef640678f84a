package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.toleration.NodeFit;
import io.nodeward.core.rules.toleration.Tolerance;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What one group is to a pod.
 *
 * @param group as it is in force; as it is declared if nothing of it is
 * @param waits whether it is to be enforced, and is not yet
 * @param because about the pod; of one that is no member, whose Nodes they are
 */
public record PodGroup(Group group, boolean waits, Relation relation, String because) {
    /** Of the pod to the group. */
    public enum Relation {
        MEMBER,
        /** What decides it is not known. */
        MAY_BE_MEMBER,
        NO_MEMBER
    }

    /**
     * The groups whose member the pod is or may be, and those that have one of these Nodes; by name.
     *
     * @param nodes that are of interest
     */
    public static List<PodGroup> of(
            CandidatePod pod, Collection<DeclaredGroup> declared, MemberFacts facts, Collection<Node> nodes) {
        Groups groups = new Groups(declared.stream().map(PodGroup::inForce).toList());
        Question question = new Question(pod, groups, facts);
        List<Group> waiting = declared.stream().filter(DeclaredGroup::enforces).map(PodGroup::inForce)
                .filter(group -> !group.isEnforced()).toList();
        return groups.all().stream()
                .map(group -> question.answer(
                        group, waiting.stream().anyMatch(other -> other.name().equals(group.name()))))
                .filter(of -> of.relation != Relation.NO_MEMBER || nodes.stream().anyMatch(
                        node -> groups.isOf(of.group, node.key().name(), Optional.of(node))))
                .toList();
    }

    /** One that is to be enforced does what Warn does until it is established. */
    private static Group inForce(DeclaredGroup declared) {
        DedicatedNodesSpec desired = declared.desired();
        return new Group(declared.name(), declared.applied()
                .filter(applied -> applied.enforcement() == EnforcementMode.Enforce)
                .orElseGet(() -> declared.enforces() ? desired.withEnforcement(EnforcementMode.Warn) : desired));
    }

    private record Question(CandidatePod pod, Groups groups, MemberFacts facts) {
        PodGroup answer(Group group, boolean waits) {
            boolean tolerates = NodeFit.of(group.taints(), pod.pod().tolerations(), Tolerance.DEFAULT).schedulable();
            String taint = Contradictions.text(group);
            Optional<String> open = open(group);
            if (open.isPresent()) {
                return new PodGroup(group, waits, Relation.MAY_BE_MEMBER, open.get() + ", not known here, decide");
            }
            return groups.of(pod, facts).contains(group)
                    ? new PodGroup(group, waits, Relation.MEMBER,
                            (tolerates ? "it tolerates " : "it does not tolerate ") + taint + restriction(group))
                    : new PodGroup(group, waits, Relation.NO_MEMBER, "they are for " + PodRefusal.members(group)
                            + (tolerates ? "; it tolerates " + taint + " all the same" : ""));
        }

        private static String restriction(Group group) {
            return group.isEnforced() && group.spec().exclusive() ? ", and is for Nodes of the group alone" : "";
        }

        /** What decides whether the pod is a member, and is not known; of the shared group that is what others wait for. */
        private Optional<String> open(Group group) {
            return group.spec().shared()
                    ? groups.all().stream().filter(other -> other.isEnforced() && groups.of(pod, facts).contains(group))
                            .flatMap(other -> openOf(other).stream()).findFirst()
                    : openOf(group);
        }

        private Optional<String> openOf(Group group) {
            Who who = group.spec().who();
            boolean byLabels = who.namespaceSelector().isPresent() && !facts.knows(pod.key().namespace());
            if (byLabels && !withoutLabels(group, who).admits(pod, facts)) {
                return Optional.of("the labels of its namespace");
            }
            return group.awaitsClaims(pod, facts) ? Optional.of("its claims of devices") : Optional.empty();
        }

        private static Group withoutLabels(Group group, Who who) {
            DedicatedNodesSpec spec = group.spec();
            return new Group(group.name(), new DedicatedNodesSpec(spec.nodes(), spec.taint(),
                    new Who(who.namespaces(), Optional.empty(), who.serviceAccounts(), who.podSelector(),
                            who.resources(), who.deviceClasses()),
                    spec.exclusive(), spec.shared(), spec.enforcement(), spec.confirmedPods(), spec.quota()));
        }
    }
}
