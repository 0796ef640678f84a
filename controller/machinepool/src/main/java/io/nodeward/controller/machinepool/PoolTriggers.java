package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.cluster.WorkloadListener;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Which Nodes of which pools a change concerns: all of a pool that has changed, and of a Node's change that one. */
final class PoolTriggers implements WorkloadListener {
    private final ManagementCluster management;
    private final MachinePools pools;
    private final WorkloadClusters workloads;
    private final WorkQueue<PoolNode> queue;

    PoolTriggers(
            ManagementCluster management, MachinePools pools, WorkloadClusters workloads, WorkQueue<PoolNode> queue) {
        this.management = management;
        this.pools = pools;
        this.workloads = workloads;
        this.queue = queue;
    }

    void subscribe() {
        pools.subscribe(this::poolChanged);
        management.clusters().subscribe(this::clusterChanged);
        management.machines().subscribe(this::machineChanged);
        workloads.subscribe(this);
    }

    private void poolChanged(@Nullable MachinePool before, @Nullable MachinePool after) {
        if (before != null && after != null && before.declaration().equals(after.declaration())) {
            return; // what is said of a refused write must not repeat it
        }
        Set<PoolNode> concerned = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).forEach(pool -> {
            concerned.add(PoolNode.itself(pool.key()));
            workloads.find(pool.cluster()).ifPresent(workload -> MachinePools.joined(pool, workload)
                    .forEach(node -> concerned.add(new PoolNode(pool.key(), node))));
        });
        concerned.forEach(queue::add);
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null && (before == null || after == null || before.paused() != after.paused())) {
            available(any.key());
        }
    }

    /** A pool that gets its first Machine leaves its Nodes to it, and has them again when the last is gone. */
    private void machineChanged(@Nullable Machine before, @Nullable Machine after) {
        Machine any = after != null ? after : before;
        if (any == null || before != null && after != null) {
            return;
        }
        any.metadata().owners().stream().filter(owner -> owner.kind().equals("MachinePool"))
                .map(owner -> new ObjectKey(any.key().namespace(), owner.name()))
                .flatMap(key -> pools.get(key).stream())
                .forEach(this::addAll);
    }

    @Override
    public void available(ObjectKey cluster) {
        pools.of(cluster).forEach(this::addAll);
    }

    private void addAll(MachinePool pool) {
        queue.add(PoolNode.itself(pool.key()));
        workloads.find(pool.cluster()).ifPresent(workload -> MachinePools.joined(pool, workload)
                .forEach(node -> queue.add(new PoolNode(pool.key(), node))));
    }

    @Override
    public void nodeChanged(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        Set<PoolNode> concerned = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).forEach(node -> pools
                .claiming(cluster, node)
                .forEach(pool -> concerned.add(new PoolNode(pool.key(), node.key().name()))));
        concerned.forEach(queue::add);
    }
}
