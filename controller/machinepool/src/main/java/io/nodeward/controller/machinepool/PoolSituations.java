package io.nodeward.controller.machinepool;

import com.google.inject.Inject;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import java.util.Collection;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Loads what is known of a pool, its Cluster and one of its Nodes, from caches alone. */
final class PoolSituations {
    private static final PoolSituation NOT_OURS = new PoolSituation.NotOurs();

    private final ManagementCluster management;
    private final MachinePools pools;
    private final WorkloadClusters workloads;

    @Inject
    PoolSituations(ManagementCluster management, MachinePools pools, WorkloadClusters workloads) {
        this.management = management;
        this.pools = pools;
        this.workloads = workloads;
    }

    PoolSituation load(PoolNode key) {
        Optional<MachinePool> pool = pools.get(key.pool());
        return pool.isEmpty() ? NOT_OURS : ofPool(pool.get(), key.node());
    }

    private PoolSituation ofPool(MachinePool pool, String name) {
        Optional<Cluster> cluster = management.clusters().get(pool.cluster());
        if (cluster.isEmpty()) {
            return new PoolSituation.Waiting("Cluster " + pool.cluster());
        }
        if (cluster.get().paused() || pool.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION)) {
            return new PoolSituation.Waiting("the end of the pause");
        }
        if (!management.machines().find(ManagementCluster.BY_POOL, pool.key().toString()).isEmpty()) {
            return new PoolSituation.Waiting("nothing: this pool has Machines, which have its Nodes");
        }
        Optional<WorkloadCluster> workload = workloads.find(pool.cluster());
        if (workload.isEmpty()) {
            return new PoolSituation.Waiting("Cluster " + pool.cluster() + " to be connected and answer");
        }
        Optional<Node> node = workload.get().node(name);
        return node.isEmpty() ? NOT_OURS : ofNode(pool, node.get(), workload.get());
    }

    private PoolSituation ofNode(MachinePool pool, Node node, WorkloadCluster workload) {
        Collection<MachinePool> claiming = pools.claiming(pool.cluster(), node);
        if (claiming.stream().noneMatch(one -> one.key().equals(pool.key()))) {
            return NOT_OURS;
        }
        Optional<Machine> machine = machine(pool.cluster(), node);
        if (machine.isPresent()) {
            return new PoolSituation.Waiting("nothing: the Node is that of Machine " + machine.get().key().name());
        }
        if (!node.providerId().isEmpty() && workload.nodesByProviderId(node.providerId()).size() > 1) {
            return new PoolSituation.Stuck(pool, new Blocked("ProviderIDNotUnique",
                    "several Nodes have providerID " + node.providerId() + "; none of them is changed"));
        }
        if (claiming.size() > 1) {
            String names = claiming.stream().map(one -> one.key().name()).collect(Collectors.joining(", "));
            return new PoolSituation.Stuck(pool, new Blocked("NodeClaimedTwice",
                    "Node " + node.key() + " is claimed by MachinePools " + names + "; none of them is propagated"));
        }
        return new PoolSituation.Ready(pool, node, workload);
    }

    private Optional<Machine> machine(ObjectKey cluster, Node node) {
        Stream<Machine> byProviderId = node.providerId().isEmpty() ? Stream.empty() : management.machines()
                .find(ManagementCluster.BY_PROVIDER_ID, ManagementCluster.inCluster(cluster, node.providerId()))
                .stream();
        Stream<Machine> byName = management.machines()
                .find(ManagementCluster.BY_NODE_NAME, ManagementCluster.inCluster(cluster, node.key().name()))
                .stream();
        return Stream.concat(byProviderId, byName).findFirst();
    }
}
