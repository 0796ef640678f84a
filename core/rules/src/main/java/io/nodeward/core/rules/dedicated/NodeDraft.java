package io.nodeward.core.rules.dedicated;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.TrackedTaints;
import io.nodeward.core.rules.toleration.NodeFit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A Node as its groups want it, group by group. */
final class NodeDraft {
    private static final String NO_EXECUTE = "NoExecute";

    private final Node node;
    private final Map<TaintId, Taint> there = new HashMap<>();
    private final Tracking tracking;
    private final Set<TaintId> managed;
    private final Set<TaintId> byMachine;
    private final Labels labels;
    private final Map<TaintId, Taint> wanted = new LinkedHashMap<>();
    private final Map<String, Group> byKey = new HashMap<>();
    private final List<NodeConflict> conflicts = new ArrayList<>(0);
    /** Of groups whose NoExecute may be set now. */
    private final Set<Taint> allowed = new HashSet<>();

    NodeDraft(Node node) {
        this.node = node;
        node.taints().forEach(taint -> there.put(taint.id(), taint));
        this.tracking = Tracking.of(node);
        this.managed = tracking.proven() ? tracking.claimed() : Set.of();
        this.byMachine = TrackedTaints.of(node);
        this.labels = new Labels(node, tracking.labels());
    }

    DedicatedNodePlan plan(List<Placed> groups) {
        groups.stream().filter(Placed::noExecute).forEach(placed -> allowed.addAll(placed.group().taints()));
        groups.stream()
                .sorted(Comparator.comparing((Placed placed) -> !isHere(placed.group()))
                        .thenComparing(placed -> placed.group().name()))
                .forEach(this::place);
        SortedMap<String, Optional<String>> changedLabels = labels.changes();
        SortedMap<String, Optional<String>> annotations = new TreeMap<>();
        List<Taint> unproven = unproven();
        Tracking.track(node, wanted.keySet(), labels.managed(), !unproven.isEmpty(), annotations, changedLabels);
        NodeChange change = new NodeChange(
                node.key().name(), node.metadata().resourceVersion(), taints(), changedLabels, annotations);
        return new DedicatedNodePlan(change, conflicts, unproven);
    }

    /** The digest says that something was managed, and nothing says what: it may be what looks like a group's. */
    private List<Taint> unproven() {
        return tracking.disproven()
                ? node.taints().stream().filter(taint -> !wanted.containsKey(taint.id()) && labels.isMirrorOf(taint))
                        .toList()
                : List.of();
    }

    /** Whether the Node has a taint of this group already, so that another one with the same key has to wait. */
    private boolean isHere(Group group) {
        return group.fault().isPresent()
                ? managed(group).anyMatch(taint -> taint.value().equals(group.spec().taint().value()))
                : group.taints().stream().anyMatch(taint -> managed.contains(taint.id()) && isThere(taint));
    }

    /** The taints with the group's key that are managed, whatever their effects. */
    private Stream<Taint> managed(Group group) {
        return node.taints().stream()
                .filter(taint -> managed.contains(taint.id()) && taint.key().equals(group.spec().taint().key()));
    }

    private void place(Placed placed) {
        Group group = placed.group();
        Group first = byKey.putIfAbsent(group.spec().taint().key(), group);
        if (first != null && Contradictions.contradict(first, group)) {
            conflict(group, "it has the taint " + Contradictions.text(first) + " of DedicatedNodes " + first.name());
            return;
        }
        if (placed.kept() || group.fault().isPresent()) {
            managed(group).forEach(taint -> wanted.put(taint.id(), taint));
            labels.keep(group);
            return;
        }
        Collection<Taint> taints = taints(group);
        adopt(group, taints);
        taints.forEach(taint -> want(group, taint));
        if (taints.stream().anyMatch(taint -> wanted.containsKey(taint.id()) || isThere(taint))) {
            label(group);
        }
    }

    private void label(Group group) {
        labels.want(group).ifPresent(value -> conflict(group,
                "it has the label " + group.labelKey() + "=" + value + ", which something else manages"));
    }

    /** If the digest does not match, a taint as the group declares it is the group's by its label or by the annotation. */
    private void adopt(Group group, Collection<Taint> taints) {
        if (tracking.proven()) {
            return;
        }
        boolean labelled = labels.isAsDeclared(group);
        List<Taint> own = taints.stream().filter(taint -> isThere(taint) && !byMachine.contains(taint.id()))
                .filter(taint -> labelled || tracking.claimed().contains(taint.id())).toList();
        own.forEach(taint -> wanted.put(taint.id(), taint));
        if (labelled && !own.isEmpty()) {
            labels.adopt(group);
        }
    }

    private Collection<Taint> taints(Group group) {
        Map<TaintId, Taint> taints = new LinkedHashMap<>();
        for (Taint taint : group.taints()) {
            boolean early = taint.effect().equals(NO_EXECUTE) && !allowed.contains(taint) && !isThere(taint);
            Taint now = early ? Group.standIn(taint) : taint;
            taints.put(now.id(), now);
        }
        return taints.values();
    }

    /** Of two layers with different values the Machine's wins: else they would overwrite each other for ever. */
    private void want(Group group, Taint taint) {
        Taint found = there.get(taint.id());
        if (found == null) {
            wanted.put(taint.id(), taint);
            return;
        }
        boolean right = found.value().equals(taint.value());
        if (right ? managed.contains(taint.id()) : isOurs(taint.id())) {
            wanted.put(taint.id(), taint);
        } else if (!right) {
            conflict(group, "it has the taint " + NodeFit.text(found) + ", which something else manages");
        }
    }

    private boolean isOurs(TaintId taint) {
        return managed.contains(taint) && !byMachine.contains(taint);
    }

    private boolean isThere(Taint taint) {
        Taint found = there.get(taint.id());
        return found != null && found.value().equals(taint.value());
    }

    private void conflict(Group group, String message) {
        conflicts.add(new NodeConflict(group.name(), message));
    }

    private Optional<List<Taint>> taints() {
        List<Taint> after = new ArrayList<>(node.taints().size() + wanted.size());
        for (Taint taint : node.taints()) {
            Taint right = wanted.get(taint.id());
            if (right != null) {
                after.add(right.value().equals(taint.value()) ? taint : right);
            } else if (!isOurs(taint.id())) {
                after.add(taint);
            }
        }
        wanted.values().stream().filter(taint -> !there.containsKey(taint.id())).forEach(after::add);
        return after.equals(node.taints()) ? Optional.empty() : Optional.of(after);
    }
}
