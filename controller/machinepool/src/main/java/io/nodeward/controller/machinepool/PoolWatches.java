package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import jakarta.inject.Inject;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which Nodes of which pools a change concerns: all of a pool that asks for something else, those that a pool gets or
 * loses, and of a Node's change that one. Where several claim the same Node, all of them.
 */
final class PoolWatches {
    private final MachinePools pools;
    private final NodeListers workloads;
    private final NoExecuteLimit<ObjectKey, PoolNodeKey> limit;
    private final InitializingNodes initializing;

    @Inject
    PoolWatches(
            MachinePools pools, NodeListers workloads, NoExecuteLimit<ObjectKey, PoolNodeKey> limit,
            InitializingNodes initializing) {
        this.initializing = initializing;
        this.pools = pools;
        this.workloads = workloads;
        this.limit = limit;
    }

    /** A cluster that does not answer holds up its own pools and no others. */
    String lane(PoolNodeKey key) {
        return pools.get(key.pool()).map(pool -> pool.cluster().toString()).orElse("");
    }

    // A pool that grows lists one Node after the other: each time the others would be looked at for nothing.
    Set<PoolNodeKey> mapPool(@Nullable MachinePool before, @Nullable MachinePool after) {
        Set<PoolNodeKey> keys = new LinkedHashSet<>();
        if (before != null && after != null && before.demand().equals(after.demand())) {
            addNodes(before.minus(after), keys);
            addNodes(after.minus(before), keys);
        } else {
            MapFunction.both(before, after).forEach(pool -> addAll(pool, keys));
        }
        return keys;
    }

    Set<PoolNodeKey> mapCluster(@Nullable Cluster before, @Nullable Cluster after) {
        return Pause.changed(before, after).map(this::mapAvailable).orElse(Set.of());
    }

    /** All pools of a Cluster and their Nodes. */
    Set<PoolNodeKey> mapAvailable(ObjectKey cluster) {
        Set<PoolNodeKey> keys = new LinkedHashSet<>();
        pools.of(cluster).forEach(pool -> addAll(pool, keys));
        return keys;
    }

    /** A pool that gets its first Machine leaves its Nodes to it, and has them again when the last is gone. */
    Set<PoolNodeKey> mapMachine(@Nullable Machine before, @Nullable Machine after) {
        Set<PoolNodeKey> keys = new LinkedHashSet<>();
        pools.withFirstOrWithoutLast(before, after).flatMap(pool -> pools.get(pool).stream())
                .forEach(pool -> addAll(pool, keys));
        if (MapFunction.differs(before, after, Machine::claim)) {
            MapFunction.both(before, after).forEach(machine -> workloads.find(machine.cluster()).stream()
                    .flatMap(workload -> NodeMatcher.claimed(machine, workload).stream())
                    .forEach(node -> addClaiming(machine.cluster(), node, keys)));
        }
        return keys;
    }

    /** Tells {@link InitializingNodes} as well, as a Node may change twice before it is reconciled. */
    Set<PoolNodeKey> mapNode(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        Set<PoolNodeKey> keys = new LinkedHashSet<>();
        if (after != null) {
            addClaiming(cluster, after, keys);
            keys.forEach(key -> initializing.seen(key, after));
        }
        if (before != null) {
            addClaiming(cluster, before, keys);
        }
        if (MapFunction.differs(before, after, Node::providerId)) {
            // What blocks one of two Nodes with the same providerID comes and goes with the other; of more, all stay so.
            MapFunction.both(before, after).map(Node::providerId).filter(id -> !id.isEmpty())
                    .flatMap(id -> workloads.find(cluster).stream()
                            .flatMap(workload -> workload.nodesByProviderId(id, 2).stream()))
                    .forEach(other -> addClaiming(cluster, other, keys));
        }
        return keys;
    }

    /** It has become known, or known to be something else, what the pool's infrastructure makes. */
    Set<PoolNodeKey> mapInfrastructure(ObjectKey pool) {
        Set<PoolNodeKey> keys = new LinkedHashSet<>();
        pools.get(pool).ifPresent(found -> addAll(found, keys));
        return keys;
    }

    private void addAll(MachinePool pool, Set<PoolNodeKey> keys) {
        keys.add(PoolNodeKey.itself(pool.key()));
        addNodes(pool, keys);
        keys.addAll(limit.nodes(pool.key())); // those that left while the cluster did not answer no longer count
    }

    private void addNodes(MachinePool pool, Set<PoolNodeKey> keys) {
        workloads.find(pool.cluster()).ifPresent(workload -> NodeMatcher.joined(pool, workload).values()
                .forEach(node -> {
                    keys.add(new PoolNodeKey(pool.key(), node.key().name()));
                    addClaiming(pool.cluster(), node, keys);
                }));
    }

    private void addClaiming(ObjectKey cluster, Node node, Set<PoolNodeKey> keys) {
        NodeMatcher.poolsClaiming(cluster, node, pools)
                .forEach(pool -> keys.add(new PoolNodeKey(pool.key(), node.key().name())));
    }
}
