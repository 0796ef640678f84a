package io.nodeward.autoscaler.adapter;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.ObjectId;

/** A node group, by which work is queued. */
record NodeGroupKey(NodeGroupKind kind, ObjectKey object) {
    ObjectId id() {
        return new ObjectId(kind.text(), object);
    }

    @Override
    public String toString() {
        return kind.text() + " " + object;
    }
}
