package io.nodeward.core.rules.dedicated;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Taints that Nodes have because of groups, and that none of their groups gives them: what was in force is not known any more, as
 * after a restart, or it was never recorded. They go as those of a group do that gives up Nodes. Of the Nodes that have the same key and value, no more than ten,
 * or no more than a tenth, lose it at once.
 *
 * @param nodes the Nodes that wait for their turn, by the name of the {@link Group#unknown} group
 */
public record OrphanTaints(Map<String, Set<ObjectKey>> nodes) {
    public OrphanTaints {
        nodes = Map.copyOf(nodes);
    }

    /**
     * Finds them.
     *
     * @param managed all Nodes that have anything because of groups
     * @param groupsOf the groups of a Node, in force or kept
     */
    public static OrphanTaints of(Collection<Node> managed, Function<Node, List<Group>> groupsOf) {
        Map<String, Set<ObjectKey>> all = new HashMap<>();
        Map<String, Set<ObjectKey>> orphans = new HashMap<>();
        for (Node node : managed) {
            List<Group> groups = groupsOf.apply(node);
            for (Taint taint : DedicatedNodePlan.managed(node)) {
                String name = Group.unknown(taint).name();
                all.computeIfAbsent(name, any -> new HashSet<>()).add(node.key());
                if (isOrphan(taint, groups)) {
                    orphans.computeIfAbsent(name, any -> new HashSet<>()).add(node.key());
                }
            }
        }
        orphans.entrySet().removeIf(
                each -> !Contradictions.areMany(each.getValue().size(),
                        all.getOrDefault(each.getKey(), Set.of()).size()));
        return new OrphanTaints(orphans);
    }

    /**
     * Returns the unknown groups whose taints a Node keeps until its turn comes.
     *
     * @param groups of the Node, in force or kept
     */
    public List<Group> of(Node node, List<Group> groups) {
        return DedicatedNodePlan.managed(node).stream().filter(taint -> isOrphan(taint, groups)).map(Group::unknown)
                .filter(unknown -> nodes.getOrDefault(unknown.name(), Set.of()).contains(node.key())).toList();
    }

    /** Returns these with those of the others that have the taint of one of the groups. */
    OrphanTaints with(List<Group> groups, OrphanTaints others) {
        Map<String, Set<ObjectKey>> all = new HashMap<>(nodes);
        groups.stream().map(group -> group.spec().taint()).map(taint -> Group.unknownName(taint.key(), taint.value()))
                .distinct().forEach(name -> all.put(name,
                        both(nodes.getOrDefault(name, Set.of()), others.nodes.getOrDefault(name, Set.of()))));
        return new OrphanTaints(all);
    }

    private static Set<ObjectKey> both(Set<ObjectKey> some, Set<ObjectKey> others) {
        Set<ObjectKey> all = new HashSet<>(some);
        all.addAll(others);
        return all;
    }

    /** Forgets the taints of a Node, except those of these unknown groups. */
    void retain(ObjectKey node, List<Group> unknown) {
        nodes.entrySet().stream()
                .filter(each -> unknown.stream().noneMatch(group -> group.name().equals(each.getKey())))
                .forEach(each -> each.getValue().remove(node));
    }

    private static boolean isOrphan(Taint taint, List<Group> groups) {
        return groups.stream().noneMatch(group -> group.hasKeyAndValueOf(taint));
    }
}
