package io.nodeward.controller.dedicated;

import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.dedicated.Group;
import io.nodeward.core.rules.dedicated.PodFeatures;
import io.nodeward.core.rules.dedicated.Preview;
import io.nodeward.core.rules.dedicated.Resolved;
import io.nodeward.core.rules.dedicated.Stranger;
import io.nodeward.core.rules.dedicated.StrangerEviction;
import io.nodeward.core.runtime.eviction.PendingEvictions;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The groups that evict strangers, and how many each has evicted. One thread at a time decides on a group, while others evict pods. The
 * last decision stays in effect while the next one is awaited: group, Node and pod are looked at again before each request.
 */
final class Evictions {
    /** The type of the condition that says whether strangers are evicted. */
    static final String CONDITION = "EvictionInProgress";

    private final PodFeatures features;
    private final PendingEvictions pending;
    private final Map<String, Evicting> evicting = new ConcurrentHashMap<>();
    private final Map<String, Long> evicted = new ConcurrentHashMap<>();
    private final List<Consumer<Set<ObjectKey>>> listeners = new CopyOnWriteArrayList<>();
    private final List<Consumer<Set<String>>> heldUpListeners = new CopyOnWriteArrayList<>();

    /**
     * A group that evicts strangers, as it was decided on.
     *
     * @param since when the status began to show it
     * @param strangers those that were counted: no others go, as a user has confirmed their number
     */
    record Evicting(Group group, Instant since, Map<ObjectKey, Stranger> strangers) {
        private Optional<Cause> of(ObjectKey pod, String uid) {
            return Optional.ofNullable(strangers.get(pod)).filter(stranger -> stranger.uid().equals(uid))
                    .map(stranger -> new Cause(group, since, stranger));
        }

        private Set<ObjectKey> differingFrom(Optional<Evicting> before) {
            Map<ObjectKey, Stranger> known = before
                    .filter(other -> other.group.equals(group) && other.since.equals(since))
                    .map(Evicting::strangers).orElse(Map.of());
            return strangers.values().stream().filter(stranger -> !stranger.equals(known.get(stranger.pod())))
                    .map(Stranger::pod).collect(Collectors.toSet());
        }
    }

    /** A group for which a pod has to go. */
    record Cause(Group group, Instant since, Stranger stranger) {
        /** Returns when it has to go. */
        Instant at() {
            return since.plus(stranger.tolerated());
        }

        /** Returns how long budgets may still hold it up. */
        Duration patience(Instant now) {
            return group.spec().eviction().patience(since, now);
        }
    }

    /**
     * How far a group has come with evicting strangers.
     *
     * @param message of the condition
     */
    record Progress(StrangerEviction state, String message) {}

    /** @param ticker nanoseconds since any one moment */
    Evictions(PodFeatures features, LongSupplier ticker) {
        this.features = features;
        this.pending = new PendingEvictions(new Pacer<>(ticker), this::tellHeldUp);
    }

    /** Returns the pods that have to go. */
    PendingEvictions pending() {
        return pending;
    }

    /** Calls the listener with the strangers of a group that evicts, and again with one that has changed. */
    void whenEvicting(Consumer<Set<ObjectKey>> listener) {
        listeners.add(listener);
    }

    /** Calls the listener with the groups that have evicted a pod, or whose pods are held up by something else than before. */
    void whenHeldUp(Consumer<Set<String>> listener) {
        heldUpListeners.add(listener);
    }

    /**
     * Decides whether a group evicts strangers from now on, and what its status is to show of that; empty if nothing.
     *
     * @param shown since when the newest status shows for the newest spec that it does; empty if it does not
     */
    Optional<Progress> decide(Resolved resolved, Preview preview, Optional<Instant> shown) {
        Optional<StrangerEviction> state = StrangerEviction.next(resolved, preview, features, shown.isPresent());
        String name = resolved.declared().name();
        if (state.equals(Optional.of(StrangerEviction.EVICTING))) {
            Evicting next = new Evicting(resolved.inForce().orElseThrow(), shown.orElseThrow(),
                    preview.strangers().stream().collect(Collectors.toMap(Stranger::pod, Function.identity())));
            Optional<Evicting> before = Optional.ofNullable(evicting.put(name, next));
            listeners.forEach(listener -> listener.accept(next.differingFrom(before)));
        } else {
            evicting.remove(name);
        }
        return state.map(now -> new Progress(now, now.message(preview.strangers().size(),
                evicted.getOrDefault(name, 0L), pending.text(Set.of(name)))));
    }

    /** Returns since when the condition shows for a generation of the spec that strangers are evicted; empty if it does not. */
    static Optional<Instant> shown(Condition condition, long generation) {
        return Optional.of(condition).filter(shown -> shown.type().equals(CONDITION)
                && shown.status().equals(Condition.TRUE) && shown.observedGeneration() == generation)
                .map(Condition::since);
    }

    /** Forgets a group that does not exist. */
    void forget(String group) {
        evicting.remove(group);
        evicted.remove(group);
    }

    /** Returns the groups that have decided that this very pod has to go. */
    List<Cause> of(ObjectKey pod, String uid) {
        return evicting.values().stream().flatMap(group -> group.of(pod, uid).stream()).toList();
    }

    /** Counts a pod that has been evicted, be it a while ago. */
    void evicted(Set<String> groups) {
        groups.forEach(group -> evicted.merge(group, 1L, Long::sum));
        tellHeldUp(groups);
    }

    private void tellHeldUp(Set<String> groups) {
        if (!groups.isEmpty()) {
            heldUpListeners.forEach(listener -> listener.accept(groups));
        }
    }
}
