package io.nodeward.autoscaler.adapter;

/**
 * What of a group's declaration reaches its Nodes.
 *
 * @param spec whether taints of the template's spec do
 * @param taints whether those declared by annotation do
 * @param labels whether labels do
 */
record Reach(boolean spec, Is taints, Is labels) {
    /** Of every group but a pool. */
    static final Reach ALL = new Reach(true, Is.PROPAGATED, Is.PROPAGATED);

    /** Whether it is carried to Nodes. */
    enum Is {
        PROPAGATED,
        /** Nobody sets it: to advertise it would keep the group at zero for nothing. */
        LEFT,
        /** To be found out; until then what was advertised stays. */
        UNKNOWN,
        /** To be read first. */
        UNREAD
    }

    /** Whether all is known. */
    boolean isKnown() {
        return isRead() && taints != Is.UNKNOWN && labels != Is.UNKNOWN;
    }

    /** Whether what there is to know has been read. */
    boolean isRead() {
        return taints != Is.UNREAD && labels != Is.UNREAD;
    }
}
