package io.nodeward.controller.dedicated;

/**
 * What the reconcilers of groups, Nodes and pods tell each other.
 *
 * @param confirmed groups whose evictions somebody has confirmed: no others may evict, and none from when they are unmarked
 * @param nodes what keeps Nodes from being as declared
 * @param pods what keeps pods from their tolerations
 */
record Exchange(MarkedGroups confirmed, Outcomes nodes, Outcomes pods) {
    Exchange() {
        this(new MarkedGroups(), new Outcomes(), new Outcomes());
    }
}
