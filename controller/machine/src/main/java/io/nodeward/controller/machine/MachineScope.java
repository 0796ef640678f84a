package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.status.Blocked;

/** Where a Machine stands, as far as its Node is concerned. */
sealed interface MachineScope {
    /** The Machine does not exist any more. */
    record Gone() implements MachineScope {}

    /**
     * An event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(Machine machine, String reason) implements MachineScope {}

    /**
     * Its Node has not joined the workload cluster, or has left it.
     *
     * @param message which Node
     */
    record NodeNotJoined(Machine machine, String message) implements MachineScope {}

    /** Somebody must put something right first. */
    record Stuck(Machine machine, Blocked by) implements MachineScope {}

    record Ready(Machine machine, Node node) implements MachineScope {}
}
