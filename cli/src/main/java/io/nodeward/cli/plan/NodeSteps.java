package io.nodeward.cli.plan;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.node.Node;
import io.nodeward.cli.plan.Plan.Settings;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.NodeOwners;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.core.rules.fleet.NodeOwner;
import io.nodeward.core.rules.impact.Impact.Step;
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

/** Every Node of a fleet as it is, and as the controller would make it because of its owner. */
final class NodeSteps {
    static final String POOL_GATE = "the controller's gate MachinePoolTaintPropagation";
    static final String POOLS_NOT_SAID = "Nodes of MachinePools change only with " + POOL_GATE
            + " on, which it is not by default: say with --feature-gates what it is";

    private final NodeOwners owners;
    private final Settings settings;
    private final Set<String> warnings;
    private final EvictingOwners evicting;

    private NodeSteps(NodeOwners owners, EvictingOwners evicting, Settings settings, Set<String> warnings) {
        this.owners = owners;
        this.evicting = evicting;
        this.settings = settings;
        this.warnings = warnings;
    }

    /**
     * One for each Node, in their order.
     *
     * @param before the Nodes as they are
     * @param snapshot everything, with all edits
     * @param changes what is edited, with the metadata that it has in its files
     * @param warnings takes what is left out
     */
    static List<Step> of(
            List<Node> before, Snapshot snapshot, List<Manifest> changes, Settings settings, Set<String> warnings) {
        NodeOwners owners = new NodeOwners(snapshot, warnings);
        owners.tellUnmatched();
        EvictingOwners evicting = new EvictingOwners(snapshot, changes, settings.clock().instant());
        NodeSteps steps = new NodeSteps(owners, evicting, settings, warnings);
        Map<String, Node> edited = new HashMap<>();
        snapshot.nodes().forEach(node -> edited.put(node.key().name(), node));
        List<Step> made = before.stream()
                .map(node -> new Step(node, steps.planned(edited.getOrDefault(node.key().name(), node))))
                .toList();
        evicting.tell(warnings);
        return made;
    }

    private Node planned(Node node) {
        NodeOwner owner = owners.planned(node);
        Optional<NodePlan> plan = plan(owner, node);
        plan.ifPresent(made -> evicting.add(owner, node, made));
        plan.stream().flatMap(made -> made.warnings().stream()).map(Warning::message).forEach(warnings::add);
        return plan.map(made -> made.change().applyTo(node, "")).orElse(node);
    }

    private Optional<NodePlan> plan(NodeOwner owner, Node node) {
        return switch (owner) {
            case NodeOwner.OfMachine of -> Optional.of(
                    NodePlanner.plan(Owner.of(of.machine()), node, gated(NodePolicy.forMachines())));
            case NodeOwner.OfPool of -> ofPool(of.pool(), node);
            case NodeOwner.Contested nobody -> Optional.empty();
            case NodeOwner.OnlyNamed nobody -> Optional.empty();
            case NodeOwner.Nobody nobody -> Optional.empty();
        };
    }

    private NodePolicy gated(NodePolicy policy) {
        return policy.withTaints(settings.gates().propagates()).withInitialization(settings.gates().initialization());
    }

    /** Of a gate that is not on by default, what it does is planned unless somebody says that it is off. */
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
