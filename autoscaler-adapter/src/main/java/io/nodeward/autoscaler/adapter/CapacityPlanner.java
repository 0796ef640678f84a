package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.rules.capacity.CapacityLabels;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.CapacityTaints;
import io.nodeward.core.rules.capacity.NodeGroups;
import io.nodeward.core.rules.taint.DeclaredTaints;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Asks the rules, with what this room was configured to. */
final class CapacityPlanner {
    private final CapacityPolicy taints;
    private final CapacityPolicy poolTaints;
    private final List<Pattern> labels;
    private final boolean poolLabels;
    private final AdapterConfig config;

    CapacityPlanner(
            CapacityPolicy taints,
            boolean poolTaints,
            List<Pattern> labels,
            boolean poolLabels,
            AdapterConfig config) {
        this.taints = taints;
        this.poolTaints = taints.withTaints(poolTaints && taints.propagatesTaints());
        this.labels = labels;
        this.poolLabels = poolLabels;
        this.config = config;
    }

    Plans plan(GroupKind kind, NodeGroup group) {
        Map<String, String> annotations = group.metadata().annotations();
        if (config.withdraw || !NodeGroups.isNodeGroup(group.metadata(), config.group)) {
            return new Plans(
                    CapacityTaints.withdraw(annotations), CapacityLabels.withdraw(annotations), false, true);
        }
        Template template = group.template();
        DeclaredTaints spec = DeclaredTaints.of(template.taints());
        DeclaredTaints annotated = DeclaredTaints.annotated(template.annotations(), spec);
        CapacityPolicy policy = kind == GroupKind.MACHINE_POOL ? poolTaints : taints;
        return new Plans(
                CapacityTaints.plan(spec, annotated, annotations, policy),
                labels(kind, template, annotations),
                true,
                CapacityTaints.isRedundant(annotated, policy));
    }

    private CapacityPlan labels(GroupKind kind, Template template, Map<String, String> annotations) {
        if (!config.labels) {
            return CapacityLabels.withdraw(annotations);
        }
        boolean carried = kind != GroupKind.MACHINE_POOL || poolLabels;
        return CapacityLabels.plan(carried ? template.labels() : Map.of(), labels, annotations);
    }
}
