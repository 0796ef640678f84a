package io.nodeward.autoscaler.adapter;

import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.validation.Warning;
import java.util.ArrayList;
import java.util.List;

/**
 * What is decided of a node group.
 *
 * @param grouped whether the autoscaler takes it for one; else there is nothing to tell
 * @param redundant whether an autoscaler of 1.36 or later needs nothing of what is written
 * @param known whether it is known what reaches its Nodes; if not, it is to be planned again after a while
 */
record Plans(CapacityPlan taints, CapacityPlan labels, boolean grouped, boolean redundant, boolean known) {
    /** Of what somebody may put right. */
    List<Warning> warnings() {
        if (!grouped) {
            return List.of();
        }
        List<Warning> warnings = new ArrayList<>(taints.warnings());
        warnings.addAll(labels.warnings());
        return warnings;
    }
}
