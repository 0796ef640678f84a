package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.node.NodePlan;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.NewNoExecute;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.NodeUpdate;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.util.Optional;

/** Decides what the Node of one Machine gets. */
final class MachineReconciler implements Reconciler<ObjectKey> {
    private final ManagementCluster management;
    private final MachineScopes scopes;
    private final NodePolicy policy;
    private final NodeOwners owners;
    private final NoExecuteLimit<ObjectId, ObjectKey> limit;

    @Inject
    MachineReconciler(
            ManagementCluster management,
            MachineScopes scopes,
            NodePolicy policy,
            NodeOwners owners,
            NoExecuteLimit<ObjectId, ObjectKey> limit) {
        this.management = management;
        this.scopes = scopes;
        this.policy = policy;
        this.owners = owners;
        this.limit = limit;
    }

    @Override
    public Decision reconcile(ObjectKey key) {
        return switch (scopes.load(key)) {
            case MachineScope.Gone gone -> new Decision.Gone("the Machine does not exist");
            case MachineScope.Waiting waiting -> new Decision.Waiting(waiting.reason());
            case MachineScope.NodeNotJoined missing -> new Decision.Blocked(
                    owner(missing.machine()), new Blocked("NodeNotJoined", missing.message()), false);
            case MachineScope.Stuck stuck -> new Decision.Blocked(owner(stuck.machine()), stuck.by(), true);
            case MachineScope.Ready ready -> propagate(key, ready);
        };
    }

    private Decision propagate(ObjectKey key, MachineScope.Ready ready) {
        Machine machine = ready.machine();
        NodePlan plan = NodePlanner.plan(Owner.of(machine), ready.node(), policy);
        ObjectId owner = owners.of(machine);
        NoExecuteLimit.Limited limited =
                limit.limit(key, owner, owners.confirmed(owner), plan.change(),
                        NewNoExecute.without(ready.node(), plan.change()));
        return new Decision.Change(
                owner(machine),
                new NodeUpdate(machine.cluster(), ready.node(), limited.change()),
                machine.declaration(),
                plan.findings(),
                Optional.empty(),
                limited.again());
    }

    @Override
    public void executed(ObjectKey key, Decision decision) {
        switch (decision) {
            case Decision.Change change when change.change() instanceof NodeUpdate update
                    && NewNoExecute.without(update.before(), update.change()).isPresent() -> limit.written(key);
            case Decision.Gone gone -> limit.forget(key);
            default -> {}
        }
    }

    private Target owner(Machine machine) {
        return Target.of(management.version(), machine);
    }
}
