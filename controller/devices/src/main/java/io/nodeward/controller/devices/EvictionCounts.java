package io.nodeward.controller.devices;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** How many pods each rule has evicted since the start of the process, and whether its burst was left then. */
final class EvictionCounts {
    private final Map<String, Count> counts = new ConcurrentHashMap<>();

    /** @param first whether no process had evicted for the rule before */
    private record Count(String uid, boolean first, long evicted) {
        Count next() {
            return new Count(uid, first, evicted + 1);
        }
    }

    /**
     * From now on pods count.
     *
     * @return the UID of another rule of this name, which is gone
     */
    Optional<String> begin(String rule, String uid, boolean first) {
        Optional<String> other =
                Optional.ofNullable(counts.get(rule)).map(Count::uid).filter(before -> !before.equals(uid));
        other.ifPresent(gone -> counts.remove(rule));
        counts.computeIfAbsent(rule, any -> new Count(uid, first, 0));
        return other;
    }

    /** Returns its UID, if pods counted. */
    Optional<String> forget(String rule) {
        return Optional.ofNullable(counts.remove(rule)).map(Count::uid);
    }

    boolean isFirst(String rule, String uid) {
        return count(rule, uid).filter(Count::first).isPresent();
    }

    void evicted(Collection<String> rules) {
        rules.forEach(rule -> counts.computeIfPresent(rule, (any, count) -> count.next()));
    }

    long evicted(String rule, String uid) {
        return count(rule, uid).map(Count::evicted).orElse(0L);
    }

    private Optional<Count> count(String rule, String uid) {
        return Optional.ofNullable(counts.get(rule)).filter(count -> count.uid().equals(uid));
    }
}
