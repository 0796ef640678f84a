package io.nodeward.core.rules.taint;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The taints with the effect {@code NoExecute} that a change brings to a Node, so that pods are evicted which might stay. Those of
 * a new Node, where no pod runs yet, are none of them, and neither are those that somebody took from a Node that had them.
 */
public final class NewNoExecute {
    private static final String NO_EXECUTE = "NoExecute";

    private final Node node;
    private final NodeChange change;
    private final Set<TaintId> tracked;

    private NewNoExecute(Node node, NodeChange change) {
        this.node = node;
        this.change = change;
        this.tracked = TrackedTaints.of(node);
    }

    /** The change without them: what gets another value keeps the one that it has. Empty if it brings none. */
    public static Optional<NodeChange> without(Node node, NodeChange change) {
        if (change.taints().isEmpty() || node.taints().stream().anyMatch(Initialization::isUninitialized)) {
            return Optional.empty();
        }
        NewNoExecute planned = new NewNoExecute(node, change);
        Set<TaintId> brought = planned.brought();
        return brought.isEmpty() ? Optional.empty() : Optional.of(planned.without(brought));
    }

    private Set<TaintId> brought() {
        return change.taints().stream().flatMap(List::stream)
                .filter(taint -> taint.effect().equals(NO_EXECUTE) && isBrought(taint))
                .map(Taint::id).collect(Collectors.toSet());
    }

    private boolean isBrought(Taint taint) {
        return there(taint.id()).map(there -> !there.value().equals(taint.value()))
                .orElseGet(() -> !tracked.contains(taint.id()));
    }

    private Optional<Taint> there(TaintId id) {
        return node.taints().stream().filter(taint -> taint.id().equals(id)).findFirst();
    }

    private NodeChange without(Set<TaintId> brought) {
        List<Taint> taints = new ArrayList<>();
        for (Taint taint : change.taints().orElseThrow()) {
            if (brought.contains(taint.id())) {
                there(taint.id()).ifPresent(taints::add);
            } else {
                taints.add(taint);
            }
        }
        return new NodeChange(change.node(), change.resourceVersion(),
                Optional.of(taints).filter(left -> !left.equals(node.taints())), change.labels(),
                annotations(brought));
    }

    /** What is not on the Node is not tracked. One that has yet to get taints for its initialization stays untracked. */
    private SortedMap<String, Optional<String>> annotations(Set<TaintId> brought) {
        SortedMap<String, Optional<String>> left = new TreeMap<>(change.annotations());
        Set<TaintId> later = TrackedTaints.of(change.applyTo(node, ""));
        for (String name : TrackedTaints.ANNOTATIONS) {
            if (left.containsKey(name) && !later.containsAll(brought)) {
                left.remove(name);
            }
            left.computeIfPresent(name, (same, text) -> text.map(ids -> without(ids, brought)));
            if (left.containsKey(name)
                    && left.get(name).equals(Optional.ofNullable(node.metadata().annotations().get(name)))) {
                left.remove(name);
            }
        }
        return left;
    }

    private String without(String ids, Set<TaintId> brought) {
        return List.of(ids.split(",")).stream().filter(id -> brought.stream()
                .noneMatch(taint -> taint.toString().equals(id) && !tracked.contains(taint)))
                .collect(Collectors.joining(","));
    }
}
