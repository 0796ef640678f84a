package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;

/**
 * What work is queued by: one Node of a pool, so that one that fails stops no other.
 *
 * @param node its name; empty for what is to be said of the pool itself
 */
record PoolNode(ObjectKey pool, String node) {
    static PoolNode itself(ObjectKey pool) {
        return new PoolNode(pool, "");
    }

    boolean isItself() {
        return node.isEmpty();
    }

    @Override
    public String toString() {
        return isItself() ? pool.toString() : pool + " " + node;
    }
}
