package io.nodeward.controller.devices;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.Blocked;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** How many pods each rule has evicted since the start of the process, whether its burst was left then, and who is refused. */
final class EvictionCounts {
    private final Map<String, Count> counts = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Refusal> refusals = new ConcurrentHashMap<>();

    /**
     * Of a pod that the server does not let go.
     *
     * @param rules that evict it
     */
    private record Refusal(Set<String> rules, Blocked why) {}

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

    /** @param uids of the rules, by name */
    long evicted(Map<String, String> uids) {
        return uids.entrySet().stream().flatMap(rule -> count(rule.getKey(), rule.getValue()).stream())
                .mapToLong(Count::evicted).sum();
    }

    void refused(ObjectKey pod, Set<String> rules, Blocked why) {
        refusals.put(pod, new Refusal(rules, why));
    }

    /** Returns the rules that counted it as refused. */
    Set<String> notRefused(ObjectKey pod) {
        return Optional.ofNullable(refusals.remove(pod)).map(Refusal::rules).orElse(Set.of());
    }

    /** How many pods of these rules the server does not let go, and why the first; empty if there is none. */
    Optional<String> refused(Set<String> rules) {
        Map<ObjectKey, Blocked> refused = new TreeMap<>(Comparator.comparing(ObjectKey::toString));
        refusals.forEach((pod, refusal) -> {
            if (!Collections.disjoint(refusal.rules(), rules)) {
                refused.put(pod, refusal.why());
            }
        });
        return refused.entrySet().stream().findFirst().map(first -> "the server does not let " + refused.size()
                + " go, which is tried again; of Pod " + first.getKey() + " " + first.getValue().message());
    }

    private Optional<Count> count(String rule, String uid) {
        return Optional.ofNullable(counts.get(rule)).filter(count -> count.uid().equals(uid));
    }
}
