package io.nodeward.controller.topology;

import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.rules.topology.TopologyTaints;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.NewProcess;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** One Cluster with a topology, what is between it and its Machines, and what others do to them. */
final class TopologyWorld extends FleetSimulation {
    static final String SOMEBODY = "somebody";
    private static final ObjectKey CLASS = key("k");
    private static final Map<String, String> PLURALS = Map.of("MachineDeployment", "machinedeployments", "MachineSet",
            "machinesets", "MachinePool", "machinepools", "Machine", "machines");

    private final FakeStore<ClusterTopology> topologies = store(ClusterTopology::withResourceVersion);
    private final FakeStore<ClusterClass> classes = store(ClusterClass::withResourceVersion);
    private final Map<String, FakeStore<TaintHolder>> stores = new TreeMap<>();
    private final FakeTaintLists lists = new FakeTaintLists(stores, faults, this::takeOff);

    TopologyWorld(Random faults) {
        super(faults);
        PLURALS.forEach((kind, plural) -> {
            FakeStore<TaintHolder> store = store(TaintHolder::withResourceVersion);
            stores.put(kind, store);
            statuses.add(plural, store, TopologyWorld::with);
        });
        restart();
    }

    @Override
    protected ReconcileLoop<?> process(NewProcess process) {
        ManagementCluster management = process.management();
        TopologyPolicy policy = new TopologyPolicy(true, true, TopologyMode.FULL, NoExecuteLimit.Settings.DEFAULT);
        TopologyCaches caches = new TopologyCaches(management, policy);
        ControlPlanes controlPlanes = new ControlPlanes(management, policy);
        TopologyScopes scopes = new TopologyScopes(management, caches, controlPlanes, policy);
        topologies.watch(caches.topologies());
        classes.watch(caches.classes());
        stores.forEach((kind, store) -> store.watch(caches.holders(TopologyKind.of(kind))));
        TopologyWatches watches = new TopologyWatches(policy, caches);
        return (ReconcileLoop<?>) new PropagationModule(new TopologyConfig()).controller(
                new TopologyReconciler(scopes, policy),
                scopes, caches, watches, new ControlPlaneWatch(caches, controlPlanes, watches),
                process.context(lists.writer()));
    }

    /** Somebody pauses the object alone, or ends that. */
    void pause(String kind, String name, boolean paused) {
        FakeStore<TaintHolder> store = store(kind);
        store.get(key(name)).ifPresent(object -> {
            Metadata m = object.metadata();
            store.put(new TaintHolder(new Metadata(m.key(), m.uid(), "", m.labels(),
                    paused ? Map.of("cluster.x-k8s.io/paused", "") : Map.of(), m.owners(), false),
                    object.clusterName(), object.taints(), object.owners(), object.conditions(), 0));
        });
    }

    /** The ClusterClass declares these for all workers. */
    void declareInClass(List<MachineTaint> taints) {
        classes.put(new ClusterClass(metadata("k", "uid-k", Map.of(), Optional.empty()), List.of(),
                Map.of("w", taints), Map.of("w", taints)));
    }

    void deleteClass() {
        classes.delete(CLASS);
    }

    /** The Cluster declares these for all workers. */
    void declare(List<MachineTaint> taints) {
        topologies.put(new ClusterTopology(metadata("c", "uid-c", Map.of(), Optional.empty()), CLUSTER.namespace(), "k",
                ClusterTopology.ControlPlaneRef.NONE, List.of(),
                List.of(new ClusterTopology.Workers("d", "w", taints)),
                List.of(new ClusterTopology.Workers("p", "w", taints))));
    }

    /** Made anew, with all that it makes. */
    void create(String kind, String uid, List<MachineTaint> bySomebody) {
        switch (kind) {
            case "MachineDeployment" -> {
                create(kind, "d", uid, Optional.empty());
                create("MachineSet", uid, List.of());
            }
            case "MachineSet" -> {
                create(kind, "d", uid + "-set", maker("MachineDeployment", "d"));
                create("Machine", "d", uid + "-d", maker("MachineSet", "d"));
            }
            case "MachinePool" -> {
                create(kind, "p", uid, Optional.empty());
                create("Machine", "p", uid + "-p", maker("MachinePool", "p"));
            }
            default -> create("Machine", "d", uid, maker("MachineSet", "d"));
        }
        if (!bySomebody.isEmpty()) {
            apply(kind, SOMEBODY, bySomebody);
        }
    }

    private void create(String kind, String name, String uid, Optional<OwnerRef> maker) {
        String label = kind.equals("MachinePool") ? "pool-name" : "deployment-name";
        Map<String, String> labels = maker.isEmpty() ? Map.of("topology.cluster.x-k8s.io/" + label, name) : Map.of();
        store(kind).delete(key(name));
        lists.create(kind, metadata(name, uid, labels, maker));
    }

