package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.node.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What is declared at one moment: all that an admission review asks for.
 *
 * @param all each group with the spec that is in force; a group that was deleted declares {@code Audit}
 * @param versions each group as its spec declares it and, if that is another, as it was last in force
 * @param enforced the groups whose taints Nodes get: each with the spec that its status records
 * @param unestablished the groups that enforce anything and whose status records nothing
 * @param ofStoredPods the groups that a pod that exists may be of: each as it is in force, and as declared if it only counts, or if
 *     the last comparison of the groups has found that it concerns pods
 * @param ofNewPods the same groups for a pod under review, and before the first comparison, as after a start, harmless ones besides
 * @param members what decides, besides a pod itself, of which groups it is
 * @param byNamespace the versions; the one part that one thread at a time uses
 */
public record Declared(List<DeclaredGroup> all, List<Group> versions, Groups enforced, Groups unestablished,
        Groups ofStoredPods, Groups ofNewPods, MemberFacts members, GroupsByNamespace byNamespace) {
    static final Declared NOTHING =
            of(List.of(), Optional.empty(), new MemberFacts(Map.of(), ClaimView.NONE, Set.of()));

    /** @param compared the groups as they amounted to last, as new pods wait for nobody who compares groups */
    static Declared of(List<DeclaredGroup> all, Optional<Resolution> compared, MemberFacts members) {
        List<Group> versions = all.stream().flatMap(DeclaredGroup::versions).toList();
        Groups enforced = new Groups(all.stream().flatMap(group -> group.inForce().stream()).toList());
        return new Declared(all, versions, enforced,
                new Groups(all.stream().filter(group -> group.applied().isEmpty()).flatMap(DeclaredGroup::versions)
                        .filter(Group::isEnforced).toList()),
                ofPods(all, compared, version -> false),
                ofPods(all, compared, version -> isHarmless(version, all)),
                members, new GroupsByNamespace(versions, members));
    }

    /** Returns the same beside what the groups amount to now: what does not depend on that is not computed again. */
    Declared comparedWith(Resolution compared) {
        Groups ofPods = ofPods(all, Optional.of(compared), version -> false);
        return ofPods.equals(ofStoredPods) && ofPods.equals(ofNewPods) ? this
                : new Declared(all, versions, enforced, unestablished, ofPods, ofPods, members, byNamespace);
    }

    /** @param uncompared whether a declared version counts before the first comparison */
    private static Groups ofPods(
            List<DeclaredGroup> all, Optional<Resolution> compared, Predicate<Group> uncompared) {
        return new Groups(all.stream().flatMap(group -> Stream.concat(group.inForce().stream(),
                counting(group, all, compared, uncompared).stream()).distinct()).toList());
    }

    /**
     * Returns the declared version if it counts. Until an edit has been compared, the version before it does, if it is harmless: else it
     * could open Nodes that no spec gives its members now.
     */
    private static Optional<Group> counting(
            DeclaredGroup group, List<DeclaredGroup> all, Optional<Resolution> compared, Predicate<Group> uncompared) {
        Group declared = ofPods(group);
        if (!declared.acts()) {
            return group.inForce().isEmpty() ? Optional.of(declared) : Optional.empty();
        }
        if (compared.isEmpty()) {
            return Optional.of(declared).filter(uncompared);
        }
        return compared.get().find(group.name()).filter(Resolved::concernsPods).map(Resolved::declared)
                .map(last -> ofPods(group.with(last.desired(), group.applied())))
                .filter(version -> version.equals(declared) || isHarmless(version, all));
    }

    /**
     * Returns whether a version lets no pod onto Nodes that any group has or may have: its group has nothing in force, and no other has
     * its taint. New pods get its toleration before the first comparison, as nobody may give it to them later. Pods that exist can wait.
     */
    private static boolean isHarmless(Group version, List<DeclaredGroup> all) {
        return version.fault().isEmpty() && all.stream().noneMatch(other -> other.name().equals(version.name())
                ? other.inForce().isPresent()
                : other.versions().anyMatch(version::hasTaintOf));
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

    /** Returns whether the pod, which exists, lacks the toleration of this group. */
    public boolean lacks(CandidatePod pod, Group group) {
        return ofStoredPods.of(pod, members).stream().anyMatch(own -> own.name().equals(group.name()))
                && !PodAdditions.of(pod, List.of(group)).tolerations().isEmpty();
    }
}
