package io.nodeward.core.rules.fleet;

import io.nodeward.api.node.Node;

/** Whether a Node is one of a MachinePool. */
public sealed interface PoolMatch permits PoolMatch.Matched, PoolMatch.NotMatched, Ambiguous {
    record Matched(Node node) implements PoolMatch {}

    /**
     * The Node belongs to something else, or is not there.
     *
     * @param reason why, for logs
     */
    record NotMatched(String reason) implements PoolMatch {}
}
