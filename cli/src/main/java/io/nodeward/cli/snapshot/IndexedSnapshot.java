package io.nodeward.cli.snapshot;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachineView;
import io.nodeward.api.machine.PoolView;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.rules.fleet.FleetView;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.NodeOwner;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Machines, MachinePools and Nodes of one Cluster, found as the controllers find them in their caches. */
public final class IndexedSnapshot implements MachineView, PoolView, NodeView {
    private final List<Machine> machines;
    private final Optional<ObjectKey> cluster;
    private final Map<String, List<Machine>> machinesByProviderId;
    private final Map<String, List<Machine>> machinesByNodeName;
    private final Set<ObjectKey> poolsWithMachines;
    private final Map<String, List<MachinePool>> poolsByProviderId;
    private final Map<NodeRef, List<MachinePool>> poolsByNodeRef;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, List<Node>> nodesByProviderId;

    /** @throws IllegalArgumentException if the Machines and MachinePools are of several Clusters */
    public IndexedSnapshot(Snapshot snapshot) {
        List<MachinePool> pools = snapshot.pools();
        List<Node> nodes = snapshot.nodes();
        machines = snapshot.machines();
        cluster = cluster(machines, pools);
        machinesByProviderId = index(machines, machine -> Stream.of(machine.providerId()));
        machinesByNodeName = index(machines, machine -> Stream.of(machine.nodeName()));
        poolsWithMachines = machines.stream().flatMap(machine -> machine.pool().stream()).collect(Collectors.toSet());
        poolsByProviderId = index(pools, pool -> pool.providerIds().stream());
        poolsByNodeRef = index(pools, pool -> pool.nodes().stream());
        nodes.forEach(node -> this.nodes.put(node.key().name(), node));
        nodesByProviderId = index(nodes, node -> Stream.of(node.providerId()));
    }

    private static <T extends KubernetesObject, V> Map<V, List<T>> index(
            List<T> objects, Function<T, Stream<V>> values) {
        Map<V, Map<ObjectKey, T>> found = new HashMap<>();
        objects.forEach(object -> values.apply(object).forEach(
                value -> found.computeIfAbsent(value, v -> new TreeMap<>()).put(object.key(), object)));
        return found.entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, entry -> List.copyOf(entry.getValue().values())));
    }

    private static Optional<ObjectKey> cluster(List<Machine> machines, List<MachinePool> pools) {
        List<ObjectKey> keys = Stream.concat(machines.stream().map(Machine::cluster),
                pools.stream().map(MachinePool::cluster)).distinct().sorted().toList();
        if (keys.size() > 1) {
            throw new IllegalArgumentException("there are Machines of several Clusters: "
                    + keys.stream().map(ObjectKey::toString).collect(Collectors.joining(", "))
                    + "; name the one whose Nodes these are with --cluster");
        }
        return keys.stream().findFirst();
    }

    public List<Machine> machines() {
        return machines;
    }

    /** Returns the Cluster of the Machines and MachinePools; empty without any. */
    public Optional<ObjectKey> cluster() {
        return cluster;
    }

    /** Returns the names of objects in order. */
    public static String names(Stream<? extends KubernetesObject> objects) {
        return objects.map(object -> object.key().toString()).sorted().collect(Collectors.joining(", "));
    }

    /** Returns the owner of a Node, paused or not. */
    public NodeOwner owner(Node node) {
        return cluster.map(known -> NodeMatcher.owner(known, node, new FleetView(this, this, this)))
                .orElseGet(NodeOwner.Nobody::new);
    }

    @Override
    public List<Machine> machinesByProviderId(ObjectKey cluster, String providerId) {
        return machinesByProviderId.getOrDefault(providerId, List.of());
    }

    @Override
    public List<Machine> machinesByNodeName(ObjectKey cluster, String node) {
        return machinesByNodeName.getOrDefault(node, List.of());
    }

    @Override
    public boolean hasMachines(ObjectKey pool) {
        return poolsWithMachines.contains(pool);
    }

    @Override
    public List<MachinePool> poolsByProviderId(ObjectKey cluster, String providerId) {
        return poolsByProviderId.getOrDefault(providerId, List.of());
    }

    @Override
    public List<MachinePool> poolsByNodeRef(ObjectKey cluster, String node, String uid) {
        return poolsByNodeRef.getOrDefault(new NodeRef(node, uid), List.of());
    }

    @Override
    public boolean hasMachines(MachinePool pool) {
        return hasMachines(pool.key());
    }

    @Override
    public Optional<Node> node(String name) {
        return Optional.ofNullable(nodes.get(name));
    }

    @Override
    public List<Node> nodesByProviderId(String providerId) {
        return nodesByProviderId.getOrDefault(providerId, List.of());
    }
}
