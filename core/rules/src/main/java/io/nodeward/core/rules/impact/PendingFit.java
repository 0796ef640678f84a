package io.nodeward.core.rules.impact;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/**
 * Where a pod that waits for a Node may go, as far as taints decide it.
 *
 * @param opened names of Nodes whose old taints kept it off and whose new ones do not
 * @param closed the other way round
 * @param open how many Nodes of all let it on with the new taints
 */
public record PendingFit(ObjectKey pod, List<String> opened, List<String> closed, int open) {
    public PendingFit {
        opened = List.copyOf(opened);
        closed = List.copyOf(closed);
    }

    public boolean isChanged() {
        return !opened.isEmpty() || !closed.isEmpty();
    }
}
