package io.nodeward.controller.dedicated;

import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.CustomResource;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
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
    private final LongSupplier ticker;
    private final PendingEvictions pending;
    private final Map<String, Evicting> evicting = new ConcurrentHashMap<>();
    private final Map<String, Long> evicted = new ConcurrentHashMap<>();

    /** A group that evicts strangers, as it was decided on. No others go, as a user has confirmed their number. */
    private record Evicting(Group group, Map<ObjectKey, Cause> causes) {
        private static Evicting of(Group group, List<Stranger> strangers, Optional<Evicting> before,
                LongSupplier ticker) {
            Optional<Evicting> same = before.filter(other -> other.group.equals(group));
            return new Evicting(group, strangers.stream().collect(Collectors.toMap(Stranger::pod,
                    stranger -> same.flatMap(other -> other.of(stranger.pod(), stranger.uid()))
                            .map(known -> new Cause(group, stranger, known.times))
                            .orElseGet(() -> new Cause(group, stranger, new Times(ticker))))));
        }

        private Optional<Cause> of(ObjectKey pod, String uid) {
            return Optional.ofNullable(causes.get(pod)).filter(cause -> cause.stranger.uid().equals(uid));
        }

        private Set<ObjectKey> differingFrom(Optional<Evicting> before) {
            Map<ObjectKey, Cause> known = before.map(Evicting::causes).orElse(Map.of());
            return causes.entrySet().stream().filter(cause -> !cause.getValue().equals(known.get(cause.getKey())))
                    .map(Map.Entry::getKey).collect(Collectors.toSet());
        }
    }

    /** A group for which a pod has to go. */
    record Cause(Group group, Stranger stranger, Times times) {
        /** Returns how long the pod may still stay as it tolerates the taint for a while; not positive if it has to go now. */
        Duration left() {
            return stranger.tolerated().minus(times.sinceDecided());
        }

        /** Notes that budgets hold up the pod. */
        void heldUp() {
            times.heldUp();
        }

        /** Returns how long budgets may still hold up the pod: the time begins when they do so first. */
        Duration patience() {
            return group.spec().eviction().patience(times.held());
        }
    }

    /** What counts in this process alone, for one pod and one spec of its group: no clock, and no other process, ends it early. */
    private static final class Times {
        private final LongSupplier ticker;
        private final long decided;
        private volatile OptionalLong held = OptionalLong.empty();

        private Times(LongSupplier ticker) {
            this.ticker = ticker;
            this.decided = ticker.getAsLong();
        }

        private Duration sinceDecided() {
            return Duration.ofNanos(ticker.getAsLong() - decided);
        }

        private void heldUp() {
            if (held.isEmpty()) {
                held = OptionalLong.of(ticker.getAsLong());
            }
        }

        private Duration held() {
            OptionalLong since = held;
            return since.isEmpty() ? Duration.ZERO : Duration.ofNanos(ticker.getAsLong() - since.getAsLong());
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
        this.ticker = ticker;
        this.pending = new PendingEvictions(new Pacer<>(ticker));
    }

    /** Returns the pods that have to go. */
    PendingEvictions pending() {
        return pending;
    }

    /** Begins all times and turns anew: another leader may have evicted pods since. */
    synchronized void restart() {
        pending.restart();
        evicting.replaceAll((name, group) -> Evicting.of(group.group,
                group.causes.values().stream().map(Cause::stranger).toList(), Optional.empty(), ticker));
    }

    /** Returns whether members are given the tolerations that they lack. */
    boolean tolerationsGiven() {
        return features.tolerations();
    }

    /**
     * Decides whether a group evicts strangers from now on, and what its status is to show of that; empty if nothing.
     *
     * @param shown whether the status has shown for the newest spec that it does
     */
    Optional<Progress> decide(Resolved resolved, Preview preview, boolean shown) {
        Optional<StrangerEviction> state = StrangerEviction.next(resolved, preview, features, shown);
        String name = resolved.declared().name();
        if (state.equals(Optional.of(StrangerEviction.EVICTING))) {
            evict(resolved.inForce().orElseThrow(), preview.strangers(Stranger.End.REQUEST));
        } else {
            evicting.remove(name);
        }
        return state.map(now -> new Progress(now, now.message(preview, evicted.getOrDefault(name, 0L),
                pending.text(Set.of(name)))));
    }

    private synchronized void evict(Group group, List<Stranger> strangers) {
        Optional<Evicting> before = Optional.ofNullable(evicting.get(group.name()));
        Evicting next = Evicting.of(group, strangers, before, ticker);
        evicting.put(group.name(), next);
        pending.due(next.differingFrom(before));
    }

    /** Returns whether the status shows for the newest spec that strangers are evicted. */
    static boolean isShown(CustomResource<DedicatedNodes> group) {
        return group.conditions().stream().anyMatch(condition -> condition.type().equals(CONDITION)
                && condition.status().equals(Condition.TRUE)
                && condition.observedGeneration() == group.generation());
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
        pending.progress(groups);
    }
}
