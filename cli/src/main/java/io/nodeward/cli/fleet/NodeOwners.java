package io.nodeward.cli.fleet;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whose a Node is, by the rules of the controller: providerIDs first, and nobody's if it is claimed twice. */
public final class NodeOwners {
    private final Fleet fleet;
    private final List<Node> nodes;
    private final List<Machine> machines;
    private final List<MachinePool> pools;
    private final Set<String> warnings;
    /** By the one thing that ties them to their Nodes. */
    private final Map<Tie, List<Machine>> machinesByTie;
    private final Map<Tie, Set<MachinePool>> poolsByTie = new HashMap<>();
    private final Map<String, Long> providerIds;

    /**
     * What ties an owner to a Node.
     *
     * @param providerId whether it is the providerID; else the Node's name
     */
    private record Tie(boolean providerId, String text) {
        /** Without a providerID nothing but the name ties Machine and Node. */
        static Tie of(Machine machine) {
            return machine.providerId().isEmpty()
                    ? new Tie(false, machine.nodeName())
                    : new Tie(true, machine.providerId());
        }

        static List<Tie> of(Node node) {
            Tie name = new Tie(false, node.key().name());
            return node.providerId().isEmpty() ? List.of(name) : List.of(name, new Tie(true, node.providerId()));
        }
    }

    /** @param warnings takes what the controller would block on, and what is missing */
    public NodeOwners(Fleet fleet, Set<String> warnings) {
        this.fleet = fleet;
        this.nodes = fleet.nodes();
        this.machines = fleet.machines();
        this.pools = fleet.pools();
        this.warnings = warnings;
        this.machinesByTie = machines.stream().collect(Collectors.groupingBy(Tie::of));
        this.providerIds = nodes.stream().collect(Collectors.groupingBy(Node::providerId, Collectors.counting()));
        Set<ObjectKey> withMachines = machines.stream().flatMap(machine -> machine.pool().stream())
                .collect(Collectors.toSet());
        pools.stream().filter(pool -> !withMachines.contains(pool.key())).forEach(this::tie);
        clusters();
    }

    private void tie(MachinePool pool) {
        Stream.concat(pool.providerIds().stream().map(id -> new Tie(true, id)),
                pool.nodes().stream().map(ref -> new Tie(false, ref.name())))
                .forEach(tie -> poolsByTie.computeIfAbsent(tie, t -> new LinkedHashSet<>()).add(pool));
    }

    /** Says which Machines have a Node that is not there. */
    public void tellMissingNodes() {
        Set<Tie> there = nodes.stream().flatMap(node -> Tie.of(node).stream()).collect(Collectors.toSet());
        machines.stream().filter(machine -> !machine.nodeName().isEmpty() && !there.contains(Tie.of(machine)))
                .forEach(machine -> warnings.add("Machine " + machine.key() + ": its Node " + machine.nodeName()
                        + " is not there"));
    }

    /** The Machine that the Node is planned for. */
    public Optional<Machine> machine(Node node) {
        return single(node, machines(node), Machine::cluster, "Machines");
    }

    /** The pool that the Node is planned for; none where a Machine has the Node. */
    public Optional<MachinePool> pool(Node node) {
        return machines(node).isEmpty()
                ? single(node, pools(node), MachinePool::cluster, "MachinePools")
                : Optional.empty();
    }

    /** All Machines that the Node may belong to, paused or not. */
    public List<Machine> machines(Node node) {
        return Tie.of(node).stream().flatMap(tie -> machinesByTie.getOrDefault(tie, List.of()).stream()).toList();
    }

    /** Likewise all MachinePools. */
    public List<MachinePool> pools(Node node) {
        return Tie.of(node).stream().flatMap(tie -> poolsByTie.getOrDefault(tie, Set.of()).stream()).distinct()
                .toList();
    }

    private void clusters() {
        List<String> names = Stream.concat(machines.stream().map(Machine::cluster), pools.stream()
                .map(MachinePool::cluster)).map(ObjectKey::toString).distinct().sorted().toList();
        if (names.size() > 1) {
            throw new IllegalArgumentException("there are Machines of several Clusters: " + String.join(", ", names)
                    + "; name the one whose Nodes these are with --cluster");
        }
    }

    private <T extends KubernetesObject> Optional<T> single(
            Node node, List<T> claiming, Function<T, ObjectKey> cluster, String kinds) {
        if (claiming.isEmpty()) {
            return Optional.empty();
        }
        if (claiming.size() > 1 || sharesProviderId(node)) {
            warnings.add("Node " + node.key() + " is not planned: it is claimed by " + kinds + ' '
                    + names(claiming, T::key) + (claiming.size() > 1 ? "" : ", as other Nodes of its providerID are"));
            return Optional.empty();
        }
        T owner = claiming.get(0);
        if (fleet.isPaused(cluster.apply(owner))) {
            warnings.add("Cluster " + cluster.apply(owner) + " is paused: its Nodes are not planned");
            return Optional.empty();
        }
        if (owner.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION)) {
            warnings.add("Node " + node.key() + " is not planned: " + owner.key() + " is paused");
            return Optional.empty();
        }
        return Optional.of(owner);
    }

    /** Whether other Nodes have its providerID, so that it is nobody's. */
    public boolean sharesProviderId(Node node) {
        return !node.providerId().isEmpty() && providerIds.getOrDefault(node.providerId(), 0L) > 1;
    }

    private static <T> String names(List<T> objects, Function<T, ObjectKey> key) {
        return objects.stream().map(key).map(ObjectKey::toString).sorted().collect(Collectors.joining(", "));
    }
}
