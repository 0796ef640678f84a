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
import java.util.stream.Stream;

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

    /**
     * The change without them. What the Node has of the same key stays meanwhile, with its value: it may be what keeps pods off.
     * Empty if it brings none.
     */
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
        List<Taint> planned = change.taints().orElseThrow();
        Set<String> keys = brought.stream().map(TaintId::key).collect(Collectors.toSet());
        Set<TaintId> kept = node.taints().stream().map(Taint::id)
                .filter(id -> keys.contains(id.key()) && tracked.contains(id)).collect(Collectors.toSet());
        List<Taint> taints = new ArrayList<>();
        for (Taint taint : node.taints()) {
            if (kept.contains(taint.id()) || brought.contains(taint.id())) {
                taints.add(taint);
            } else {
                planned.stream().filter(each -> each.id().equals(taint.id())).forEach(taints::add);
            }
        }
        planned.stream().filter(each -> there(each.id()).isEmpty() && !brought.contains(each.id()))
                .forEach(taints::add);
        return new NodeChange(change.node(), change.resourceVersion(),
                Optional.of(taints).filter(left -> !left.equals(node.taints())), change.labels(),
                annotations(brought, kept));
    }

    /** What is not on the Node is not tracked. One that has yet to get taints for its initialization stays untracked. */
    private SortedMap<String, Optional<String>> annotations(Set<TaintId> brought, Set<TaintId> kept) {
        SortedMap<String, Optional<String>> left = new TreeMap<>(change.annotations());
        Set<TaintId> later = TrackedTaints.of(change.applyTo(node, ""));
        for (String name : TrackedTaints.ANNOTATIONS) {
            Optional<Set<TaintId>> now = TrackedTaints.of(node, name);
            if (!later.containsAll(brought)) {
                left.remove(name);
            }
            left.computeIfPresent(name,
                    (same, text) -> text.map(ids -> without(ids, brought, now.orElse(Set.of()), kept)));
            left.remove(name, Optional.ofNullable(node.metadata().annotations().get(name)));
        }
        return left;
    }

    private static String without(String ids, Set<TaintId> brought, Set<TaintId> now, Set<TaintId> kept) {
        return Stream.concat(
                Stream.of(ids.split(",")).filter(id -> brought.stream()
                        .noneMatch(taint -> taint.toString().equals(id) && !now.contains(taint))),
                now.stream().filter(kept::contains).map(TaintId::toString))
                .filter(id -> !id.isEmpty()).distinct().sorted().collect(Collectors.joining(","));
    }
}
