package io.nodeward.cli.snapshot;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.fleet.Ambiguous;
import io.nodeward.core.rules.fleet.FleetView;
import io.nodeward.core.rules.fleet.MachineMatch;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.NodeOwner;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.rules.fleet.Pause;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Whose a Node is, as the controllers match them. */
public final class NodeOwners {
    private final List<Machine> machines;
    private final FleetView view;
    private final Optional<ObjectKey> key;
    private final Optional<Cluster> cluster;
    private final Set<String> warnings;

    /** @param warnings takes what the controllers would block on, and what is missing */
    public NodeOwners(Snapshot snapshot, Set<String> warnings) {
        List<MachinePool> pools = snapshot.pools();
        this.machines = snapshot.machines();
        this.key = cluster(machines, pools);
        this.cluster = key.flatMap(snapshot::cluster);
        this.warnings = warnings;
        IndexedSnapshot indexed = new IndexedSnapshot(machines, pools, snapshot.nodes());
        this.view = new FleetView(indexed, indexed, indexed);
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

    /** Says which Machines have a Node that is not there, or that is another Machine's. */
    public void tellUnmatched() {
        for (Machine machine : machines) {
            switch (NodeMatcher.match(machine, view.machines(), view.nodes())) {
                case MachineMatch.NotJoined missing -> tell(machine, missing.message(), !machine.nodeName().isEmpty());
                case Ambiguous by -> tell(machine, by.message(), isAnothers(machine));
                case MachineMatch.Matched matched -> {}
                case MachineMatch.Waiting waiting -> {}
            }
        }
    }

    private void tell(Machine machine, String message, boolean useful) {
        if (useful) {
            warnings.add("Machine " + machine.key() + ": " + message);
        }
    }

    /** Whether the one Node that it names is that of another Machine all the same. */
    private boolean isAnothers(Machine machine) {
        return view.nodes().node(machine.nodeName())
                .filter(node -> of(node) instanceof NodeOwner.OfMachine).isPresent();
    }

    /** The one that it belongs to, paused or not. */
    public NodeOwner of(Node node) {
        return key.map(known -> NodeMatcher.owner(known, node, view)).orElseGet(NodeOwner.Nobody::new);
    }

    /** The one that it is planned for. */
    public NodeOwner planned(Node node) {
        NodeOwner owner = of(node);
        boolean held = switch (owner) {
            case NodeOwner.OfMachine of -> isHeld(node, of.machine(), OwnerCluster.missing(of.machine(), cluster));
            case NodeOwner.OfPool of -> isHeld(node, of.pool(), OwnerCluster.missing(of.pool(), cluster));
            case NodeOwner.Contested by -> {
                warnings.add("Node " + node.key() + " is not planned: it is claimed by "
                        + (by.pools().isEmpty() ? "Machines " : "MachinePools ")
                        + names(Stream.concat(by.machines().stream(), by.pools().stream()))
                        + (by.machines().size() + by.pools().size() > 1 ? ""
                                : ", as other Nodes of its providerID are"));
                yield true;
            }
            case NodeOwner.OnlyNamed by -> {
                warnings.add("Node " + node.key() + " is not planned: Machines that name it have another providerID: "
                        + names(by.machines().stream()));
                yield true;
            }
            case NodeOwner.Nobody nobody -> true;
        };
        return held ? new NodeOwner.Nobody() : owner;
    }

    private boolean isHeld(Node node, KubernetesObject owner, Optional<String> missing) {
        if (missing.isPresent()) {
            warnings.add("Node " + node.key() + " is not planned: " + missing.get());
            return true;
        }
        if (cluster.filter(Cluster::paused).isPresent()) {
            warnings.add("Cluster " + cluster.get().key() + " is paused: its Nodes are not planned");
            return true;
        }
        boolean paused = cluster.filter(known -> Pause.isPaused(known, owner.metadata())).isPresent();
        if (paused) {
            warnings.add("Node " + node.key() + " is not planned: " + owner.key() + " is paused");
        }
        return paused;
    }

    private static String names(Stream<? extends KubernetesObject> objects) {
        return objects.map(object -> object.key().toString()).sorted().collect(Collectors.joining(", "));
    }
}
