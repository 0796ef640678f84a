package io.nodeward.core.rules.dedicated;

import io.nodeward.api.node.Node;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which Nodes each group selects, found once: groups by the hundred are compared with each other on Nodes by the thousand. */
final class NodeSets {
    private final List<Node> nodes;
    private final Map<Group, BitSet> selected = new HashMap<>();

    NodeSets(List<Node> nodes) {
        this.nodes = nodes.stream().sorted(Comparator.comparing(node -> node.key().name())).toList();
    }

    Node node(int index) {
        return nodes.get(index);
    }

    int size() {
        return nodes.size();
    }

    /** Those that it declares, none of the shared one; not to be changed. */
    BitSet selectedBy(Group group) {
        return selected.computeIfAbsent(group, this::select);
    }

    private BitSet select(Group group) {
        BitSet set = new BitSet(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            set.set(i, group.selects(nodes.get(i)));
        }
        return set;
    }

    /** The Nodes of a group that were enforced beside these. */
    BitSet of(Group group, Groups others) {
        return group.spec().shared() ? left(others.without(group.name())) : selectedBy(group);
    }

    private BitSet left(Groups others) {
        BitSet left = new BitSet(nodes.size());
        for (int i = 0; i < nodes.size(); i++) {
            left.set(i, !Groups.isControlPlane(nodes.get(i)));
        }
        others.all().stream().filter(Group::isEnforced).forEach(other -> left.andNot(selectedBy(other)));
        return left;
    }

    /** Of Nodes that both have, the name of the first. */
    Optional<String> firstOfBoth(Group one, Group other) {
        BitSet both = (BitSet) selectedBy(one).clone();
        both.and(selectedBy(other));
        return both.stream().mapToObj(i -> nodes.get(i).key().name()).findFirst();
    }
}
