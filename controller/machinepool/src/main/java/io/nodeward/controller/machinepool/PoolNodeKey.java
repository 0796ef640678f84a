package io.nodeward.controller.machinepool;

import io.nodeward.api.meta.ObjectKey;

/**
 * What work is queued by: one Node of a pool, so that one that fails stops no other.
 *
 * @param node its name; empty for the status of the pool itself
 */
record PoolNodeKey(ObjectKey pool, String node) {
    static PoolNodeKey itself(ObjectKey pool) {
        return new PoolNodeKey(pool, "");
    }

    boolean isItself() {
        return node.isEmpty();
    }

    @Override
    public String toString() {
        return isItself() ? pool.toString() : pool + " " + node;
    }
}
