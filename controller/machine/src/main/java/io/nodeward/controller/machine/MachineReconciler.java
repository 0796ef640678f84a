package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.NodeUpdate;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Finding;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;

/** Decides what the Node of one Machine gets. */
final class MachineReconciler implements Reconciler<ObjectKey> {
    private final ManagementCluster management;
    private final MachineSituations situations;
    private final NodePolicy policy;

    @Inject
    MachineReconciler(ManagementCluster management, MachineSituations situations, NodePolicy policy) {
        this.management = management;
        this.situations = situations;
        this.policy = policy;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        return switch (situations.load(key)) {
            case MachineSituation.Gone gone -> new Decision.Gone("the Machine does not exist");
            case MachineSituation.Waiting waiting -> new Decision.Waiting(waiting.reason());
            case MachineSituation.NodeNotJoined missing -> new Decision.Blocked(
                    owner(missing.machine()), new Blocked("NodeNotJoined", missing.message()), false);
            case MachineSituation.Stuck stuck -> new Decision.Blocked(owner(stuck.machine()), stuck.by(), true);
            case MachineSituation.Ready ready -> propagate(ready);
        };
    }

    private Decision propagate(MachineSituation.Ready ready) {
        Machine machine = ready.machine();
        NodePlan plan = NodePlanner.plan(Owner.of(machine), ready.node(), policy);
        return new Decision.Change(
                owner(machine),
                new NodeUpdate(machine.cluster(), ready.node(), plan.change()),
                machine.declaration(),
                findings(plan),
                Optional.empty());
    }

    private static List<Finding> findings(NodePlan plan) {
        return plan.warnings().stream()
                .map(w -> new Finding(w.reason().text(), w.message(), w.reason().leftOut(), w.reason().ofNode()))
                .toList();
    }

    private Target owner(Machine machine) {
        return Target.of(management.version(), machine);
    }
}
