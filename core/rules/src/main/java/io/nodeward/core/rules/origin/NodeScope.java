package io.nodeward.core.rules.origin;

import io.nodeward.api.node.Node;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.taint.Initialization;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The loaded facts of a Node: itself, and all that is known of where its taints may come from.
 *
 * @param timeAdded of those of its taints that have it
 * @param unschedulable {@code spec.unschedulable}: somebody has cordoned it
 * @param levels who declares taints for it, the nearest first; none if it is nobody's
 * @param unread who may declare taints above all of these, but is not known; empty if nobody may
 * @param gates as the controller is started with
 */
public record NodeScope(
        Node node,
        Optional<Instant> created,
        Map<TaintId, Instant> timeAdded,
        boolean unschedulable,
        List<ManagedFieldsEntry> writers,
        List<DeclaringObject> levels,
        Optional<String> unread,
        Bootstrap bootstrap,
        Gates gates) {
    /** Servers write whole seconds, and the one of an object's making may be the one before its first write. */
    private static final Duration MAKING = Duration.ofSeconds(1);

    public NodeScope {
        timeAdded = Map.copyOf(timeAdded);
        writers = List.copyOf(writers);
        levels = List.copyOf(levels);
    }

    /**
     * The settings of the controller that matter here. No API shows them, so the caller gives them.
     *
     * @param propagates the gate MachineTaintPropagation
     * @param initialization until when a Node gets taints for its initialization alone
     * @param pools the gate MachinePoolTaintPropagation; empty if it is not given
     * @param topologies the gate TopologyTaintPropagation; likewise
     */
    public record Gates(boolean propagates, Initialization initialization, Optional<Boolean> pools,
            Optional<Boolean> topologies) {
        public static final Gates DEFAULT = new Gates(true, Initialization.WHEN_UNTRACKED);

        /** Without those that are off by default. */
        public Gates(boolean propagates, Initialization initialization) {
            this(propagates, initialization, Optional.empty(), Optional.empty());
        }

        /** Whether what Clusters and ClusterClasses declare is merged. */
        boolean merges() {
            return propagates && topologies.orElse(false);
        }

        boolean poolsOn() {
            return pools.orElse(false);
        }
    }

    /** Who owns an annotation of the Node. */
    List<ManagedFieldsEntry> ownersOf(String annotation) {
        return writers.stream().filter(writer -> writer.annotations().contains(annotation)).toList();
    }

    /** Whether what an annotation of the Node tracks was carried there; true too if nobody says who wrote it. */
    boolean isPropagated(String annotation) {
        List<ManagedFieldsEntry> owners = ownersOf(annotation);
        return owners.isEmpty() || owners.stream().anyMatch(writer -> writer.isOf(Actor.PROPAGATOR));
    }

    /** Whether the Node registered with a taint that it has: only the kubelet has written the list, and at once. */
    boolean registeredWith(TaintId id) {
        List<ManagedFieldsEntry> lists = listWriters();
        return !lists.isEmpty()
                && lists.stream().allMatch(writer -> writer.isOf(Actor.KUBELET) && isOfMaking(writer.time()))
                && (!timeAdded.containsKey(id) || isOfMaking(Optional.ofNullable(timeAdded.get(id))));
    }

    private boolean isOfMaking(Optional<Instant> time) {
        return created.isPresent() && time.isPresent() && !time.get().isAfter(created.get().plus(MAKING));
    }

    /** Who wrote the list of taints as it is. */
    List<ManagedFieldsEntry> listWriters() {
        return writers.stream().filter(ManagedFieldsEntry::list).toList();
    }

    static Optional<ManagedFieldsEntry> latest(List<ManagedFieldsEntry> writers) {
        return writers.stream().max(
                (one, other) -> one.time().orElse(Instant.MIN).compareTo(other.time().orElse(Instant.MIN)));
    }
}
