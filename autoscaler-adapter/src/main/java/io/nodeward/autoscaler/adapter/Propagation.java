package io.nodeward.autoscaler.adapter;

/**
 * Which parts of what a node group declares are propagated to its Nodes.
 *
 * @param spec whether taints of the template's spec are
 * @param taints whether those declared by annotation are
 * @param labels whether labels are
 */
record Propagation(boolean spec, State taints, State labels) {
    /** Of every group but a pool. */
    static final Propagation ALL = new Propagation(true, State.PROPAGATED, State.PROPAGATED);

    /** Whether it is propagated to Nodes. */
    enum State {
        PROPAGATED,
        /** Nobody sets it on Nodes: advertised, it would keep the group at zero. */
        NOT_PROPAGATED,
        /** To be found out; until then what was advertised stays. */
        UNKNOWN,
        /** To be read first. */
        UNREAD
    }

    /** Whether all is known. */
    boolean isKnown() {
        return isRead() && taints != State.UNKNOWN && labels != State.UNKNOWN;
    }

    /** Whether what there is to know has been read. */
    boolean isRead() {
        return taints != State.UNREAD && labels != State.UNREAD;
    }
}
