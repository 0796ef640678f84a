package io.nodeward.core.runtime.status;

import io.nodeward.api.meta.ObjectKey;

/** An object among those of several kinds. */
public record ObjectId(String kind, ObjectKey key) {
    static ObjectId of(Target target) {
        return new ObjectId(target.regarding().kind(), target.regarding().key());
    }
}
