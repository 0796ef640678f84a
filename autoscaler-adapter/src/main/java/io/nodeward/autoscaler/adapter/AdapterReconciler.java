package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.core.rules.capacity.NodeGroups;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.ControllerContext;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.ObjectKind;
import io.nodeward.core.runtime.controller.Part;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.controller.WriteLimits;
import io.nodeward.core.runtime.status.Target;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Decides what the annotations of one node group advertise to the cluster-autoscaler. */
final class AdapterReconciler implements Reconciler<NodeGroupKey> {
    static final String NAME = "autoscaler";
    static final String FIELD_MANAGER = ControllerContext.fieldManager(NAME);
    /** Not that of the other controllers, which report on the same objects. */
    static final String CONDITION = Condition.PREFIX + "CapacityBlocked";
    /** Somebody else undoes them as often as every few seconds. */
    static final WriteLimits LIMITS = WriteLimits.of(5, Duration.ofMinutes(5));
    private static final Result.RequeueAfter UNTIL_KNOWN = new Result.RequeueAfter(
            PoolInfrastructure.AGAIN, "the infrastructure to say whether it makes Machines");

    private final LongTextLog longTexts = new LongTextLog();
    private final ManagementCluster management;
    private final NodeGroupCaches groups;
    private final CapacityPlanner planner;
    private final PoolInfrastructure infrastructure;
    private final RedundantGroups redundant;

    @Inject
    AdapterReconciler(
            ManagementCluster management,
            NodeGroupCaches groups,
            CapacityPlanner planner,
            PoolInfrastructure infrastructure,
            RedundantGroups redundant) {
        this.management = management;
        this.groups = groups;
        this.planner = planner;
        this.infrastructure = infrastructure;
        this.redundant = redundant;
    }

    @Override
    public Decision reconcile(NodeGroupKey key) {
        return groups.get(key).map(group -> decide(key, group))
                .orElseGet(() -> new Decision.Gone("the " + key.kind().text() + " does not exist"));
    }

    private Decision decide(NodeGroupKey key, NodeGroup group) {
        Optional<String> awaited = awaited(group);
        if (NodeGroups.isOwned(group.metadata())) {
            return new Decision.Gone("a MachineDeployment owns the " + key.kind().text(),
                    awaited.isEmpty() ? Optional.of(target(key, group)) : Optional.empty());
        }
        NodeGroupPlan plan = plan(key, group);
        return awaited.or(() -> unread(plan)).<Decision>map(Decision.Waiting::new)
                .orElseGet(() -> advertise(key, group, plan));
    }

    private NodeGroupPlan plan(NodeGroupKey key, NodeGroup group) {
        NodeGroupPlan plan = planner.plan(key.kind(), group);
        redundant.set(key, plan.grouped() && plan.redundant());
        return plan;
    }

    private Optional<String> awaited(NodeGroup group) {
        return group.metadata().deleting()
                ? Optional.of("its end")
                : OwnerCluster.awaited(group.cluster(), management.clusters().get(group.cluster()), group.metadata());
    }

    private static Optional<String> unread(NodeGroupPlan plan) {
        return plan.propagation().isRead()
                ? Optional.empty()
                : Optional.of("the infrastructure of the pool to be read");
    }

    private Decision advertise(NodeGroupKey key, NodeGroup group, NodeGroupPlan plan) {
        Target target = target(key, group);
        CapacityWrite write = CapacityWrite.of(group, plan, FIELD_MANAGER);
        return new Decision.Change(
                target,
                change(key.kind(), group, write),
                group.template(),
                plan.findings(write.conflicts()),
                Optional.empty(),
                plan.propagation().isKnown() ? Optional.empty() : Optional.of(UNTIL_KNOWN), false);
    }

    private ObjectChange change(NodeGroupKind kind, NodeGroup group, CapacityWrite write) {
        ObjectKind object = ObjectKind.clusterApi(management.version(kind.plural()), kind.text(), kind.plural());
        return ObjectChange.of(object, group.metadata(), write.verb())
                .heldIn(groups.of(kind), reply -> groups.hold(kind, group, reply))
                .of(Part.ANNOTATIONS, Map.of("annotations", write.changes().keySet()));
    }

    private Target target(NodeGroupKey key, NodeGroup group) {
        String plural = key.kind().plural();
        return Target.of(management.version(plural), key.kind().text(), plural, group, group.conditions());
    }

    @Override
    public void executed(NodeGroupKey key, Decision decision) {
        if (decision instanceof Decision.Gone) {
            forget(key);
        } else {
            groups.get(key).ifPresent(group -> longTexts.log(
                    key, CapacityWrite.of(group, plan(key, group), FIELD_MANAGER).conflicts()));
        }
    }

    private void forget(NodeGroupKey key) {
        longTexts.forget(key);
        redundant.set(key, false);
        if (key.kind() == NodeGroupKind.MACHINE_POOL) {
            infrastructure.forget(key.object());
        }
    }
}
