package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.NodeGroups;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.simulation.FakeObjects;
import io.nodeward.core.runtime.simulation.FakeStore;
import io.nodeward.core.runtime.simulation.FleetSimulation;
import io.nodeward.core.runtime.simulation.NewProcess;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Node groups of one Cluster, the annotations that others write there, and the controller. */
final class AdapterWorld extends FleetSimulation {
    private static final String SIZES = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-";

    private final AdapterConfig config = new AdapterConfig();
    private final CapacityPlanner planner = new CapacityPlanner(
            CapacityPolicy.standard(), List.of(), new PoolPropagation(true, true, pool -> Makes.NONE), config);
    private final Map<NodeGroupKind, FakeStore<NodeGroup>> groups = new EnumMap<>(NodeGroupKind.class);
    private Optional<FakeObjects<NodeGroup>> annotations = Optional.empty();
    private int writes;

    AdapterWorld(Random faults) {
        super(faults);
        config.labels = true;
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            FakeStore<NodeGroup> store = store(NodeGroup::withResourceVersion);
            groups.put(kind, store);
            statuses.add(kind.plural(), store, GroupServer::conditions);
        }
        restart();
    }

    @Override
    protected ReconcileLoop<?> process(NewProcess process) {
        ManagementCluster management = process.management();
        NodeGroupCaches caches = new NodeGroupCaches(management);
        groups.forEach((kind, store) -> store.watch(caches.of(kind)));
        PoolInfrastructure infrastructure = process.infrastructure();
        AdapterReconciler reconciler = new AdapterReconciler(
                management, caches, planner, infrastructure, new RedundantGroups());
        writes = writes();
        FakeObjects<NodeGroup> writer = new FakeObjects<>(kind -> store(kind(kind)),
                GroupServer::updated,
                (store, group) -> store.put(undone(group)), faults);
        annotations = Optional.of(writer);
        ControllerContext context = process.context(writer);
        return (ReconcileLoop<?>) new AdapterModule(config, true, true, List.of(), true)
                .controller(reconciler, new NodeGroupWatches(caches), caches, management, infrastructure, context);
    }

    private static NodeGroupKind kind(String text) {
        return Stream.of(NodeGroupKind.values()).filter(kind -> kind.text().equals(text)).findFirst().orElseThrow();
    }

    private FakeStore<NodeGroup> store(NodeGroupKind kind) {
        return Optional.ofNullable(groups.get(kind)).orElseThrow();
    }

    @Override
    public int writes() {
        return writes + annotations.map(FakeObjects::writes).orElse(0);
    }

    void create(NodeGroupKind kind, String uid) {
        store(kind).delete(key());
        store(kind).put(new NodeGroup(metadata(key(), uid, Map.of(SIZES + "min-size", "0", SIZES + "max-size", "3")),
                CLUSTER.name(), new Template(Map.of(), Map.of(), List.of()), new InfrastructureRef("", "", ""),
                Map.of(), List.of()));
    }

    void delete(NodeGroupKind kind) {
        store(kind).delete(key());
    }

    void change(NodeGroupKind kind, UnaryOperator<NodeGroup> change) {
        store(kind).get(key()).ifPresent(group -> store(kind).put(change.apply(group)));
    }

    void declare(NodeGroupKind kind, Template template) {
        change(kind, group -> GroupServer.declared(group, template));
    }

    /** As {@code kubectl annotate} does it. */
    void annotate(NodeGroupKind kind, String annotation, Optional<String> text) {
        change(kind, group -> GroupServer.changed(group, Map.of(annotation, text)));
    }

    void size(NodeGroupKind kind, boolean isGroup) {
        annotate(kind, SIZES + "max-size", isGroup ? Optional.of("3") : Optional.empty());
    }

    /** Another manager applies the text, or lets go of it. */
    void apply(NodeGroupKind kind, Map<String, String> texts) {
        change(kind, group -> GroupServer.applied(group, "flux", texts));
    }

    /** A MachineDeployment takes the MachineSet over, or is deleted and leaves it behind. */
    void adopt(boolean owned) {
        OwnerRef deployment = new OwnerRef("cluster.x-k8s.io/v1beta2", "MachineDeployment", "d", "d", true);
        change(NodeGroupKind.MACHINE_SET, group -> GroupServer.owned(group, owned ? List.of(deployment) : List.of()));
    }

    /** Somebody takes away what is advertised, and leaves the entries of others. */
    static NodeGroup undone(NodeGroup group) {
        String text = group.metadata().annotations().getOrDefault(CapacityAnnotations.TAINTS, "");
        String others = Stream.of(text.split(",")).filter(entry -> !entry.startsWith(DECLARED))
                .collect(Collectors.joining(","));
        return GroupServer.changed(group, Map.of(
                CapacityAnnotations.TAINTS, Optional.of(others).filter(left -> !left.isEmpty())));
    }

    /** What was rejected waits for a change: a label of somebody else's. */
    @Override
    protected void touchRejected() {
        annotations.ifPresent(writer -> List.copyOf(writer.rejected()).forEach(id -> {
            change(kind(id.kind()), group -> GroupServer.labelled(group, Map.of("touched", "")));
            change(kind(id.kind()), group -> GroupServer.labelled(group, Map.of()));
        }));
    }

    @Override
    protected List<String> left() {
        return Stream.of(NodeGroupKind.values()).flatMap(kind -> store(kind).all().stream()
                .filter(group -> !NodeGroups.isOwned(group.metadata()) && !CapacityWrite
                        .of(group, planner.plan(kind, group), AdapterReconciler.FIELD_MANAGER).changes().isEmpty())
                .map(group -> kind + " " + group.key())).toList();
    }

    /** Since when the status reports something depends on when it was seen. */
    @Override
    protected String state() {
        return Stream.of(NodeGroupKind.values()).flatMap(kind -> store(kind).all().stream()
                .map(group -> kind + " " + group.metadata().uid() + " " + group.metadata().annotations() + " "
                        + group.conditions().stream().map(c -> c.type() + " " + c.reason() + ": " + c.message())
                                .toList()))
                .collect(Collectors.joining("\n"));
    }

    private static ObjectKey key() {
        return new ObjectKey(CLUSTER.namespace(), "g");
    }

    private static Metadata metadata(ObjectKey key, String uid, Map<String, String> annotations) {
        return new Metadata(key, uid, "", Map.of(), annotations, List.of(), false);
    }
}
