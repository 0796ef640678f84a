package io.nodeward.core.rules.node;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;

/**
 * The decision about one Node.
 *
 * @param change {@link NodeChange#isEmpty()} if the Node is as it should be: no request is due
 * @param warnings what was left out or corrected; the same defect gives the same Warning each time it is planned
 */
public record NodePlan(NodeChange change, List<Warning> warnings) {
    public NodePlan {
        warnings = List.copyOf(warnings);
    }

    /** The warnings as the owner's status shows them. */
    public List<Finding> findings() {
        return warnings.stream().map(Warning::finding).toList();
    }
}
