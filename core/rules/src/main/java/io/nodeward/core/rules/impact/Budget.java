package io.nodeward.core.rules.impact;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.selector.LabelSelector;

/**
 * A PodDisruptionBudget. The controllers of Kubernetes that evict pods for taints do not ask it.
 *
 * @param selector of pods in its namespace; one without requirements selects all of them
 * @param allowed how many of them may be evicted now, as its status says
 */
public record Budget(ObjectKey key, LabelSelector selector, long allowed) {
    /** Returns whether the budget selects the pod. */
    public boolean covers(Pod pod) {
        return pod.key().namespace().equals(key.namespace()) && selector.matches(pod.metadata().labels());
    }
}
