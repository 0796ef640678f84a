package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Reason;
import io.nodeward.autoscaler.adapter.Propagation.State;
import io.nodeward.core.rules.capacity.CapacityLabels;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.rules.capacity.CapacityTaints;
import io.nodeward.core.rules.capacity.NodeGroups;
import io.nodeward.core.rules.taint.DeclaredTaints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Asks the rules, with what this controller was configured to. */
record CapacityPlanner(CapacityPolicy policy, List<Pattern> labels, PoolPropagation pools, AdapterConfig config) {
    NodeGroupPlan plan(NodeGroupKind kind, NodeGroup group) {
        Map<String, String> annotations = group.metadata().annotations();
        if (config.withdraw || !NodeGroups.isNodeGroup(group.metadata(), config.group)) {
            return new NodeGroupPlan(
                    CapacityTaints.withdraw(annotations), CapacityLabels.withdraw(annotations), false, true,
                    Propagation.ALL);
        }
        Propagation propagation = kind == NodeGroupKind.MACHINE_POOL ? pools.of(group, config.labels) : Propagation.ALL;
        Template template = group.template();
        DeclaredTaints spec = propagation.spec() ? DeclaredTaints.of(template.taints()) : DeclaredTaints.NONE;
        DeclaredTaints annotated = DeclaredTaints.annotated(template.annotations(), spec);
        CapacityPlan taints = taints(propagation.taints(), spec, annotated, annotations);
        CapacityPlan labelPlan = labels(propagation.labels(), template, annotations);
        boolean specSaysIt = switch (propagation.taints()) {
            case PROPAGATED -> CapacityTaints.isRedundant(annotated, policy) && !outdoesSpec(taints);
            case NOT_PROPAGATED -> true;
            case UNKNOWN, UNREAD -> false;
        };
        // No autoscaler reads labels of the template.
        return new NodeGroupPlan(taints, labelPlan, true, specSaysIt && labelPlan.tracking().isEmpty(), propagation);
    }

    /** An entry that is wrong does not become right by switching this controller off. */
    private static boolean outdoesSpec(CapacityPlan taints) {
        return taints.warnings().stream().anyMatch(warning -> warning.reason() == Reason.CAPACITY_OVERRIDE);
    }

    private CapacityPlan taints(
            State propagated, DeclaredTaints spec, DeclaredTaints annotated, Map<String, String> annotations) {
        if (propagated == State.NOT_PROPAGATED && policy.propagatesTaints()) {
            return CapacityTaints.withdraw(annotations); // or it would grow stale there, and win
        }
        CapacityPolicy applied = propagated == State.PROPAGATED ? policy : policy.withTaints(false);
        return CapacityTaints.plan(spec, annotated, annotations, applied);
    }

    private CapacityPlan labels(State propagated, Template template, Map<String, String> annotations) {
        if (!config.labels || propagated == State.NOT_PROPAGATED) {
            return CapacityLabels.withdraw(annotations);
        }
        return propagated == State.PROPAGATED
                ? CapacityLabels.plan(template.labels(), labels, annotations, config.adopts)
                : new CapacityPlan(
                        Optional.ofNullable(annotations.get(CapacityAnnotations.LABELS)),
                        Optional.ofNullable(annotations.get(CapacityAnnotations.LABELS_TRACKING)),
                        false, false, List.of());
    }
}
