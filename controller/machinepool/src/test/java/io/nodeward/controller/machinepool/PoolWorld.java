package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.NewProcess;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** MachinePools of one Cluster, their Nodes, and what others do to them. */
final class PoolWorld extends FleetSimulation {
    private final FakeStore<MachinePool> pools = store(MachinePool::withResourceVersion);
    private final FakeStore<Machine> machines = store(Machine::withResourceVersion);

    PoolWorld(Random faults) {
        super(faults);
        statuses.add("machinepools", pools, PoolWorld::with);
        restart();
    }

    @Override
    protected ReconcileLoop<?> process(NewProcess process) {
        ManagementCluster management = process.management();
        ObjectCache<MachinePool> cache = new ObjectCache<>(
                MachinePools.BY_CLUSTER, MachinePools.BY_PROVIDER_ID, MachinePools.BY_NODE);
        PoolInfrastructure infrastructure = process.infrastructure();
        MachinePools known = new MachinePools(management, infrastructure, cache);
        pools.watch(cache);
        machines.watch(management.machines());
        MachinePoolModule module = new MachinePoolModule(
                new MachinePoolConfig(), true, Initialization.WHEN_UNTRACKED, NoExecuteLimit.Settings.NONE);
        ControllerContext context = process.context(workload);
        NoExecuteLimit<ObjectKey, PoolNodeKey> limit = module.limit(context, Leadership.UNCONTESTED);
        InitializingNodes initializing = module.initializing(process.timers(), Leadership.UNCONTESTED);
        PoolScopes scopes = new PoolScopes(management, known, workload, infrastructure);
        PoolReconciler reconciler = new PoolReconciler(management, known, scopes,
                new PoolPolicy(NodePolicy.forMachinePools()), initializing);
        return (ReconcileLoop<?>) module.controller(reconciler,
                new PooledNodes(management, known, scopes, initializing, context.clock()),
                new PoolWatches(known, workload, limit, initializing), known, management, workload, infrastructure,
                limit, context);
    }

    void create(String pool, String uid) {
        pools.put(new MachinePool(metadata(key(pool), uid), CLUSTER.name(),
                new MachinePool.Template(Map.of(), Map.of(), List.of()),
                new MachinePool.InfrastructureRef("", "", ""), List.of(), List.of(), List.of()));
    }

    void delete(String pool) {
        pools.delete(key(pool));
    }

    void declare(String pool, List<MachineTaint> taints) {
        pools.get(key(pool)).ifPresent(p -> pools.put(new MachinePool(p.metadata(), p.clusterName(),
                new MachinePool.Template(Map.of(), Map.of(), taints), p.infrastructure(), p.providerIds(), p.nodes(),
                p.conditions())));
    }

    void list(String pool, List<String> nodeNames) {
        pools.get(key(pool)).ifPresent(p -> pools.put(new MachinePool(p.metadata(), p.clusterName(), p.template(),
                p.infrastructure(), nodeNames.stream().map(node -> "fake://" + node).toList(), p.nodes(),
                p.conditions())));
    }

    /** The pool refers to Nodes by name, whatever their uid is. */
    void refer(String pool, List<String> nodeNames) {
        pools.get(key(pool)).ifPresent(p -> pools.put(new MachinePool(p.metadata(), p.clusterName(), p.template(),
                p.infrastructure(), p.providerIds(),
                nodeNames.stream().map(node -> new MachinePool.NodeRef(node, "")).toList(), p.conditions())));
    }

    /** A Machine that has a Node of its own. */
    void machine(String node, String uid) {
        machines.put(new Machine(metadata(key("m"), uid), CLUSTER.name(), "fake://" + node, "", List.of(), List.of()));
    }

    void deleteMachine() {
        machines.delete(key("m"));
    }

    /** What was rejected waits for a change: a label of somebody else's. */
    @Override
    protected void touchRejected() {
        List.copyOf(workload.rejected()).forEach(key -> nodes.get(key).ifPresent(before -> {
            Metadata m = before.metadata();
            nodes.put(new Node(new Metadata(m.key(), m.uid(), "", Map.of("touched", ""), m.annotations(), List.of(),
                    false), before.providerId(), before.taints()));
            nodes.put(before);
        }));
    }

    @Override
    protected List<String> left() {
        return nodes.all().stream().filter(node -> {
            List<MachinePool> owners =
                    pools.all().stream().filter(pool -> pool.providerIds().contains(node.providerId())
                            || pool.nodes().stream().anyMatch(ref -> ref.name().equals(node.key().name()))).toList();
            return owners.size() == 1
                    && machines.all().stream().noneMatch(m -> m.providerId().equals(node.providerId()))
                    && !NodePlanner.plan(new PoolOwners().of(owners.getFirst()), node, NodePolicy.forMachinePools())
                            .change().isEmpty();
        }).map(node -> node.key().name()).toList();
    }

    /** Since when the status says something depends on when it was seen. */
    @Override
    protected String state() {
        return Stream.concat(Stream.of(nodesAsText()), pools.all().stream()
                .map(pool -> pool.key() + " " + pool.conditions().stream()
                        .map(c -> c.type() + " " + c.reason() + ": " + c.message().replaceAll("since \\S+", "since"))
                        .toList()))
                .collect(Collectors.joining("\n"));
    }

    private static MachinePool with(MachinePool pool, List<Condition> conditions) {
        return new MachinePool(pool.metadata(), pool.clusterName(), pool.template(), pool.infrastructure(),
                pool.providerIds(), pool.nodes(), conditions);
    }
}
