package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.TrackedTaints;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Decides what the Node of one Machine gets. */
final class MachineReconciler implements Reconciler<ObjectKey> {
    private final ManagementCluster management;
    private final MachineScopes scopes;
    private final NodePolicy policy;

    @Inject
    MachineReconciler(ManagementCluster management, MachineScopes scopes, NodePolicy policy) {
        this.management = management;
        this.scopes = scopes;
        this.policy = policy;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        return switch (scopes.load(key)) {
            case MachineScope.Gone gone -> new Decision.Gone("the Machine does not exist");
            case MachineScope.Waiting waiting -> new Decision.Waiting(waiting.reason());
            case MachineScope.NodeNotJoined missing -> new Decision.Blocked(
                    owner(missing.machine()), new Blocked(Reason.NODE_NOT_JOINED, missing.message()), false);
            case MachineScope.Stuck stuck -> new Decision.Blocked(owner(stuck.machine()), stuck.by(), true);
            case MachineScope.Ready ready -> propagate(ready);
        };
    }

    private Decision propagate(MachineScope.Ready ready) {
        Machine machine = ready.machine();
        Node node = ready.node();
        Owner owner = Owner.of(machine);
        NodePlan plan = NodePlanner.plan(owner, node, policy);
        Decision.Change decision = new Decision.Change(
                owner(machine),
                ObjectChange.node(machine.cluster(), node, plan.change()),
                machine.declaration(),
                plan.findings(),
                Optional.empty());
        return NodePlanner.withoutRemovals(plan, owner, node, policy)
                .map(rest -> ObjectChange.node(machine.cluster(), node, rest.change()))
                .flatMap(rest -> management.untilNewest(
                        List.of(machine.key(), node.key(), TrackedTaints.of(node)), Set.of("machines"))
                        .map(left -> decision.withhold(rest, left)))
                .orElse(decision);
    }

    private Target owner(Machine machine) {
        return Target.of(management.version("machines"), machine);
    }
}
