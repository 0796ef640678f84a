package io.nodeward.cli.plan;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.node.Node;
import io.nodeward.cli.plan.Plan.Settings;
import io.nodeward.cli.snapshot.IndexedSnapshot;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.Ambiguous;
import io.nodeward.core.rules.fleet.MachineMatch;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.NodeOwner;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.validation.Warning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Every Node of a fleet as the controller would make it because of its owner. */
final class NodeSteps {
    static final String POOL_GATE = "the controller's gate MachinePoolTaintPropagation";
    static final String POOLS_NOT_SAID = "Nodes of MachinePools change only with " + POOL_GATE
            + " on, which it is not by default: say with --feature-gates what it is";

    private final IndexedSnapshot owners;
    private final Optional<Cluster> cluster;
    private final Settings settings;
    private final Set<String> warnings;
    private final EvictingOwners evicting;

    private NodeSteps(Snapshot snapshot, EvictingOwners evicting, Settings settings, Set<String> warnings) {
        this.owners = new IndexedSnapshot(snapshot);
        this.cluster = owners.cluster().flatMap(snapshot::cluster);
        this.evicting = evicting;
        this.settings = settings;
        this.warnings = warnings;
    }

    /**
     * Plans each Node, in their order.
     *
     * @param before the Nodes as they are
     * @param snapshot everything, with all edits
     * @param changes what is edited, with the metadata that it has in its files
     * @param warnings takes what is left out
     */
    static List<Node> of(
            List<Node> before, Snapshot snapshot, List<Manifest> changes, Settings settings, Set<String> warnings) {
        EvictingOwners evicting = new EvictingOwners(snapshot, changes, settings.clock().instant());
        NodeSteps steps = new NodeSteps(snapshot, evicting, settings, warnings);
        steps.tellUnmatched();
        Map<String, Node> edited = new HashMap<>();
        snapshot.nodes().forEach(node -> edited.put(node.key().name(), node));
        List<Node> made = before.stream()
                .map(node -> steps.planned(edited.getOrDefault(node.key().name(), node))).toList();
        evicting.tell(warnings);
        return made;
    }

    /** Says which Machines have a Node that is not there, or that is another Machine's. */
    private void tellUnmatched() {
        for (Machine machine : owners.machines()) {
            switch (NodeMatcher.match(machine, owners, owners)) {
                case MachineMatch.NotJoined missing -> tell(machine, missing.message(), !machine.nodeName().isEmpty());
                case Ambiguous by -> tell(machine, by.message(),
                        !machine.truncatedFields().isEmpty() || isAnothers(machine));
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

    /** Returns whether the one Node that it names is that of another Machine all the same. */
    private boolean isAnothers(Machine machine) {
        return owners.node(machine.nodeName())
                .filter(node -> owners.owner(node) instanceof NodeOwner.OfMachine).isPresent();
    }

    private Node planned(Node node) {
        NodeOwner owner = owners.owner(node);
        Optional<String> held = held(owner, "Node " + node.key() + " is not planned: ");
        held.ifPresent(warnings::add);
        Optional<NodePlan> plan = held.isPresent() ? Optional.empty() : plan(owner, node);
        plan.ifPresent(made -> evicting.add(owner, node, made));
        plan.stream().flatMap(made -> made.warnings().stream()).map(Warning::message).forEach(warnings::add);
        return plan.map(made -> made.change().applyTo(node, "")).orElse(node);
    }

    /** Returns why the controllers do not write to a Node of this owner; empty if they do, or it has none. */
    private Optional<String> held(NodeOwner owner, String notPlanned) {
        return switch (owner) {
            case NodeOwner.OfMachine(Machine machine) ->
                    held(machine, OwnerCluster.missing(machine, cluster), notPlanned);
            case NodeOwner.OfPool(MachinePool pool) -> held(pool, OwnerCluster.missing(pool, cluster), notPlanned);
            case NodeOwner.Contested by -> Optional.of(notPlanned + "it is claimed by "
                    + (by.pools().isEmpty() ? "Machines " : "MachinePools ")
                    + IndexedSnapshot.names(Stream.concat(by.machines().stream(), by.pools().stream()))
                    + (by.twins() && by.machines().size() + by.pools().size() == 1
                            ? ", as other Nodes of its providerID are" : ""));
            case NodeOwner.OnlyNamed by -> Optional.of(
                    notPlanned + "Machines that name it have another providerID: "
                            + IndexedSnapshot.names(by.machines().stream()));
            case NodeOwner.Nobody nobody -> Optional.empty();
        };
    }

    private Optional<String> held(KubernetesObject owner, Optional<String> missing, String notPlanned) {
        return missing.map(notPlanned::concat)
                .or(() -> cluster.filter(Cluster::paused)
                        .map(paused -> "Cluster " + paused.key() + " is paused: its Nodes are not planned"))
                .or(() -> cluster.filter(known -> Pause.isPaused(known, owner.metadata()))
                        .map(any -> notPlanned + owner.key() + " is paused"));
    }

    private Optional<NodePlan> plan(NodeOwner owner, Node node) {
        return switch (owner) {
            case NodeOwner.OfMachine(Machine machine) -> Optional.of(
                    NodePlanner.plan(Owner.of(machine), node, gated(NodePolicy.forMachines())));
            case NodeOwner.OfPool(MachinePool pool) -> ofPool(pool, node);
            default -> Optional.empty();
        };
    }

    private NodePolicy gated(NodePolicy policy) {
        return policy.withTaints(settings.gates().propagates()).withInitialization(settings.gates().initialization());
    }

    /** Plans what a gate does that is not on by default, unless the user says that it is off. */
    private Optional<NodePlan> ofPool(MachinePool pool, Node node) {
        NodePlan plan = NodePlanner.plan(Owner.of(pool), node, gated(NodePolicy.forMachinePools()));
        boolean off = settings.gates().pools().equals(Optional.of(false));
        if (plan.change().taints().isPresent() && off) {
            warnings.add("Nodes of MachinePools are not planned: " + POOL_GATE + " is off");
        } else if (plan.change().taints().isPresent() && settings.gates().pools().isEmpty()) {
            warnings.add(POOLS_NOT_SAID);
        }
        return off ? Optional.empty() : Optional.of(plan);
    }
}
