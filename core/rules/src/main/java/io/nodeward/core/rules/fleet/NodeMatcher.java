package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.machine.MachineView;
import io.nodeward.api.machine.PoolView;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which Node belongs to which Machine or MachinePool. The providerID ties a Machine to its Node, and only where there is
 * none the name. A Machine goes before a pool. What several claim is nobody's.
 */
public final class NodeMatcher {
    /** So many objects a message names at most. */
    private static final int NAMED = 10;

    private NodeMatcher() {}

    /** Returns the Node of a Machine. One that is not known whole might seem to declare less than it does, so it has none. */
    public static MachineMatch match(Machine machine, MachineView machines, NodeView nodes) {
        if (!machine.truncatedFields().isEmpty()) {
            return Ambiguous.metadata(String.join(", ", machine.truncatedFields()) + ": labels and annotations of this"
                    + " Machine have more than " + Machine.MOST_CHARACTERS + " characters; its Node is not changed");
        }
        return machine.providerId().isEmpty()
                ? byName(machine, machines, nodes)
                : byProviderId(machine, machines, nodes);
    }

    private static MachineMatch byProviderId(Machine machine, MachineView machines, NodeView nodes) {
        String id = machine.providerId();
        List<Machine> claiming = machines.machinesByProviderId(machine.cluster(), id);
        if (claiming.size() > 1) {
            return Ambiguous.providerId("several Machines have providerID " + id + ": " + names(claiming)
                    + "; none of them is propagated");
        }
        List<Node> found = nodes.nodesByProviderId(id, NAMED + 1);
        if (found.size() > 1) {
            return Ambiguous.providerId("several Nodes have providerID " + id + ": " + names(found)
                    + "; none of them is changed");
        }
        return found.isEmpty()
                ? new MachineMatch.NotJoined("no Node has providerID " + id)
                : new MachineMatch.Matched(found.get(0));
    }

    // Without a providerID nothing but the name ties Machine and Node, and a name may be claimed by others.
    private static MachineMatch byName(Machine machine, MachineView machines, NodeView nodes) {
        String name = machine.nodeName();
        if (name.isEmpty()) {
            return new MachineMatch.Waiting("spec.providerID");
        }
        Optional<Node> node = nodes.node(name);
        if (node.isEmpty()) {
            return new MachineMatch.NotJoined("there is no Node " + name);
        }
        List<Machine> others = machinesClaiming(machine.cluster(), node.get(), machines).stream()
                .filter(other -> !other.key().equals(machine.key())).toList();
        return others.isEmpty()
                ? new MachineMatch.Matched(node.get())
                : Ambiguous.node("Node " + name + " is also the Node of " + names(others)
                        + "; this Machine has no providerID and is not propagated");
    }

    /** Whether the Node of this name is one of a pool. */
    public static PoolMatch match(MachinePool pool, String name, FleetView fleet) {
        if (fleet.pools().hasMachines(pool)) {
            return new PoolMatch.NotMatched("this pool has Machines, which have its Nodes");
        }
        return fleet.nodes().node(name).map(node -> match(pool, node, fleet))
                .orElseGet(() -> new PoolMatch.NotMatched("there is no such Node"));
    }

    private static PoolMatch match(MachinePool pool, Node node, FleetView fleet) {
        List<MachinePool> claiming = poolsClaiming(pool.cluster(), node, fleet.pools());
        if (claiming.stream().noneMatch(one -> one.key().equals(pool.key()))) {
            return new PoolMatch.NotMatched("the pool does not list the Node");
        }
        List<Machine> machines = machinesClaiming(pool.cluster(), node, fleet.machines());
        if (!machines.isEmpty()) {
            return new PoolMatch.NotMatched("the Node is that of Machine " + machines.get(0).key().name());
        }
        if (hasTwins(node, fleet.nodes())) {
            return Ambiguous.providerId(
                    "several Nodes have providerID " + node.providerId() + "; none of them is changed");
        }
        if (claiming.size() > 1) {
            return Ambiguous.node("Node " + node.key() + " is claimed by MachinePools "
                    + claiming.stream().map(one -> one.key().name()).sorted().collect(Collectors.joining(", "))
                    + "; none of them is propagated");
        }
        return new PoolMatch.Matched(node);
    }

    /** Whose a Node of this Cluster is: the one of all that claim it which is matched with it. */
    public static NodeOwner owner(ObjectKey cluster, Node node, FleetView fleet) {
        List<Machine> machines = machinesClaiming(cluster, node, fleet.machines());
        for (Machine machine : machines) {
            if (match(machine, fleet.machines(), fleet.nodes()) instanceof MachineMatch.Matched matched
                    && matched.node().key().equals(node.key())) {
                return new NodeOwner.OfMachine(machine);
            }
        }
        if (machines.isEmpty()) {
            return ofPools(cluster, node, fleet);
        }
        return machines.stream().anyMatch(machine -> isTied(machine, node))
                ? new NodeOwner.Contested(machines, List.of(), hasTwins(node, fleet.nodes()))
                : new NodeOwner.OnlyNamed(machines);
    }

