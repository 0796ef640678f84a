package io.nodeward.controller.topology;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Target;

/**
 * What work is queued by: to propagate taints to an object, or to report the status of those below it.
 *
 * @param reports whether to report the status of those below the object, instead of propagating taints to it
 */
record TopologyTask(TopologyKind kind, ObjectKey key, boolean reports) {
    static TopologyTask propagate(TopologyKind kind, ObjectKey key) {
        return new TopologyTask(kind, key, false);
    }

    static TopologyTask report(SourceObject source) {
        return new TopologyTask(source.kind(), source.key(), true);
    }

    static TopologyTask report(Target source) {
        return new TopologyTask(TopologyKind.of(source.regarding().kind()), source.regarding().key(), true);
    }

    /** What is reported on. */
    SourceObject source() {
        return new SourceObject(kind, key);
    }

    @Override
    public String toString() {
        return (reports ? "below " : "") + kind.text() + " " + key;
    }
}
