package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.runtime.controller.MapFunction;
import jakarta.inject.Inject;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which node groups a change concerns: the one that has changed, those of a Cluster that is paused no more, and the pool
 * that gets or loses a Machine, or of whose infrastructure more is known.
 */
final class NodeGroupWatches {
    private final NodeGroupCaches groups;

    @Inject
    NodeGroupWatches(NodeGroupCaches groups) {
        this.groups = groups;
    }

    Set<NodeGroupKey> mapGroup(NodeGroupKind kind, @Nullable NodeGroup before, @Nullable NodeGroup after) {
        // A report of a refused write must not repeat the write.
        return MapFunction.differs(before, after, NodeGroup::declaration)
                ? Set.of(new NodeGroupKey(kind, MapFunction.latest(before, after).key()))
                : Set.of();
    }

    Set<NodeGroupKey> mapMachine(@Nullable Machine before, @Nullable Machine after) {
        Optional<ObjectKey> was = Optional.ofNullable(before).flatMap(Machine::pool);
        Optional<ObjectKey> is = Optional.ofNullable(after).flatMap(Machine::pool);
        return was.equals(is)
                ? Set.of()
                : Stream.of(was, is).flatMap(Optional::stream).flatMap(pool -> mapPool(pool).stream())
                        .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The pool, if it is a node group. */
    Set<NodeGroupKey> mapPool(ObjectKey pool) {
        NodeGroupKey key = new NodeGroupKey(NodeGroupKind.MACHINE_POOL, pool);
        return groups.get(key).isPresent() ? Set.of(key) : Set.of();
    }

    Set<NodeGroupKey> mapCluster(@Nullable Cluster before, @Nullable Cluster after) {
        return Pause.changed(before, after)
                .<Set<NodeGroupKey>>map(cluster -> new LinkedHashSet<>(groups.in(cluster))).orElse(Set.of());
    }
}
