package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.WorkloadListener;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which Nodes of which pools a change concerns: all of a pool that asks for something else, those that a pool gets or
 * loses, and of a Node's change that one. Where several claim the same Node, all of them.
 */
final class PoolTriggers implements WorkloadListener {
    private final ManagementCluster management;
    private final MachinePools pools;
    private final NodeListers workloads;
    private final PoolInfrastructure infrastructure;
    private final WorkQueue<PoolNode> queue;
    /** How many Machines each pool has, as far as was told: a pool without any is not among them. */
    private final Map<ObjectKey, Integer> machines = new ConcurrentHashMap<>();

    PoolTriggers(
            ManagementCluster management,
            MachinePools pools,
            NodeListers workloads,
            PoolInfrastructure infrastructure,
            WorkQueue<PoolNode> queue) {
        this.management = management;
        this.pools = pools;
        this.workloads = workloads;
        this.infrastructure = infrastructure;
        this.queue = queue;
    }

    void subscribe() {
        pools.subscribe(this::poolChanged);
        management.clusters().subscribe(this::clusterChanged);
        management.machines().subscribe(this::machineChanged);
        workloads.subscribe(this);
        infrastructure.subscribe(key -> pools.get(key).ifPresent(this::addAll));
    }

    // A pool that grows lists one Node after the other: each time the others would be looked at for nothing.
    private void poolChanged(@Nullable MachinePool before, @Nullable MachinePool after) {
        Set<PoolNode> concerned = new LinkedHashSet<>();
        if (before != null && after != null && before.demand().equals(after.demand())) {
            addNodes(before.minus(after), concerned);
            addNodes(after.minus(before), concerned);
        } else {
            Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).forEach(pool -> {
                concerned.add(PoolNode.itself(pool.key()));
                addNodes(pool, concerned);
            });
        }
        concerned.forEach(queue::add);
    }

    private void addNodes(MachinePool pool, Set<PoolNode> concerned) {
        workloads.find(pool.cluster()).ifPresent(workload -> NodeMatcher.joined(pool, workload).values()
                .forEach(node -> {
                    concerned.add(new PoolNode(pool.key(), node.key().name()));
                    addClaiming(pool.cluster(), node, concerned);
                }));
    }

    private void addClaiming(ObjectKey cluster, Node node, Set<PoolNode> concerned) {
        NodeMatcher.poolsClaiming(cluster, node, pools)
                .forEach(pool -> concerned.add(new PoolNode(pool.key(), node.key().name())));
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null && (before == null || after == null || before.paused() != after.paused())) {
            available(any.key());
        }
    }

    @Override
    public void available(ObjectKey cluster) {
        pools.of(cluster).forEach(this::addAll);
    }

    private void addAll(MachinePool pool) {
        Set<PoolNode> concerned = new LinkedHashSet<>();
        concerned.add(PoolNode.itself(pool.key()));
        addNodes(pool, concerned);
        concerned.forEach(queue::add);
    }

    private void machineChanged(@Nullable Machine before, @Nullable Machine after) {
        Optional<ObjectKey> was = Optional.ofNullable(before).flatMap(Machine::pool);
        Optional<ObjectKey> is = Optional.ofNullable(after).flatMap(Machine::pool);
        if (!was.equals(is)) {
            was.ifPresent(pool -> counted(pool, -1));
            is.ifPresent(pool -> counted(pool, 1));
        }
        if (before == null || after == null || !claim(before).equals(claim(after))) {
            Set<PoolNode> concerned = new LinkedHashSet<>();
            Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after))
                    .forEach(machine -> workloads.find(machine.cluster()).stream()
                            .flatMap(workload -> NodeMatcher.claimed(machine, workload).stream())
                            .forEach(node -> addClaiming(machine.cluster(), node, concerned)));
            concerned.forEach(queue::add);
        }
    }

    /** A pool that gets its first Machine leaves its Nodes to it, and has them again when the last is gone. */
    private void counted(ObjectKey pool, int more) {
        Integer now = machines.merge(pool, more, (one, other) -> one + other == 0 ? null : one + other);
        if (now == null || now == 1 && more == 1) {
            infrastructure.forget(pool); // it may have begun to make Machines, or ended
            pools.get(pool).ifPresent(this::addAll);
        }
    }

    private static List<String> claim(Machine machine) {
        return List.of(machine.clusterName(), machine.providerId(), machine.nodeName());
    }

    @Override
    public void nodeChanged(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        Set<PoolNode> concerned = new LinkedHashSet<>();
        boolean renamed = before == null || after == null || !before.providerId().equals(after.providerId());
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).forEach(node -> {
            addClaiming(cluster, node, concerned);
            if (renamed && !node.providerId().isEmpty()) {
                // What blocks one of several Nodes with the same providerID comes and goes with the others.
                workloads.find(cluster).stream()
                        .flatMap(workload -> workload.nodesByProviderId(node.providerId()).stream())
                        .forEach(other -> addClaiming(cluster, other, concerned));
            }
        });
        concerned.forEach(queue::add);
    }
}
