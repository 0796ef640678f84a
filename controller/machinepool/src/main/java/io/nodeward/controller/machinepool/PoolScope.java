package io.nodeward.controller.machinepool;

import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.status.Blocked;

/** Where one Node of a pool stands. */
sealed interface PoolScope {
    /**
     * The Node is not one of this pool's, or is somebody else's to write.
     *
     * @param reason why, for logs
     */
    record NotManaged(String reason) implements PoolScope {}

    /**
     * Nothing is known of the pool's Nodes, or they must not be touched; an event must come first.
     *
     * @param reason what is waited for
     */
    record Waiting(String reason) implements PoolScope {}

    /** Somebody must put something right first. */
    record Stuck(MachinePool pool, Blocked by) implements PoolScope {}

    record Ready(MachinePool pool, Node node) implements PoolScope {}
}
