package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.node.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What is declared at one moment: all that an admission review asks for.
 *
 * @param all each group with the spec that is in force; a group that was deleted declares {@code Audit}
 * @param versions each group as its spec declares it and, if that is another, as it was last in force
 * @param enforced the groups whose taints Nodes get: each with the spec that its status records
 * @param unestablished the groups that enforce anything and whose status records nothing
 * @param ofNewPods the groups that a pod may be of: each as it is in force, and as declared if it only counts or waits for its pods
 * @param members what decides, besides a pod itself, of which groups it is
 * @param byNamespace the versions; the one part that one thread at a time uses
 */
public record Declared(List<DeclaredGroup> all, List<Group> versions, Groups enforced, Groups unestablished,
        Groups ofNewPods, MemberFacts members, GroupsByNamespace byNamespace) {
    static final Declared NOTHING =
            of(List.of(), Optional.empty(), new MemberFacts(Map.of(), ClaimView.NONE, Set.of()));

    /** @param compared the groups as they amounted to last, as new pods wait for nobody who compares groups */
    static Declared of(List<DeclaredGroup> all, Optional<Resolution> compared, MemberFacts members) {
        List<Group> versions = all.stream().flatMap(DeclaredGroup::versions).toList();
        return new Declared(all, versions,
                new Groups(all.stream().flatMap(group -> group.inForce().stream()).toList()),
                new Groups(all.stream().filter(group -> group.applied().isEmpty()).flatMap(DeclaredGroup::versions)
                        .filter(Group::isEnforced).toList()),
                ofNewPods(all, compared), members, new GroupsByNamespace(versions, members));
    }

    /** Returns the same beside what the groups amount to now: what does not depend on that is not computed again. */
    Declared comparedWith(Resolution compared) {
        Groups now = ofNewPods(all, Optional.of(compared));
        return now.equals(ofNewPods) ? this
                : new Declared(all, versions, enforced, unestablished, now, members, byNamespace);
    }

    private static Groups ofNewPods(List<DeclaredGroup> all, Optional<Resolution> compared) {
        return new Groups(all.stream()
                .flatMap(group -> ofNewPods(group, compared.flatMap(last -> last.find(group.name())))
                        .map(spec -> new Group(group.name(), spec)))
                .toList());
    }

    /** Finds the specs of a group for new pods. What was compared may be older than its spec or status: then it waits no more. */
    private static Stream<DedicatedNodesSpec> ofNewPods(DeclaredGroup group, Optional<Resolved> compared) {
        DedicatedNodesSpec desired = group.desired();
        Optional<DedicatedNodesSpec> applied = group.inForce().map(Group::spec);
        if (applied.filter(desired::equals).isPresent()) {
            return applied.stream();
        }
        Optional<DedicatedNodesSpec> declared = desired.enforcement() == EnforcementMode.Audit
                ? Optional.of(desired).filter(only -> applied.isEmpty())
                : compared.filter(last -> last.declared().desired().equals(desired) && last.concernsPods())
                        .map(last -> ofPods(group).spec());
        return Stream.concat(applied.stream(), declared.stream());
    }

    /** Returns the group as it is declared, as it concerns pods: one with {@code Enforce} does what {@code Warn} does until it is established. */
    public static Group ofPods(DeclaredGroup group) {
        DedicatedNodesSpec desired = group.desired();
        return new Group(group.name(), group.enforces() && !group.applied().equals(Optional.of(desired))
                ? desired.withEnforcement(EnforcementMode.Warn)
                : desired);
    }

    /** Returns the groups that are not in force, as after a restore without status, and that were so as the Node proves. */
    public List<Group> kept(Node node) {
        return unestablished.of(node).stream().filter(group -> DedicatedNodePlan.isManaged(node, group)).toList();
    }

    /** Returns the versions that may declare the pod; a shared group has the pods that no other has, so it may be any. */
    public Stream<Group> declaring(CandidatePod pod) {
        return Stream.concat(byNamespace.admitting(pod), versions.stream().filter(group -> group.spec().shared()));
    }

    /** Returns whether the pod lacks the toleration of this group. */
    public boolean lacks(CandidatePod pod, Group group) {
        return ofNewPods.of(pod, members).stream().anyMatch(own -> own.name().equals(group.name()))
                && !PodAdditions.of(pod, List.of(group)).tolerations().isEmpty();
    }
}
