package io.nodeward.controller.machine;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.WorkloadCluster;

/** Where a Machine stands, as far as its Node is concerned. */
sealed interface MachineSituation {
    /** The Machine does not exist any more. */
    record Gone() implements MachineSituation {}

    /**
     * An event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(Machine machine, String reason) implements MachineSituation {}

    /**
     * Somebody must put something right first.
     *
     * @param reason of the Warning Event
     */
    record Blocked(Machine machine, String reason, String message) implements MachineSituation {}

    record Ready(Machine machine, Node node, WorkloadCluster workload) implements MachineSituation {}
}