    private static boolean isTied(Machine machine, Node node) {
        return machine.providerId().isEmpty() || machine.providerId().equals(node.providerId());
    }

    private static NodeOwner ofPools(ObjectKey cluster, Node node, FleetView fleet) {
        List<MachinePool> pools = poolsClaiming(cluster, node, fleet.pools());
        for (MachinePool pool : pools) {
            switch (match(pool, node.key().name(), fleet)) {
                case PoolMatch.Matched matched -> {
                    return new NodeOwner.OfPool(pool);
                }
                case Ambiguous ambiguous -> {
                    return new NodeOwner.Contested(List.of(), pools, hasTwins(node, fleet.nodes()));
                }
                case PoolMatch.NotMatched other -> {}
            }
        }
        return new NodeOwner.Nobody();
    }

    private static boolean hasTwins(Node node, NodeView nodes) {
        return !node.providerId().isEmpty() && nodes.nodesByProviderId(node.providerId(), 2).size() > 1;
    }

    /** Machines whose Node this is by name, and then those by providerID; each once. */
    public static List<Machine> machinesClaiming(ObjectKey cluster, Node node, MachineView machines) {
        List<Machine> byName = machines.machinesByNodeName(cluster, node.key().name());
        List<Machine> byProviderId = node.providerId().isEmpty()
                ? List.of()
                : machines.machinesByProviderId(cluster, node.providerId());
        return union(byName, byProviderId);
    }

    /** MachinePools a Node belongs to by providerID or by reference; more than one is somebody's fault. */
    public static List<MachinePool> poolsClaiming(ObjectKey cluster, Node node, PoolView pools) {
        String name = node.key().name();
        List<MachinePool> byProviderId = node.providerId().isEmpty()
                ? List.of()
                : pools.poolsByProviderId(cluster, node.providerId());
        // A reference without a uid is to whatever Node has the name; one with another uid to a Node that is gone.
        List<MachinePool> byUid = pools.poolsByNodeRef(cluster, name, node.metadata().uid());
        return union(union(byProviderId, byUid), pools.poolsByNodeRef(cluster, name, ""));
    }

    // Nearly always there is one, found in both ways: asked for each event of each Node.
    private static <T extends KubernetesObject> List<T> union(List<T> some, List<T> more) {
        if (more.isEmpty() || some.size() == 1 && more.size() == 1 && some.get(0).key().equals(more.get(0).key())) {
            return some;
        }
        if (some.isEmpty()) {
            return more;
        }
        Map<ObjectKey, T> once = new LinkedHashMap<>();
        Stream.concat(some.stream(), more.stream()).forEach(one -> once.putIfAbsent(one.key(), one));
        return List.copyOf(once.values());
    }

    /** The Nodes that a pool lists and that have joined, by name: those of which it is one of the claiming. */
    public static Map<String, Node> joined(MachinePool pool, NodeView nodes) {
        Map<String, Node> joined = new LinkedHashMap<>();
        pool.providerIds().stream().filter(id -> !id.isEmpty()).flatMap(id -> nodes.nodesByProviderId(id).stream())
                .forEach(node -> joined.put(node.key().name(), node));
        for (NodeRef ref : pool.nodes()) {
            nodes.node(ref.name())
                    .filter(node -> ref.uid().isEmpty() || ref.uid().equals(node.metadata().uid()))
                    .ifPresent(node -> joined.put(ref.name(), node));
        }
        return joined;
    }

    /** The Nodes that a Machine claims, by providerID or by name. */
    public static List<Node> claimed(Machine machine, NodeView nodes) {
        List<Node> byProviderId = machine.providerId().isEmpty()
                ? List.of()
                : nodes.nodesByProviderId(machine.providerId());
        return union(byProviderId, nodes.node(machine.nodeName()).stream().toList());
    }

    /** Machines that may be matched otherwise once this one comes, goes or claims another Node; by key. */
    public static Set<ObjectKey> rivals(Machine machine, MachineView machines, NodeView nodes) {
        Set<ObjectKey> rivals = new LinkedHashSet<>();
        if (!machine.providerId().isEmpty()) {
            add(machines.machinesByProviderId(machine.cluster(), machine.providerId()), rivals);
            // Those that know the Node by its name alone.
            nodes.nodesByProviderId(machine.providerId()).forEach(
                    node -> add(machines.machinesByNodeName(machine.cluster(), node.key().name()), rivals));
        }
        if (!machine.nodeName().isEmpty()) {
            add(machines.machinesByNodeName(machine.cluster(), machine.nodeName()), rivals);
        }
        return rivals;
    }

    private static void add(List<Machine> machines, Set<ObjectKey> keys) {
        machines.forEach(machine -> keys.add(machine.key()));
    }

    private static String names(List<? extends KubernetesObject> objects) {
        return objects.stream().limit(NAMED).map(one -> one.key().name())
                .collect(Collectors.joining(", ", "", objects.size() > NAMED ? ", ..." : ""));
    }
}
