package io.nodeward.controller.dedicated;

/**
 * What the reconcilers of groups, Nodes and pods tell each other.
 *
 * @param confirmed groups whose evictions somebody has confirmed: no others may evict, and none from when they are unmarked
 * @param ofPods groups whose pods get their toleration
 * @param nodes what keeps Nodes from being as declared
 * @param pods what keeps pods from their tolerations
 * @param releasing groups that give up Nodes one after the other, each as it was in force
 */
record Exchange(MarkedGroups confirmed, MarkedGroups ofPods, Outcomes nodes, Outcomes pods, MarkedGroups releasing) {
    Exchange() {
        this(new MarkedGroups(), new MarkedGroups(), new Outcomes(), new Outcomes(), new MarkedGroups());
    }
}
