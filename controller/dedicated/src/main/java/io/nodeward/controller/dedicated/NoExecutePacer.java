package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When a Node may newly get the effect {@code NoExecute}: one after the other, at even distances. A Node that must wait has
 * a time of its own, so that nobody asks again before it is due.
 */
final class NoExecutePacer {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final long distance;
    private final LongSupplier ticker;
    private final Map<ObjectKey, Long> due = new HashMap<>();
    /** When a Node last went, which may be later than its time was; at first the start: another process may have let one go. */
    private long went;
    private @Nullable ObjectKey last;
    /** The last time that was given to a Node. */
    private long given;

    /**
     * @param perMinute Nodes, at least 1
     * @param ticker nanoseconds since any one moment
     */
    NoExecutePacer(int perMinute, LongSupplier ticker) {
        if (perMinute < 1) {
            throw new IllegalArgumentException(
                    "--dedicated-noexecute-nodes-per-minute: must be 1 or more, and is " + perMinute);
        }
        this.distance = MINUTE.toNanos() / perMinute;
        this.ticker = ticker;
        this.went = ticker.getAsLong();
        this.given = went;
    }

    /** How long the Node has to wait; zero if it goes now. It keeps its time until it is {@link #release}d. */
    synchronized Duration left(ObjectKey node) {
        long now = ticker.getAsLong();
        long free = node.equals(last) ? now : went + distance;
        Long time = due.get(node);
        if (time == null || free - now > 0 && now - time >= distance) { // all whose times have passed do not ask together
            time = later(now, later(given, went) + distance);
            given = time;
            due.put(node, time);
        }
        long left = later(time, free) - now;
        if (left > 0) {
            return Duration.ofNanos(left);
        }
        went = now;
        last = node;
        return Duration.ZERO;
    }

    /** The Node has the effect, or does not need it any more. When no Node waits, times that were not used are free again. */
    synchronized void release(ObjectKey node) {
        if (due.remove(node) != null && due.isEmpty()) {
            given = went;
        }
    }

    /** How many Nodes have a time. */
    synchronized int waiting() {
        return due.size();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }
}
