package io.nodeward.autoscaler.adapter;

import io.nodeward.api.meta.ObjectKey;

/** A node group, by which work is queued. */
record NodeGroupKey(NodeGroupKind kind, ObjectKey object) {
    @Override
    public String toString() {
        return kind.text() + " " + object;
    }
}
