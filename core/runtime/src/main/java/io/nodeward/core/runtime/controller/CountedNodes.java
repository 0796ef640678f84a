package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.NoExecuteCount;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Set;

/** The Nodes of one owner, as a {@link NoExecuteLimit} counts them. */
final class CountedNodes<K> {
    /** The time after the last Node was counted before any gets the effect, as an edit reaches Nodes one after the other. */
    static final Duration COUNTING = Duration.ofSeconds(3);
    /** The time after which counting ends although Nodes keep coming. A Node that comes so long after the last begins it anew. */
    private static final Duration MOST_COUNTING = Duration.ofSeconds(30);

    final Set<K> all = new HashSet<>();
    final Set<K> waiting = new HashSet<>();
    final LinkedHashMap<K, Long> lately = new LinkedHashMap<>();
    long confirmed;
    /** The time at which the first of the Nodes that are counted together began to wait. */
    long first;
    /** The time at which the last of them did. */
    long last;
    boolean stopped;
    /** Whether an Event has said that they are stopped. */
    boolean announced;

    void add(K key, long now) {
        boolean none = waiting.isEmpty();
        if (waiting.add(key)) {
            first = none || now - last >= MOST_COUNTING.toNanos() ? now : first;
            last = now;
        }
        lately.remove(key);
    }

    /** Returns whether it is known how many of those that have been seen wait. */
    boolean isCounted(long now) {
        return stopped || waiting.isEmpty() || !counting(now).isPositive();
    }

    Duration counting(long now) {
        return Duration.ofNanos(
                Math.min(last + COUNTING.toNanos() - now, first + MOST_COUNTING.toNanos() - now));
    }

    NoExecuteCount count() {
        return new NoExecuteCount(waiting.size(), lately.size(), all.size(), confirmed);
    }

    void remove(K key) {
        all.remove(key);
        waiting.remove(key);
        lately.remove(key);
    }
}