    private Optional<OwnerRef> maker(String kind, String name) {
        String uid = store(kind).get(key(name)).map(object -> object.metadata().uid()).orElse("none");
        return Optional.of(new OwnerRef("cluster.x-k8s.io/v1beta2", kind, name, uid, true));
    }

    /** Somebody applies these and nothing else. */
    void apply(String kind, String manager, List<MachineTaint> taints) {
        lists.change(kind, key(name(kind)), list -> list.apply(manager, taints, true));
    }

    /** Somebody takes off what only Nodeward has put there. */
    void takeOff(String kind) {
        store(kind).get(key(name(kind))).ifPresent(object -> takeOff(kind, object));
    }

    private void takeOff(TaintHolder object) {
        stores.forEach((kind, store) -> store.get(object.key())
                .filter(held -> held.metadata().uid().equals(object.metadata().uid()))
                .ifPresent(held -> takeOff(kind, held)));
    }

    private void takeOff(String kind, TaintHolder object) {
        List<MachineTaint> rest = object.taints().stream().filter(taint -> isOfOthers(object, taint)).toList();
        lists.change(kind, object.key(), list -> list.update("kubectl", rest));
    }

    private static boolean isOfOthers(TaintHolder object, MachineTaint taint) {
        return object.owners().stream()
                .anyMatch(owner -> !owner.manager().startsWith("nodeward") && owner.ownsItem(taint.id()));
    }

    private static String name(String kind) {
        return kind.equals("MachinePool") ? "p" : "d";
    }

    @Override
    protected void touchRejected() {} // refused writes are tried again

    @Override
    public int writes() {
        return lists.writer().writes();
    }

    /** Each object against what the one above it declares by now. */
    @Override
    protected List<String> left() {
        List<String> left = new ArrayList<>();
        TopologyTaints all = TopologyTaints.of(topologies.get(CLUSTER).orElseThrow(), classes.get(CLASS).orElseThrow());
        check("MachineDeployment", "d", all.machineDeployments().get("d").taints(), left);
        check("MachinePool", "p", all.machinePools().get("p").taints(), left);
        check("MachineSet", "d", taints("MachineDeployment", "d"), left);
        check("Machine", "d", taints("MachineSet", "d"), left);
        check("Machine", "p", taints("MachinePool", "p"), left);
        return left;
    }

    private List<MachineTaint> taints(String kind, String name) {
        return store(kind).get(key(name)).map(TaintHolder::taints).orElse(List.of());
    }

    private void check(String kind, String name, List<MachineTaint> wanted, List<String> left) {
        TaintHolder object = store(kind).get(key(name)).orElseThrow();
        wanted.stream().filter(taint -> !object.taints().contains(taint) && !isOfOthers(object, taint))
                .forEach(taint -> left.add(kind + " " + name + " lacks " + taint));
        object.taints().stream().filter(taint -> !wanted.contains(taint) && !isOfOthers(object, taint))
                .forEach(taint -> left.add(kind + " " + name + " still has " + taint));
    }

    /** In what order a list has its taints depends on when each came. */
    @Override
    protected String state() {
        StringBuilder state = new StringBuilder();
        clusters.all().forEach(cluster -> state.append(text(cluster.conditions())).append('\n'));
        stores.forEach((kind, store) -> store.all().forEach(object -> state.append(kind).append(object.key())
                .append(object.taints().stream().map(MachineTaint::toString).sorted().toList())
                .append(text(object.conditions())).append('\n')));
        return state.toString();
    }

    /** Since when depends on when it was seen. A message names taints in the order of their list. */
    private static List<String> text(List<Condition> conditions) {
        return conditions.stream().flatMap(c -> Stream.concat(
                Stream.of(c.type() + " " + c.reason() + ": " + c.message().replaceFirst(": .*", "")),
                Stream.of(c.message().replaceFirst("[^:]*: ", "").split("; ")).sorted())).toList();
    }

    private FakeStore<TaintHolder> store(String kind) {
        return Optional.ofNullable(stores.get(kind)).orElseThrow();
    }

    private static TaintHolder with(TaintHolder object, List<Condition> conditions) {
        return new TaintHolder(
                object.metadata(), object.clusterName(), object.taints(), object.owners(), conditions, 0);
    }

    private static Metadata metadata(String name, String uid, Map<String, String> labels, Optional<OwnerRef> maker) {
        return new Metadata(key(name), uid, "", labels, Map.of(), maker.stream().toList(), false);
    }
}
