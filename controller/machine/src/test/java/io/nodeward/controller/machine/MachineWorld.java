package io.nodeward.controller.machine;

import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.NewProcess;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Machines of one Cluster, which all declare one taint for initialization, their Nodes, and what others do to them. */
final class MachineWorld extends FleetSimulation {
    private static final MachineTaint ONCE =
            new MachineTaint("once", "", "NoSchedule", MachineTaint.ON_INITIALIZATION);

    private final FakeStore<Machine> machines = store(Machine::withResourceVersion);
    private Initialization initialization = Initialization.WHEN_UNTRACKED;
    /** Uids of Nodes that registered without the initialization taint. */
    private final Set<String> initializedByOthers = new HashSet<>();
    /** Uids of Nodes off which somebody takes {@link #ONCE} as soon as it is there, and of those off which he has. */
    private final Set<String> awaited = new HashSet<>();
    private final Set<String> takenOff = new HashSet<>();

    MachineWorld(Random faults) {
        super(faults);
        statuses.add("machines", machines, MachineWorld::with);
        restart();
    }

    @Override
    protected ReconcileLoop<?> process(NewProcess process) {
        ManagementCluster management = process.management();
        machines.watch(management.machines());
        ControllerContext context = process.context(workload);
        NoExecuteLimit<ObjectId, ObjectKey> limit = module().limit(context, Leadership.UNCONTESTED);
        MachineReconciler reconciler =
                new MachineReconciler(management, new MachineScopes(management, workload), module().policy());
        return (ReconcileLoop<?>) module().controller(reconciler, new MachineWatches(management, workload, limit),
                () -> module().nodeOwners(management, context.clock()), limit, management, workload, context);
    }

    private MachineModule module() {
        return new MachineModule(new MachineConfig(), true, initialization, NoExecuteLimit.Settings.NONE);
    }

    /** By a flag, with which the next process starts. */
    void initialize(Initialization when) {
        initialization = when;
        restart();
    }

    /** A new Machine, for the Node of that name or of another. */
    void create(String name, String uid, String node) {
        create(name, uid, "fake://" + node, "");
    }

    /** A new Machine that knows its Node by the name alone. */
    void createNamed(String name, String uid) {
        create(name, uid, "", name);
    }

    private void create(String name, String uid, String providerId, String nodeName) {
        machines.delete(key(name));
        machines.put(new Machine(metadata(key(name), uid), CLUSTER.name(), providerId, nodeName, List.of(ONCE),
                List.of()));
    }

    void ensure(String name) {
        if (machines.get(key(name)).isEmpty()) {
            create(name, "last of " + name, name);
        }
    }

    void delete(String machine) {
        machines.delete(key(machine));
    }

    void declare(String machine, List<MachineTaint> taints, Map<String, String> labels) {
        List<MachineTaint> all = new ArrayList<>(taints);
        all.add(ONCE);
        machines.get(key(machine)).ifPresent(m -> machines.put(new Machine(
                new Metadata(m.key(), m.metadata().uid(), "", labels, Map.of(), List.of(), false),
                m.clusterName(), m.providerId(), m.nodeName(), all, m.conditions())));
    }

    /** A new Node, which registers as one that somebody has initialized. */
    void joinInitialized(String node, String uid) {
        initializedByOthers.add(uid);
        join(node, uid, List.of());
    }

    /** Somebody waits for the end of the Node's initialization, and takes its taint off, once. */
    void finish(String node) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(found -> awaited.add(found.metadata().uid()));
    }

    @Override
    protected void afterWork() {
        super.afterWork();
        nodes.all().stream().filter(node -> hasOnce(node) && awaited.remove(node.metadata().uid())).forEach(node -> {
            takenOff.add(node.metadata().uid());
            nodes.put(new Node(node.metadata(), node.providerId(),
                    node.taints().stream().filter(taint -> !taint.key().equals(ONCE.key())).toList()));
        });
    }

    private static boolean hasOnce(Node node) {
        return node.taints().stream().anyMatch(taint -> taint.key().equals(ONCE.key()));
    }

    /** What was rejected waits for a change. */
    @Override
    protected void touchRejected() {
        workload.rejected().forEach(node -> machines.get(key(node.name())).ifPresent(m -> machines.put(new Machine(
                new Metadata(m.key(), m.metadata().uid(), "", m.metadata().labels(), Map.of("touched", ""),
                        List.of(), false),
                m.clusterName(), m.providerId(), m.nodeName(), m.taints(), m.conditions()))));
    }

    @Override
    protected List<String> left() {
        return nodes.all().stream().filter(node -> {
            List<Machine> owners = machines.all().stream().filter(m -> m.providerId().equals(node.providerId())
                    || m.nodeName().equals(node.key().name())).toList();
            return owners.size() == 1 && (hasOnce(node) != isToHaveOnce(node.metadata().uid()) || !NodePlanner
                    .plan(Owner.of(owners.getFirst()), node, module().policy()).change().isEmpty());
        }).map(node -> node.key().name()).toList();
    }

    private boolean isToHaveOnce(String node) {
        boolean isNew = initialization == Initialization.WHEN_UNTRACKED || !initializedByOthers.contains(node);
        return isNew && !takenOff.contains(node);
    }

    @Override
    protected String state() {
        return Stream.concat(Stream.of(nodesAsText()), machines.all().stream()
                .map(machine -> machine.key() + " " + machine.conditions().stream()
                        .map(c -> c.type() + " " + c.reason() + ": " + c.message()).toList()))
                .collect(Collectors.joining("\n"));
    }

    private static Machine with(Machine machine, List<Condition> conditions) {
        return new Machine(machine.metadata(), machine.clusterName(), machine.providerId(), machine.nodeName(),
                machine.taints(), conditions);
    }
}
