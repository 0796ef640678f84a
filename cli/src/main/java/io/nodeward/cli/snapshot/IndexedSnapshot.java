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
final class IndexedSnapshot implements MachineView, PoolView, NodeView {
    private final Map<String, List<Machine>> machinesByProviderId;
    private final Map<String, List<Machine>> machinesByNodeName;
    private final Set<ObjectKey> poolsWithMachines;
    private final Map<String, List<MachinePool>> poolsByProviderId;
    private final Map<NodeRef, List<MachinePool>> poolsByNodeRef;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, List<Node>> nodesByProviderId;

    IndexedSnapshot(List<Machine> machines, List<MachinePool> pools, List<Node> nodes) {
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
