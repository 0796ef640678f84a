package io.nodeward.cli.plan;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.impact.Impact.Step;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Every Node of a fleet as it is, and as the controller would make it. */
final class NodeSteps {
    private final List<Step> steps = new ArrayList<>();
    private final Set<String> warnings = new LinkedHashSet<>();
    private final Map<String, Machine> machines = new HashMap<>();
    private final Map<String, MachinePool> poolsByNode = new HashMap<>();
    private final Map<String, MachinePool> poolsByProviderId = new HashMap<>();

    NodeSteps(Fleet fleet) {
        fleet.machines().forEach(this::machine);
        fleet.pools().forEach(pool -> {
            pool.nodes().forEach(node -> poolsByNode.put(node.name(), pool));
            pool.providerIds().forEach(id -> poolsByProviderId.put(id, pool));
        });
        fleet.nodes().forEach(this::plan);
    }

    /** One for each Node, in their order. */
    List<Step> steps() {
        return steps;
    }

    /** What was left out, each once. */
    Set<String> warnings() {
        return warnings;
    }

    private void machine(Machine machine) {
        if (machine.nodeName().isEmpty()) {
            return;
        }
        Machine other = machines.putIfAbsent(machine.nodeName(), machine);
        if (other != null) {
            throw new IllegalArgumentException("Machines " + other.key() + " and " + machine.key() + " both have Node "
                    + machine.nodeName() + ": give objects of one workload cluster at a time");
        }
    }

    private void plan(Node node) {
        Optional<NodePlan> plan = owned(node);
        plan.stream().flatMap(made -> made.warnings().stream()).map(Warning::message).forEach(warnings::add);
        steps.add(new Step(node, plan.map(made -> made.change().applyTo(node, "")).orElse(node)));
    }

    private Optional<NodePlan> owned(Node node) {
        String name = node.key().name();
        Machine machine = machines.get(name);
        if (machine != null) {
            return Optional.of(NodePlanner.plan(Owner.of(machine), node, NodePolicy.forMachines()));
        }
        MachinePool pool = poolsByNode.getOrDefault(name, poolsByProviderId.get(node.providerId()));
        return Optional.ofNullable(pool)
                .map(found -> NodePlanner.plan(Owner.of(found), node, NodePolicy.forMachinePools()));
    }
}
