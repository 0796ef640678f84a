package io.nodeward.core.runtime.controller;

import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Holds back the effect {@code NoExecute} on Nodes that newly get it, which evicts their pods: so many Nodes of one owner get it
 * a minute, and none while more wait for it than may without a confirmation. What else a change brings is not held back. Nothing
 * is stored: after a start the first Node waits like the others.
 *
 * @param <O> owners of Nodes
 * @param <K> what work is queued by, one for each Node
 */
public final class NoExecuteLimit<O, K> {
    /** So many Nodes of an owner need no confirmation, however few it has. */
    private static final int FEW = 10;
    private static final int PERCENT = 100;

    private final Settings settings;
    private final Pacer<K> pacer;
    private final Map<O, Nodes<K>> owners = new HashMap<>();
    private final Map<K, O> ownerOf = new ConcurrentHashMap<>();
    private final List<Consumer<O>> whenCounted = new CopyOnWriteArrayList<>();
    private final List<Consumer<K>> whenLet = new CopyOnWriteArrayList<>();

    /**
     * Of all owners alike.
     *
     * @param perMinute Nodes of one owner; 0 for all at once
     * @param percent of the Nodes of an owner that may wait without a confirmation, if that is more than a few; 0 for all
     */
    public record Settings(int perMinute, int percent) {
        public static final Settings DEFAULT = new Settings(10, 10);
        public static final Settings NONE = new Settings(0, 0);
    }

    /**
     * What is left of a change.
     *
     * @param again when the rest is due; empty if nothing is held back, or if it waits for a confirmation
     */
    public record Limited(NodeChange change, Optional<Result.RequeueAfter> again) {}

    /**
     * The Nodes of one owner.
     *
     * @param waiting those that newly get the effect
     * @param all of them
     * @param confirmed for how many that was confirmed
     */
    public record Count(int waiting, int all, long confirmed) {
        /** What the owner's status shows while they wait for a confirmation. */
        public Blocked blocked() {
            return new Blocked("NoExecuteNotConfirmed",
                    waiting + " of " + all + " Nodes would newly get NoExecute, which"
                            + " evicts their pods; to confirm, set the annotation " + TaintAnnotations.CONFIRMED
                            + " to "
                            + waiting);
        }
    }

    private static final class Nodes<K> {
        final Set<K> all = new HashSet<>();
        final Set<K> waiting = new HashSet<>();
        long confirmed;

        Count count() {
            return new Count(waiting.size(), all.size(), confirmed);
        }

        void remove(K key) {
            all.remove(key);
            waiting.remove(key);
        }
    }

    /** For how many Nodes an owner with these annotations confirms it; 0 if that is no number. */
    public static long confirmed(Map<String, String> annotations) {
        String text = annotations.getOrDefault(TaintAnnotations.CONFIRMED, "");
        return text.matches("[0-9]{1,9}") ? Long.parseLong(text) : 0;
    }

    /** @param ticker nanoseconds since any one moment */
    public NoExecuteLimit(Settings settings, LongSupplier ticker) {
        this.settings = settings;
        this.pacer = new Pacer<>(ticker);
    }

    /** Told of each owner of which another number of Nodes waits, or that was stopped or let go on. */
    public void whenCounted(Consumer<O> listener) {
        whenCounted.add(listener);
    }

    /** Told of each Node that waits for no confirmation any more. */
    public void whenLet(Consumer<K> listener) {
        whenLet.add(listener);
    }

    /**
     * What of the change may be made now; to be called whenever the Node is decided on.
     *
     * @param confirmed for how many Nodes the owner confirms it
     * @param without the change without the effect that it brings newly; empty if it brings none
     */
    public Limited limit(K key, O owner, long confirmed, NodeChange change, Optional<NodeChange> without) {
        O before = ownerOf.put(key, owner);
        if (before != null && !before.equals(owner)) {
            update(before, nodes -> nodes.remove(key));
        }
        update(owner, nodes -> {
            nodes.all.add(key);
            nodes.confirmed = confirmed;
            if (without.isPresent()) {
                nodes.waiting.add(key);
            } else {
                nodes.waiting.remove(key);
            }
        });
        if (without.isEmpty() || stopped(owner).isPresent()) {
            pacer.release(key);
            return new Limited(without.orElse(change), Optional.empty());
        }
        Duration left = settings.perMinute == 0
                ? Duration.ZERO
                : pacer.left(key, List.of(Pacer.Limit.perMinute(owner, settings.perMinute)));
        return left.isZero()
                ? new Limited(change, Optional.empty())
                : new Limited(without.get(), Optional.of(new Result.RequeueAfter(
                        left, "the limit of Nodes that newly get NoExecute")));
    }

    /** A change that brings it is made. */
    public void written(K key) {
        pacer.release(key);
        O owner = ownerOf.get(key);
        if (owner != null) {
            update(owner, nodes -> nodes.waiting.remove(key));
        }
    }

    /** There is no such Node any more. */
    public void forget(K key) {
        pacer.release(key);
        O owner = ownerOf.remove(key);
        if (owner != null) {
            update(owner, nodes -> nodes.remove(key));
        }
    }

    /** How many Nodes wait, if more of this owner do than may without a confirmation. */
    public synchronized Optional<Count> stopped(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(Nodes::count).filter(this::stops);
    }

    /** The Nodes of an owner that wait. */
    public synchronized Set<K> waiting(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> Set.copyOf(nodes.waiting)).orElse(Set.of());
    }

    /** How many Nodes of all owners wait. */
    public synchronized int waiting() {
        return owners.values().stream().mapToInt(nodes -> nodes.waiting.size()).sum();
    }

    private void update(O owner, Consumer<Nodes<K>> how) {
        Count before;
        Count after;
        synchronized (this) {
            Nodes<K> nodes = owners.computeIfAbsent(owner, any -> new Nodes<>());
            before = nodes.count();
            how.accept(nodes);
            after = nodes.count();
            if (after.all == 0) {
                owners.remove(owner);
                pacer.forget(owner);
            }
        }
        if (before.waiting != after.waiting || before.confirmed != after.confirmed || stops(before) != stops(after)) {
            whenCounted.forEach(listener -> listener.accept(owner));
        }
        if (stops(before) && !stops(after)) {
            waiting(owner).forEach(key -> whenLet.forEach(listener -> listener.accept(key)));
        }
    }

    private boolean stops(Count count) {
        return settings.percent > 0 && count.waiting > count.confirmed
                && count.waiting > Math.max(FEW, (long) count.all * settings.percent / PERCENT);
    }
}
