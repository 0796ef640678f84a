package io.nodeward.core.rules.impact;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/**
 * Where a pod that waits for a Node may go, as far as taints decide it.
 *
 * @param nowSchedulable names of Nodes whose old taints kept it off and whose new ones do not
 * @param nowFilteredOut the other way round
 * @param schedulable on how many Nodes of all it is so with the new taints
 */
public record PendingFit(ObjectKey pod, List<String> nowSchedulable, List<String> nowFilteredOut, int schedulable) {
    public PendingFit {
        nowSchedulable = List.copyOf(nowSchedulable);
        nowFilteredOut = List.copyOf(nowFilteredOut);
    }

    public boolean isChanged() {
        return !nowSchedulable.isEmpty() || !nowFilteredOut.isEmpty();
    }
}
