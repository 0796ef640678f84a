package io.nodeward.core.rules.dedicated;

/**
 * Why two groups cannot be in force at once, or a group cannot be in force at all, or not yet.
 *
 * @param other name of the other DedicatedNodes; empty if there is none
 * @param message one sentence for a condition
 */
public record Conflict(Reason reason, String other, String message) {
    public enum Reason {
        /** Both would give a Node the same taint with different values. */
        TAINT_VALUE,
        /** Both let pods run on their own Nodes only, and no Node is of both. */
        EXCLUSIVE_SETS,
        /** Only one group may be shared. */
        SECOND_SHARED_GROUP,
        /** A Node has the taint with another value, and its owner keeps it. */
        TAINT_OF_OTHERS,
        /** No Node accepts what it declares. */
        INVALID,
        /** The edited group would have none of the Nodes that it has now. */
        LOSES_ALL_NODES,
        /** It would take all Nodes that are left, and pods do not tolerate its taint yet. */
        PODS_CUT_OFF,
        /** Templates of DaemonSets do not tolerate its taint yet. */
        DAEMON_SETS,
        /** Its pods are given the toleration of its taint first. */
        TOLERATIONS_PENDING;

        /** Whether the group contradicts nothing, and waits for what its taint would cut off. */
        public boolean isOfPods() {
            return this == PODS_CUT_OFF || this == DAEMON_SETS || this == TOLERATIONS_PENDING;
        }
    }
}
