package io.nodeward.core.rules.origin;

import java.util.List;
import java.util.Optional;

/**
 * A taint that is declared for a Node that does not have it.
 *
 * @param path objects that declare it, from the lowest up to where it comes from
 * @param below the object that should declare it next; empty if that is the Node
 */
public record Missing(DeclaringObject.Declared declared, List<DeclaringObject> path, Optional<DeclaringObject> below,
        Reason reason,
        String because) {
    public Missing {
        path = List.copyOf(path);
    }

    /** Why it is not there. */
    public enum Reason {
        PAUSED("Paused"),
        BLOCKED("Blocked"),
        /** MachineTaintPropagation is off. */
        GATE_OFF("GateOff"),
        /** MachinePoolTaintPropagation is off, or nothing has been written for the pool. */
        POOL_GATE("PoolGate"),
        /** Its key belongs to Cluster API. */
        RESERVED("Reserved"),
        /** No Node accepts it, or its propagation is unknown. */
        UNUSABLE("Unusable"),
        /** It was for initialization, which is over. */
        INITIALIZATION_OVER("InitializationOver"),
        /** The Cluster's list of taints replaces that of its class, with the gates that are given. */
        REPLACED("Replaced"),
        /** Nobody has written to the Node, or to the object below, at all. */
        NOT_PROPAGATED("NotPropagated"),
        /** The controller's next write brings it to the Node, or to the object below. */
        DUE("Due");

        private final String text;

        Reason(String text) {
            this.text = text;
        }

        /** One word, as programs read it. */
        public String text() {
            return text;
        }
    }
}
