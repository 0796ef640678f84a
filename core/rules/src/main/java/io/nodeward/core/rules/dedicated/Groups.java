package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.node.Node;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Groups beside each other.
 *
 * @param all in force, by name; those with {@code Warn} have pods, and no Nodes
 */
public record Groups(List<Group> all) {
    private static final List<String> CONTROL_PLANE =
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
        List<Group> others = all.stream().filter(other -> !other.name().equals(group.name())).toList();
        return new Groups(Stream.concat(others.stream(), Stream.of(group)).toList());
    }

    /** The groups whose Node this is; the shared one if it is nobody else's. */
    public List<Group> of(Node node) {
        List<Group> own = all.stream().filter(group -> group.isEnforced() && group.selects(node)).toList();
        return !own.isEmpty() || isControlPlane(node) ? own : shared();
    }

    /** The groups whose member the pod is; the shared one too if no group has Nodes for it. */
    public List<Group> of(CandidatePod pod, MemberFacts facts) {
        if (pod.pod().isMirror()) {
            return List.of();
        }
        List<Group> own = all.stream().filter(group -> group.admits(pod, facts)).toList();
        return own.stream().anyMatch(Group::isEnforced)
                ? own
                : new Groups(Stream.concat(own.stream(), shared().stream()).toList()).all;
    }

    /** The groups whose taints the pod is to tolerate: its own, and all of them for DaemonSets of the system. */
    public List<Group> toleratedBy(CandidatePod pod, MemberFacts facts) {
        boolean everywhere = pod.isOfDaemonSet() && facts.systemNamespaces().contains(pod.key().namespace());
        return everywhere ? all : of(pod, facts);
    }

    private List<Group> shared() {
        return all.stream().filter(group -> group.isEnforced() && group.spec().shared()).limit(1).toList();
    }
}
