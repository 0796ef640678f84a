package io.nodeward.cli.plan;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whose a Node is, by the rules of the controller: providerIDs first, and nobody's if it is claimed twice. */
final class NodeOwners {
    private final List<Node> nodes;
    private final List<Machine> machines;
    private final List<MachinePool> pools;
    private final Set<ObjectKey> poolsWithMachines;
    private final Set<String> warnings;

    /** @param warnings takes what the controller would block on, and what is missing in the files */
    NodeOwners(Fleet fleet, Set<String> warnings) {
        this.nodes = fleet.nodes();
        this.machines = fleet.machines();
        this.pools = fleet.pools();
        this.poolsWithMachines = machines.stream().flatMap(machine -> machine.pool().stream())
                .collect(Collectors.toSet());
        this.warnings = warnings;
        clusters();
        machines.stream().filter(machine -> !machine.nodeName().isEmpty() && !hasNode(machine))
                .forEach(machine -> warnings.add("Machine " + machine.key() + ": its Node " + machine.nodeName()
                        + " is not in the files"));
    }

    /** The Machine that the Node is planned for. */
    Optional<Machine> machine(Node node) {
        return single(node, claiming(node), "Machines");
    }

    /** The pool that the Node is planned for; none where a Machine has the Node. */
    Optional<MachinePool> pool(Node node) {
        if (!claiming(node).isEmpty()) {
            return Optional.empty();
        }
        return single(node, pools.stream().filter(pool -> claims(pool, node)).toList(), "MachinePools");
    }

    private void clusters() {
        List<String> names = Stream.concat(machines.stream().map(Machine::cluster), pools.stream()
                .map(MachinePool::cluster)).map(ObjectKey::toString).distinct().sorted().toList();
        if (names.size() > 1) {
            throw new IllegalArgumentException("there are Machines of several Clusters: " + String.join(", ", names)
                    + "; name the one whose Nodes these are with --cluster");
        }
    }

    private boolean hasNode(Machine machine) {
        return nodes.stream().anyMatch(node -> claims(machine, node));
    }

    private List<Machine> claiming(Node node) {
        return machines.stream().filter(machine -> claims(machine, node)).toList();
    }

    /** Without a providerID nothing but the name ties Machine and Node. */
    private static boolean claims(Machine machine, Node node) {
        return machine.providerId().isEmpty()
                ? machine.nodeName().equals(node.key().name())
                : machine.providerId().equals(node.providerId());
    }

    private boolean claims(MachinePool pool, Node node) {
        return !poolsWithMachines.contains(pool.key())
                && (pool.nodes().stream().anyMatch(ref -> ref.name().equals(node.key().name()))
                        || !node.providerId().isEmpty() && pool.providerIds().contains(node.providerId()));
    }

    private <T extends KubernetesObject> Optional<T> single(Node node, List<T> claiming, String kinds) {
        if (claiming.isEmpty()) {
            return Optional.empty();
        }
        if (claiming.size() > 1 || sharesProviderId(node)) {
            warnings.add("Node " + node.key() + " is not planned: it is claimed by " + kinds + ' '
                    + names(claiming, T::key) + (claiming.size() > 1 ? "" : ", as other Nodes of its providerID are"));
            return Optional.empty();
        }
        T owner = claiming.get(0);
        if (owner.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION)) {
            warnings.add("Node " + node.key() + " is not planned: " + owner.key() + " is paused");
            return Optional.empty();
        }
        return Optional.of(owner);
    }

    private boolean sharesProviderId(Node node) {
        return !node.providerId().isEmpty()
                && nodes.stream().filter(other -> other.providerId().equals(node.providerId())).count() > 1;
    }

    private static <T> String names(List<T> objects, Function<T, ObjectKey> key) {
        return objects.stream().map(key).map(ObjectKey::toString).sorted().collect(Collectors.joining(", "));
    }
}
