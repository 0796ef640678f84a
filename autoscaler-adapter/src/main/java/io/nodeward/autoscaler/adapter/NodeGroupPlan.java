package io.nodeward.autoscaler.adapter;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import io.nodeward.autoscaler.adapter.CapacityWrite.FieldConflict;
import io.nodeward.core.rules.capacity.CapacityPlan;
import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.runtime.status.Listed;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What is decided of a node group.
 *
 * @param grouped whether the autoscaler takes it for one; else there is nothing to advertise
 * @param redundant whether an autoscaler of 1.36 or later needs nothing of what is written
 * @param propagation what is known to reach its Nodes; if something is not known, it is planned again after a while
 */
record NodeGroupPlan(
        CapacityPlan taints,
        CapacityPlan labels,
        boolean grouped,
        boolean redundant,
        Propagation propagation) {
    /**
     * What somebody may fix, with one message for each reason. The condition shows what was left to somebody else first.
     *
     * @param conflicts what is left to somebody else
     */
    List<Finding> findings(List<FieldConflict> conflicts) {
        List<Finding> findings = new ArrayList<>();
        for (FieldConflict one : conflicts) {
            findings.add(finding(one.blocked().reason(), one.blocked().message(), findings.isEmpty()));
        }
        if (grouped) {
            Map<Reason, List<String>> messages = new LinkedHashMap<>();
            Stream.concat(taints.warnings().stream(), labels.warnings().stream()).forEach(warning -> messages
                    .computeIfAbsent(warning.reason(), reason -> new ArrayList<>()).add(warning.message()));
            messages.forEach((reason, all) -> findings.add(
                    finding(reason.text(), Listed.of(all), conflicts.isEmpty() && Warning.leavesOut(reason))));
        }
        return findings;
    }

    private static Finding finding(String reason, String message, boolean leftOut) {
        return new Finding(reason, message, leftOut, false);
    }
}
