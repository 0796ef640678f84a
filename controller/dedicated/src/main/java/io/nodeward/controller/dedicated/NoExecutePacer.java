package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * When a Node may newly get the effect {@code NoExecute}: one after the other, at even distances. A Node that must wait has
 * a time of its own, so that nobody asks again before it is due.
 */
final class NoExecutePacer {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private final long distance;
    private final LongSupplier ticker;
    private final Map<ObjectKey, Long> due = new HashMap<>();
    /** The last time that came for a Node which had waited for it. */
    private long used;
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
        this.used = ticker.getAsLong() - distance;
        this.given = used;
    }

    /** How long the Node has to wait; zero if its time has come. It keeps its time until it is {@link #release}d. */
    synchronized Duration left(ObjectKey node) {
        long now = ticker.getAsLong();
        Long time = due.get(node);
        if (time == null) {
            time = later(now, given + distance);
            given = time;
            due.put(node, time);
        }
        return time - now <= 0 ? Duration.ZERO : Duration.ofNanos(time - now);
    }

    /** The Node has the effect, or does not need it any more. When no Node waits, times that were not used are free again. */
    synchronized void release(ObjectKey node) {
        Long time = due.remove(node);
        if (time == null) {
            return;
        }
        if (time - ticker.getAsLong() <= 0) {
            used = later(used, time);
        }
        if (due.isEmpty()) {
            given = used;
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
