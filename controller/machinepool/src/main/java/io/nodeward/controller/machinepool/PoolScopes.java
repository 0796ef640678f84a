package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeLister;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Loads what is known of a pool, its Cluster and one of its Nodes: from caches but for the pool's infrastructure. */
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

    PoolScope load(PoolNode key) {
        Optional<MachinePool> pool = pools.get(key.pool());
        if (pool.isEmpty()) {
            return new PoolScope.NotOurs("the pool is gone");
        }
        Optional<String> awaited = awaited(pool.get());
        if (awaited.isPresent()) {
            return new PoolScope.Waiting(awaited.get());
        }
        if (hasMachines(pool.get())) {
            return new PoolScope.NotOurs("this pool has Machines, which have its Nodes");
        }
        return workloads.find(pool.get().cluster())
                .flatMap(workload -> workload.node(key.node()).map(node -> ofNode(pool.get(), node, workload)))
                .orElseGet(() -> new PoolScope.NotOurs("there is no such Node"));
    }

    /** What must come before anything is known of the pool's Nodes, or may be written; empty if nothing. */
    Optional<String> awaited(MachinePool pool) {
        Optional<Cluster> cluster = management.clusters().get(pool.cluster());
        if (cluster.isEmpty()) {
            return Optional.of("Cluster " + pool.cluster());
        }
        if (cluster.get().paused() || pool.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION)) {
            return Optional.of("the end of the pause");
        }
        return workloads.find(pool.cluster()).isEmpty()
                ? Optional.of("Cluster " + pool.cluster() + " to be connected and answer")
                : Optional.empty();
    }

    /** That the pool's Cluster is missing; a pool without a machine may be as new as its Cluster, which is on its way. */
    Optional<Blocked> clusterMissing(MachinePool pool) {
        boolean isNew = pool.providerIds().isEmpty() && pool.nodes().isEmpty();
        return isNew || management.clusters().get(pool.cluster()).isPresent()
                ? Optional.empty()
                : Optional.of(new Blocked("ClusterNotFound",
                        "Cluster " + pool.cluster() + " does not exist or is not watched"));
    }

    /** The pool is gone. */
    void forget(ObjectKey pool) {
        infrastructure.forget(pool);
    }

    /** Names of the pool's Nodes that have joined. */
    Set<String> joined(MachinePool pool) {
        return workloads.find(pool.cluster()).map(workload -> MachinePools.joined(pool, workload).keySet())
                .orElseGet(Set::of);
    }

    private boolean hasMachines(MachinePool pool) {
        return management.machines().has(ManagementCluster.BY_POOL, pool.key().toString())
                || infrastructure.makesMachines(pool);
    }

    private PoolScope ofNode(MachinePool pool, Node node, NodeLister workload) {
        Collection<MachinePool> claiming = pools.claiming(pool.cluster(), node);
        if (claiming.stream().noneMatch(one -> one.key().equals(pool.key()))) {
            return new PoolScope.NotOurs("the pool does not list the Node");
        }
        Optional<Machine> machine = management.machinesClaiming(pool.cluster(), node).findFirst();
        if (machine.isPresent()) {
            return new PoolScope.NotOurs("the Node is that of Machine " + machine.get().key().name());
        }
        if (!node.providerId().isEmpty() && workload.nodesByProviderId(node.providerId()).size() > 1) {
            return new PoolScope.Stuck(pool, new Blocked("ProviderIDNotUnique",
                    "several Nodes have providerID " + node.providerId() + "; none of them is changed"));
        }
        if (claiming.size() > 1) {
            String names = claiming.stream().map(one -> one.key().name()).sorted().collect(Collectors.joining(", "));
            return new PoolScope.Stuck(pool, new Blocked("NodeClaimedTwice",
                    "Node " + node.key() + " is claimed by MachinePools " + names + "; none of them is propagated"));
        }
        return new PoolScope.Ready(pool, node);
    }
}
