package io.nodeward.core.rules.taint;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
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
    /**
     * So long a Node that nobody has tracked yet counts as new, although somebody else may have initialized it already. One that
     * is to be created later is not: by a clock that is far behind, most are.
     */
    private static final Duration NEW = Duration.ofMinutes(5);

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
     * Where one of them is set once only, what is declared beside it and not tracked yet waits too: the first write with a tracking
     * annotation ends a Node's initialization.
     *
     * @return empty if it brings none
     */
    public static Optional<NodeChange> without(Node node, NodeChange change, Instant now) {
        if (change.taints().isEmpty() || isNew(node, now)) {
            return Optional.empty();
        }
        NewNoExecute planned = new NewNoExecute(node, change);
        Set<TaintId> brought = planned.brought();
        return brought.isEmpty() ? Optional.empty() : Optional.of(planned.without(brought));
    }

    private static boolean isNew(Node node, Instant now) {
        return node.taints().stream().anyMatch(Initialization::isUninitialized)
                || TrackedTaints.ANNOTATIONS.stream().noneMatch(node.metadata().annotations()::containsKey)
                        && Duration.between(created(node), now).abs().compareTo(NEW) < 0;
    }

    private static Instant created(Node node) {
        try {
            return Instant.parse(node.created());
        } catch (DateTimeException e) {
            return Instant.EPOCH;
        }
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
        Set<TaintId> held = new HashSet<>(brought);
        Set<String> untracked = Set.of();
        if (!TrackedTaints.of(change.applyTo(node, "")).containsAll(brought)) {
            untracked = TrackedTaints.ANNOTATIONS.stream()
                    .filter(name -> !node.metadata().annotations().containsKey(name)).collect(Collectors.toSet());
            held.addAll(trackedFirst(untracked));
        }
        Set<TaintId> kept = keptFor(brought);
        SortedMap<String, Optional<String>> annotations = annotations(held, kept);
        annotations.keySet().removeAll(untracked);
        return new NodeChange(change.node(), change.resourceVersion(),
                Optional.of(taints(held, kept)).filter(taints -> !taints.equals(node.taints())), change.labels(),
                annotations);
    }

    /** What the change tracks by these annotations alone, and what it sets once only. */
    private Set<TaintId> trackedFirst(Set<String> annotations) {
        Node after = change.applyTo(node, "");
        Set<TaintId> all = TrackedTaints.of(after);
        Set<TaintId> ids = after.taints().stream().map(Taint::id)
                .filter(id -> there(id).isEmpty() && !all.contains(id)).collect(Collectors.toCollection(HashSet::new));
        TrackedTaints.ANNOTATIONS.stream().filter(annotations::contains)
                .forEach(name -> TrackedTaints.of(after, name).ifPresent(ids::addAll));
        TrackedTaints.ANNOTATIONS.stream().filter(name -> !annotations.contains(name))
                .forEach(name -> TrackedTaints.of(after, name).ifPresent(ids::removeAll));
        return ids;
    }

    /** What may keep pods off the Node, and has no place in the plan: it stays until its successor is there. */
    private Set<TaintId> keptFor(Set<TaintId> brought) {
        Set<String> keys = brought.stream().map(TaintId::key).collect(Collectors.toSet());
        return node.taints().stream().map(Taint::id)
                .filter(id -> keys.contains(id.key()) && tracked.contains(id)
                        && change.taints().orElseThrow().stream().noneMatch(taint -> taint.id().equals(id)))
                .collect(Collectors.toSet());
    }

    private List<Taint> taints(Set<TaintId> brought, Set<TaintId> kept) {
        List<Taint> planned = change.taints().orElseThrow();
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
        return taints;
    }

    /** What is not on the Node is not tracked. */
    private SortedMap<String, Optional<String>> annotations(Set<TaintId> brought, Set<TaintId> kept) {
        SortedMap<String, Optional<String>> left = new TreeMap<>(change.annotations());
        for (String name : TrackedTaints.ANNOTATIONS) {
            Set<TaintId> now = TrackedTaints.of(node, name).orElse(Set.of());
            left.computeIfPresent(name, (same, text) -> text.map(ids -> without(ids, brought, now, kept)));
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
