package io.nodeward.controller.topology;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Target;

/**
 * What work is queued by.
 *
 * @param reports whether to report the status of those below the object, instead of propagating taints to it
 */
record Task(Level level, ObjectKey key, boolean reports) implements Comparable<Task> {
    static Task propagate(Level level, ObjectKey key) {
        return new Task(level, key, false);
    }

    static Task report(SourceObject source) {
        return new Task(source.level(), source.key(), true);
    }

    static Task report(Target source) {
        return new Task(Level.of(source.regarding().kind()), source.regarding().key(), true);
    }

    /** What is reported on. */
    SourceObject source() {
        return new SourceObject(level, key);
    }

    @Override
    public int compareTo(Task other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return (reports ? "below " : "") + level.kind() + " " + key;
    }
}
