package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.Blocked;
import io.nodeward.core.runtime.cluster.WorkloadCluster;

/** Where one Node of a pool stands. */
sealed interface PoolSituation {
    /** The pool does not exist any more, or the Node is not one of it. */
    record NotOurs() implements PoolSituation {}

    /**
     * An event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements PoolSituation {}

    /** Somebody must put something right first. */
    record Stuck(MachinePool pool, Blocked by) implements PoolSituation {}

    record Ready(MachinePool pool, Node node, WorkloadCluster workload) implements PoolSituation {}
}
