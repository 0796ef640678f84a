package io.nodeward.autoscaler.adapter;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Node groups for which an autoscaler of 1.36 or later needs nothing that is written, as last planned. */
final class RedundantGroups {
    private final Set<NodeGroupKey> keys = ConcurrentHashMap.newKeySet();

    void set(NodeGroupKey key, boolean redundant) {
        if (redundant) {
            keys.add(key);
        } else {
            keys.remove(key);
        }
    }

    int size() {
        return keys.size();
    }
}
