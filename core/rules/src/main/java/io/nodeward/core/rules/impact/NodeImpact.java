package io.nodeward.core.rules.impact;

import java.util.List;

/**
 * What happens to a Node and the pods on it.
 *
 * @param pods those to which the change makes a difference, by namespace and name
 */
public record NodeImpact(String node, TaintDifference taints, List<PodFate> pods) {
    public NodeImpact {
        pods = List.copyOf(pods);
    }
}
