package io.nodeward.core.rules.fleet;

import io.nodeward.api.node.Node;

/** Which Node a Machine has. */
public sealed interface MachineMatch
        permits MachineMatch.Matched, MachineMatch.NotJoined, MachineMatch.Waiting, Ambiguous {
    record Matched(Node node) implements MachineMatch {}

    /**
     * The Node has not joined the workload cluster, or has left it.
     *
     * @param message which Node
     */
    record NotJoined(String message) implements MachineMatch {}

    /**
     * The Machine does not say yet which Node it has.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements MachineMatch {}
}
