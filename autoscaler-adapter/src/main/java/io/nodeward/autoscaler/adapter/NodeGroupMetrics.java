package io.nodeward.autoscaler.adapter;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.rules.capacity.NodeGroups;
import jakarta.inject.Inject;
import java.util.Map;
import java.util.function.Predicate;

/** Shows when the controller is needed no more. Paused groups are counted, too. A scrape only counts. */
final class NodeGroupMetrics {
    private final NodeGroupCaches groups;

    @Inject
    NodeGroupMetrics(NodeGroupCaches groups, RedundantGroups redundant, AdapterConfig config, MeterRegistry registry) {
        this.groups = groups;
        Gauge.builder("nodeward.autoscaler.groups", this,
                self -> self.count(group -> NodeGroups.isNodeGroup(group.metadata(), config.group)))
                .description("Node groups of the cluster-autoscaler")
                .register(registry);
        Gauge.builder("nodeward.autoscaler.advertised.groups", this,
                self -> self.count(NodeGroupMetrics::isAdvertised))
                .description("Objects that advertise something, also those that are node groups no more")
                .register(registry);
        Gauge.builder("nodeward.autoscaler.redundant.groups", redundant, RedundantGroups::size)
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

    private long count(Predicate<NodeGroup> which) {
        long count = 0;
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            count += groups.of(kind).all().stream().filter(which).count();
        }
        return count;
    }
}
