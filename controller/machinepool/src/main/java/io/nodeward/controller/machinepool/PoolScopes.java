package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.rules.fleet.Ambiguous;
import io.nodeward.core.rules.fleet.FleetView;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.rules.fleet.PoolMatch;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.Optional;
import java.util.Set;

/** Loads what is known of a pool, its Cluster and one of its Nodes: from caches alone. */
final class PoolScopes {
    private final ManagementCluster management;
    private final MachinePools pools;
    private final NodeListers workloads;
    private final PoolInfrastructure infrastructure;

    @Inject
    PoolScopes(
            ManagementCluster management,
            MachinePools pools,
            NodeListers workloads,
            PoolInfrastructure infrastructure) {
        this.management = management;
        this.pools = pools;
        this.workloads = workloads;
        this.infrastructure = infrastructure;
    }

    PoolScope load(PoolNodeKey key) {
        Optional<MachinePool> pool = pools.get(key.pool());
        if (pool.isEmpty()) {
            return new PoolScope.NotManaged("the pool is gone");
        }
        Optional<String> awaited = awaited(pool.get());
        if (awaited.isPresent()) {
            return new PoolScope.Waiting(awaited.get());
        }
        return workloads.find(pool.get().cluster()).map(workload -> matched(pool.get(), key.node(), workload))
                .orElseGet(() -> new PoolScope.Waiting(connection(pool.get())));
    }

    /** The cluster to be connected and answer. It is found once for each decision: what it tells must be of one moment. */
    static String connection(MachinePool pool) {
        return NodeListers.awaited(pool.cluster());
    }

    private PoolScope matched(MachinePool pool, String node, NodeView workload) {
        if (!management.hasMachines(pool.key())
                && infrastructure.makes(pool.key(), pool.infrastructure()) == Makes.UNREAD) {
            return new PoolScope.Waiting("the infrastructure of the pool to be read");
        }
        return switch (NodeMatcher.match(pool, node, new FleetView(management, pools, workload))) {
            case PoolMatch.Matched matched -> new PoolScope.Ready(pool, matched.node());
            case PoolMatch.NotMatched other -> new PoolScope.NotManaged(other.reason());
            case Ambiguous by -> new PoolScope.Stuck(pool, new Blocked(by.reason(), by.message()));
        };
    }

    /** What must come before the pool's Nodes may be written, besides its {@link #connection}; empty if nothing. */
    Optional<String> awaited(MachinePool pool) {
        Optional<Cluster> cluster = management.clusters().get(pool.cluster());
        return OwnerCluster.awaited(pool.cluster(), cluster, pool.metadata());
    }

    /** That the pool's Cluster is missing; a pool without a machine may be as new as its Cluster, which is on its way. */
    Optional<Blocked> clusterMissing(MachinePool pool) {
        return OwnerCluster.missing(pool, management.clusters().get(pool.cluster()))
                .map(message -> new Blocked(Reason.CLUSTER_NOT_FOUND, message));
    }

    /** The pool is gone. */
    void forget(ObjectKey pool) {
        infrastructure.forget(pool);
    }

    /** Names of the pool's Nodes that have joined; empty if nothing is known of its cluster. */
    Optional<Set<String>> joined(MachinePool pool) {
        return workloads.find(pool.cluster()).map(workload -> NodeMatcher.joined(pool, workload).keySet());
    }
}
