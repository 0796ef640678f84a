package io.nodeward.controller.machine;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.Simulation;
import io.nodeward.core.runtime.simulation.StatusServer;
import io.nodeward.core.runtime.status.Conditions;
import io.nodeward.core.runtime.status.EventRecorder;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Machines of one Cluster, their Nodes, and what others do to them. */
final class MachineWorld extends Simulation {
    private final FakeStore<Machine> machines = new FakeStore<>(versions, Machine::withResourceVersion);
    private final FakeStore<Cluster> clusters = new FakeStore<>(versions, Cluster::withResourceVersion);

    MachineWorld(Random faults) {
        super(faults);
        add(machines);
        add(clusters);
        pause(false);
        restart();
    }

    @Override
    protected ReconcileLoop<?> process() {
        Timers timers = new Timers(time, time::nanoTime);
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        ApiServer server = new ApiServer(new StatusServer<>(machines, MachineWorld::with, faults));
        ManagementCluster management = new ManagementCluster(server, "", timers);
        machines.watch(management.machines());
        clusters.watch(management.clusters());
        ControllerContext context = new ControllerContext(workload,
                new Conditions(server, Duration.ofSeconds(30), time, time::nanoTime, true),
                new EventRecorder(server, time, timers, false, registry), time, timers, registry);
        MachineReconciler reconciler = new MachineReconciler(
                management, new MachineScopes(management, workload), NodePolicy.forMachines());
        return (ReconcileLoop<?>) new MachineModule(new MachineConfig(), true, Initialization.WHEN_UNTRACKED)
                .controller(reconciler, new MachineWatches(management, workload), management, workload, context);
    }

    void pause(boolean paused) {
        clusters.put(new Cluster(metadata(CLUSTER, "c", Map.of()), paused, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of()));
    }

    void answer(boolean answers) {
        workload.setAvailable(answers);
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
        machines.put(new Machine(metadata(key(name), uid, Map.of()), CLUSTER.name(), providerId, nodeName, List.of(),
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
        machines.get(key(machine)).ifPresent(m -> machines.put(new Machine(
                metadata(m.key(), m.metadata().uid(), labels), m.clusterName(), m.providerId(), m.nodeName(), taints,
                m.conditions())));
    }

    /** A new Node, which has just registered. */
    void join(String node, String uid) {
        nodes.delete(ObjectKey.clusterScoped(node));
        nodes.put(new Node(metadata(ObjectKey.clusterScoped(node), uid, Map.of()), "fake://" + node,
                List.of(Taint.of("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule"))));
    }

    void leave(String node) {
        nodes.delete(ObjectKey.clusterScoped(node));
    }

    /** Somebody else adds a taint, or takes it off. */
    void taint(String node, String key, boolean on) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(before -> {
            List<Taint> taints = new ArrayList<>(before.taints());
            taints.removeIf(taint -> taint.key().equals(key));
            if (on) {
                taints.add(Taint.of(key, "", "NoExecute"));
            }
            nodes.put(new Node(before.metadata(), before.providerId(), taints));
        });
    }

    void wipe(String node) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(before -> nodes.put(wiped(before)));
    }

    void heartbeat(String node) {
        nodes.get(ObjectKey.clusterScoped(node)).ifPresent(nodes::put);
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
            return owners.size() == 1 && !NodePlanner
                    .plan(Owner.of(owners.getFirst()), node, NodePolicy.forMachines()).change().isEmpty();
        }).map(node -> node.key().name()).toList();
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

    private static ObjectKey key(String machine) {
        return new ObjectKey(CLUSTER.namespace(), machine);
    }

    private static Metadata metadata(ObjectKey key, String uid, Map<String, String> labels) {
        return new Metadata(key, uid, "", labels, Map.of(), List.of(), false);
    }
}
