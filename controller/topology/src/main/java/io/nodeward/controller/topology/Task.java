package io.nodeward.controller.topology;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Target;

/**
 * What work is queued by.
 *
 * @param tells whether to say how those below the object fare, instead of carrying taints to it
 */
record Task(Level level, ObjectKey key, boolean tells) implements Comparable<Task> {
    static Task carry(Level level, ObjectKey key) {
        return new Task(level, key, false);
    }

    static Task tell(Declarer declarer) {
        return new Task(declarer.level(), declarer.key(), true);
    }

    static Task tell(Target source) {
        return new Task(Level.of(source.regarding().kind()), source.regarding().key(), true);
    }

    /** What is told of. */
    Declarer declarer() {
        return new Declarer(level, key);
    }

    @Override
    public int compareTo(Task other) {
        return toString().compareTo(other.toString());
    }

    @Override
    public String toString() {
        return (tells ? "below " : "") + level.kind() + " " + key;
    }
}
