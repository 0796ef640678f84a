package io.nodeward.autoscaler.adapter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.rules.capacity.NodeGroups;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.function.BiPredicate;

/** Shows when the controller is needed no more. Paused groups are counted, too. */
final class GroupMetrics {
    private final GroupCaches groups;

    @Inject
    GroupMetrics(GroupCaches groups, CapacityPlanner planner, AdapterConfig config, MeterRegistry registry) {
        this.groups = groups;
        Gauge.builder("nodeward.autoscaler.groups", this,
                self -> self.count((kind, group) -> NodeGroups.isNodeGroup(group.metadata(), config.group)))
                .description("Node groups of the cluster-autoscaler")
                .register(registry);
        Gauge.builder("nodeward.autoscaler.advertised.groups", this,
                self -> self.count((kind, group) -> isAdvertised(group)))
                .description("Objects that advertise something, also those that are node groups no more")
                .register(registry);
        Gauge.builder("nodeward.autoscaler.redundant.groups", this,
                self -> self.count((kind, group) -> isRedundant(planner, kind, group)))
                .description("Those for which an autoscaler of 1.36 or later needs nothing that is written")
                .register(registry);
    }

    /** MachineSets of a MachineDeployment have copies. */
    private static boolean isAdvertised(NodeGroup group) {
        Map<String, String> annotations = group.metadata().annotations();
        return !NodeGroups.isOwned(group.metadata())
                && (annotations.containsKey(CapacityAnnotations.TAINTS_TRACKING)
                        || annotations.containsKey(CapacityAnnotations.LABELS_TRACKING));
    }

    /** Of what is not known yet, nothing is redundant. */
    private static boolean isRedundant(CapacityPlanner planner, GroupKind kind, NodeGroup group) {
        if (NodeGroups.isOwned(group.metadata())) {
            return false;
        }
        Plans plans = planner.plan(kind, group);
        return plans.grouped() && plans.redundant();
    }

    private long count(BiPredicate<GroupKind, NodeGroup> which) {
        long count = 0;
        for (GroupKind kind : GroupKind.values()) {
            count += groups.of(kind).all().stream().filter(group -> which.test(kind, group)).count();
        }
        return count;
    }
}
