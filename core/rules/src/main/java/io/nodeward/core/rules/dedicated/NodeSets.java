package io.nodeward.core.rules.dedicated;

import io.nodeward.api.dedicated.SelectedNodes;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.taint.TrackedTaints;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which Nodes each group selects. It is kept while Nodes change one by one: a change costs one look at that Node for each
 * group, and a new group one look at each Node. Not safe for use by several threads.
 */
public final class NodeSets {
    private final Map<String, Integer> places = new HashMap<>();
    /** All Nodes by their places. One that has gone leaves an empty place to the next. */
    private final List<Optional<Node>> nodes = new ArrayList<>();
    private final BitSet free = new BitSet();
    private final Map<SelectedNodes, Selection> selections = new HashMap<>();

    private record Selection(Group group, BitSet nodes) {}

    /** What of a Node, besides who selects it, decides about groups beside each other. */
    private record Role(boolean controlPlane, List<Taint> byClusterApi) {
        static Role of(Node node) {
            return new Role(Groups.isControlPlane(node), TrackedTaints.onNode(node).toList());
        }
    }

    public NodeSets() {}

    public NodeSets(Collection<Node> nodes) {
        nodes.forEach(this::put);
    }

    /** Returns whether groups beside each other may amount to something else now. */
    public boolean put(Node node) {
        Integer known = places.get(node.key().name());
        int place = known == null ? newPlace() : known;
        Optional<Node> before = nodes.get(place);
        places.put(node.key().name(), place);
        nodes.set(place, Optional.of(node));
        boolean differs = before.isEmpty() || !Role.of(before.get()).equals(Role.of(node));
        for (Selection selection : selections.values()) {
            boolean is = selection.group().selects(node);
            differs |= is != selection.nodes().get(place);
            selection.nodes().set(place, is);
        }
        return differs;
    }

    private int newPlace() {
        int place = free.nextSetBit(0);
        if (place < 0) {
            nodes.add(Optional.empty());
            return nodes.size() - 1;
        }
        free.clear(place);
        return place;
    }

    /** Returns whether there was a Node of this name. */
    public boolean remove(String name) {
        Integer place = places.remove(name);
        if (place != null) {
            nodes.set(place, Optional.empty());
            free.set(place);
            selections.values().forEach(selection -> selection.nodes().clear(place));
        }
        return place != null;
    }

    int size() {
        return places.size();
    }

    /** Forgets what no group declares any more. */
    public void retain(Set<SelectedNodes> declared) {
        selections.keySet().retainAll(declared);
    }

    /** Returns the Node of this name. */
    Optional<Node> find(String node) {
        return Optional.ofNullable(places.get(node)).map(this::node);
    }

    Node node(int place) {
        return nodes.get(place).orElseThrow();
    }

    /** Returns the names of Nodes in order. */
    Stream<String> names(BitSet some) {
        return some.stream().mapToObj(place -> node(place).key().name()).sorted();
    }

    /** Returns the Nodes that the group declares, none of the shared one; not to be changed. */
    BitSet selectedBy(Group group) {
        return group.spec().shared()
                ? new BitSet()
                : selections.computeIfAbsent(group.spec().nodes(), same -> new Selection(group, select(group))).nodes();
    }

    private BitSet select(Group group) {
        BitSet set = new BitSet(nodes.size());
        places.values().forEach(place -> set.set(place, group.selects(node(place))));
        return set;
    }

    /** Returns the Nodes of a group that were enforced beside these. */
    BitSet of(Group group, Groups others) {
        return group.spec().shared() ? left(others.without(group.name())) : selectedBy(group);
    }

    private BitSet left(Groups others) {
        BitSet left = new BitSet(nodes.size());
        places.values().forEach(place -> left.set(place, !Groups.isControlPlane(node(place))));
        others.all().stream().filter(Group::isEnforced).forEach(other -> left.andNot(selectedBy(other)));
        return left;
    }

    /** Returns the name of the first Node that both have. */
    Optional<String> firstOfBoth(Group one, Group other) {
        BitSet both = (BitSet) selectedBy(one).clone();
        both.and(selectedBy(other));
        return names(both).findFirst();
    }

    Set<String> nameSet(BitSet some) {
        return names(some).collect(Collectors.toUnmodifiableSet());
    }
}
