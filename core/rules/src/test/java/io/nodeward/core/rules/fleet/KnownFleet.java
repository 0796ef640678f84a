package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.MachineView;
import io.nodeward.api.machine.PoolView;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** Machines, pools and Nodes of Cluster {@code fleet/c}, looked for one by one. */
final class KnownFleet implements MachineView, PoolView, NodeView {
    static final ObjectKey CLUSTER = new ObjectKey("fleet", "c");

    final List<Machine> machines = new ArrayList<>();
    final List<MachinePool> pools = new ArrayList<>();
    final List<Node> nodes = new ArrayList<>();

    FleetView view() {
        return new FleetView(this, this, this);
    }

    KnownFleet with(Machine machine) {
        machines.add(machine);
        return this;
    }

    KnownFleet with(MachinePool pool) {
        pools.add(pool);
        return this;
    }

    KnownFleet with(Node node) {
        nodes.add(node);
        return this;
    }

    KnownFleet without(Machine machine) {
        KnownFleet other = new KnownFleet();
        other.machines.addAll(machines);
        other.machines.remove(machine);
        other.pools.addAll(pools);
        other.nodes.addAll(nodes);
        return other;
    }

    static Machine machine(String name, String providerId, String node, OwnerRef... owners) {
        return new Machine(metadata("fleet", name, "", owners), "c", providerId, node, List.of(), List.of());
    }

    static Machine ofPool(String name, String providerId, String node, String pool) {
        return machine(name, providerId, node,
                new OwnerRef("cluster.x-k8s.io/v1beta2", "MachinePool", pool, "u", true));
    }

    static MachinePool pool(String name, List<String> providerIds, NodeRef... nodes) {
        return new MachinePool(metadata("fleet", name, ""), "c", new Template(Map.of(), Map.of(), List.of()),
                new InfrastructureRef("", "", ""), providerIds, List.of(nodes), List.of());
    }

    static Node node(String name, String providerId) {
        return node(name, providerId, "uid-" + name);
    }

    static Node node(String name, String providerId, String uid) {
        return new Node(metadata("", name, uid), providerId, List.of());
    }

    private static Metadata metadata(String namespace, String name, String uid, OwnerRef... owners) {
        return new Metadata(new ObjectKey(namespace, name), uid, "1", Map.of(), Map.of(), List.of(owners), false);
    }

    private List<Machine> machines(ObjectKey cluster, Predicate<Machine> wanted) {
        return machines.stream().filter(machine -> machine.cluster().equals(cluster)).filter(wanted)
                .sorted(Comparator.comparing(Machine::key)).toList();
    }

    @Override
    public List<Machine> machinesByProviderId(ObjectKey cluster, String providerId) {
        return machines(cluster, machine -> machine.providerId().equals(providerId));
    }

    @Override
    public List<Machine> machinesByNodeName(ObjectKey cluster, String node) {
        return machines(cluster, machine -> machine.nodeName().equals(node));
    }

    @Override
    public boolean hasMachines(ObjectKey pool) {
        return machines.stream().anyMatch(machine -> machine.pool().equals(Optional.of(pool)));
    }

    private List<MachinePool> pools(ObjectKey cluster, Predicate<MachinePool> wanted) {
        return pools.stream().filter(pool -> pool.cluster().equals(cluster)).filter(wanted)
                .sorted(Comparator.comparing(MachinePool::key)).toList();
    }

    @Override
    public List<MachinePool> poolsByProviderId(ObjectKey cluster, String providerId) {
        return pools(cluster, pool -> pool.providerIds().contains(providerId));
    }

    @Override
    public List<MachinePool> poolsByNodeRef(ObjectKey cluster, String node, String uid) {
        return pools(cluster, pool -> pool.nodes().contains(new NodeRef(node, uid)));
    }

    @Override
    public boolean hasMachines(MachinePool pool) {
        return hasMachines(pool.key());
    }

    @Override
    public Optional<Node> node(String name) {
        return nodes.stream().filter(node -> node.key().name().equals(name)).findFirst();
    }

    @Override
    public List<Node> nodesByProviderId(String providerId) {
        return nodes.stream().filter(node -> node.providerId().equals(providerId))
                .sorted(Comparator.comparing(Node::key)).toList();
    }

    @Override
    public String toString() {
        return "machines " + machines.stream().map(m -> m.key().name() + "=" + m.providerId() + "/" + m.nodeName()
                + m.pool().map(pool -> " of " + pool.name()).orElse("")).toList()
                + "\npools " + pools.stream().map(p -> p.key().name() + "=" + p.providerIds() + p.nodes()).toList()
                + "\nnodes " + nodes.stream().map(n -> n.key().name() + "=" + n.providerId() + "/"
                        + n.metadata().uid()).toList();
    }
}
