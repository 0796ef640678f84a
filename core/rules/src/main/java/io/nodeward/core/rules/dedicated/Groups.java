package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Groups beside each other.
 *
 * @param all in force, by name; those with {@code Warn} have pods, and no Nodes
 */
public record Groups(List<Group> all) {
    static final List<String> CONTROL_PLANE =
            List.of("node-role.kubernetes.io/control-plane", "node-role.kubernetes.io/master");

    public Groups {
        all = all.stream().sorted(Comparator.comparing(Group::name)).toList();
    }

    /** Whether this is a Node of the control plane, which no shared group takes. */
    public static boolean isControlPlane(Node node) {
        return CONTROL_PLANE.stream().anyMatch(role -> node.metadata().labels().containsKey(role)
                || node.taints().stream().anyMatch(taint -> taint.key().equals(role)));
    }

    public Optional<Group> find(String name) {
        return all.stream().filter(group -> group.name().equals(name)).findFirst();
    }

    /** The same, with this one in place of the one of its name. */
    public Groups with(Group group) {
        return new Groups(Stream.concat(without(group.name()).all.stream(), Stream.of(group)).toList());
    }

    /** The same, without the one of this name. */
    public Groups without(String name) {
        return new Groups(filtered(group -> !group.name().equals(name)));
    }

    /** The groups whose Node this is; the shared one if it is nobody else's. */
    public List<Group> of(Node node) {
        List<Group> own = filtered(group -> group.isEnforced() && group.selects(node));
        return own.isEmpty() && !isControlPlane(node)
                ? filtered(group -> group.isEnforced() && group.spec().shared())
                : own;
    }

    /**
     * Whether the Node is, or would be if this group were enforced, one of the group.
     *
     * @param node empty if none of this name is known: a group may name it before it joins
     */
    boolean isOf(Group group, String name, Optional<Node> node) {
        if (!group.spec().shared()) {
            return node.map(group::selects).orElseGet(() -> group.spec().nodes().names().contains(name));
        }
        return node.filter(known -> !isControlPlane(known)
                && all.stream().noneMatch(other -> other.isEnforced() && other.selects(known))).isPresent();
    }

    /** Returns the groups whose member the pod is, and whose taints it is to tolerate. */
    public List<Group> of(CandidatePod pod, MemberFacts facts) {
        return filtered(group -> membership(group, pod, facts).is());
    }

    /** Returns what the pod is to one of these groups; the shared one has the pods that no other enforced group has. */
    Membership membership(Group of, CandidatePod pod, MemberFacts facts) {
        return of.spec().shared()
                ? Membership.ofShared(all.stream().filter(Group::isEnforced).map(one -> one.membership(pod, facts)))
                : of.membership(pod, facts);
    }

    /** Returns what the pod is to the groups whose members may use the Nodes of this one: itself, and those with its taint. */
    Membership access(Group to, CandidatePod pod, MemberFacts facts) {
        return Membership.ofAny(all.stream().filter(group -> group.admitsTo(to))
                .map(group -> membership(group, pod, facts)));
    }

    /** Whether labels of namespaces decide who is a member. */
    public boolean askForNamespaceLabels() {
        return all.stream().anyMatch(group -> group.spec().who().namespaceSelector().isPresent());
    }

    /** Returns whether a claim with these requests makes the pods that use it members of a group that does anything to pods. */
    public boolean haveMembersBy(Set<Set<String>> requests) {
        return all.stream().filter(Group::acts).map(group -> group.spec().who().deviceClasses())
                .anyMatch(classes -> requests.stream().anyMatch(classes::containsAll));
    }

    private List<Group> filtered(Predicate<Group> which) {
        return all.stream().filter(which).toList();
    }
}
