package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Gauge;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Pacer;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Holds back the effect {@code NoExecute} on Nodes that newly get it, which evicts their pods: so many Nodes of one owner get it
 * a minute, and none while more of them wait for it, or got it lately, than may without a confirmation. What else a change brings
 * is not held back. Nothing is stored: after a start the first Node waits like the others.
 *
 * @param <O> owners of Nodes
 * @param <K> what work is queued by, one for each Node
 */
public final class NoExecuteLimit<O, K> {
    /** The type of the condition on owners: of its own, as other controllers report on the same objects. */
    public static final String CONDITION = Condition.PREFIX + "NoExecuteBlocked";
    /** An edit reaches Nodes one after the other: so long none gets it after the last of them was counted. */
    private static final Duration COUNTING = Duration.ofSeconds(3);
    /** Counting ends after this, although others keep coming; who comes so long after the last begins it anew. */
    private static final Duration MOST_COUNTING = Duration.ofSeconds(30);
    /** While Nodes are counted, the number changes with each. */
    private static final Duration TOGETHER = Duration.ofSeconds(5);
    /** So long a Node that got it counts with those that wait: many small edits make a large one. */
    private static final Duration LATELY = Duration.ofMinutes(10);

    private final Settings settings;
    private final LongSupplier ticker;
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
        public static final Settings DEFAULT = new Settings(10, NoExecuteCount.DEFAULT_PERCENT);
        public static final Settings NONE = new Settings(0, 0);

        /** What the owner's status shows if they need a confirmation that is not there; else empty. */
        public Optional<Blocked> unconfirmed(NoExecuteCount count) {
            return count.isUnconfirmed(percent) ? Optional.of(blocked(count)) : Optional.empty();
        }
    }

    private static Blocked blocked(NoExecuteCount count) {
        return new Blocked(Reason.NO_EXECUTE_NOT_CONFIRMED, count.message());
    }

    private static final class Nodes<K> {
        final Set<K> all = new HashSet<>();
        final Set<K> waiting = new HashSet<>();
        final LinkedHashMap<K, Long> lately = new LinkedHashMap<>();
        long confirmed;
        /** When the first and the last of those that are counted together began to wait. */
        long first;
        long last;
        boolean stopped;
        boolean announced; // by an Event

        void add(K key, long now) {
            boolean none = waiting.isEmpty();
            if (waiting.add(key)) {
                first = none || now - last >= MOST_COUNTING.toNanos() ? now : first;
                last = now;
            }
            lately.remove(key);
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

    /** @param ticker nanoseconds since any one moment */
    public NoExecuteLimit(Settings settings, LongSupplier ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.pacer = new Pacer<>(ticker);
    }

    /** For the controller of that name; its gauge says how many Nodes wait. */
    public static <O, K> NoExecuteLimit<O, K> of(Settings settings, String controller, ControllerContext context) {
        NoExecuteLimit<O, K> limit = new NoExecuteLimit<>(settings, context.timers()::nanoTime);
        Gauge.builder("nodeward.noexecute.withheld", limit, NoExecuteLimit::waiting).tag("controller", controller)
                .description("Nodes that would newly get NoExecute, and from which the limit withholds it")
                .register(context.registry());
        return limit;
    }

    /** Whether an owner with these conditions says that its Nodes wait. */
    public static boolean isReported(List<Condition> conditions) {
        return conditions.stream().anyMatch(condition -> condition.type().equals(CONDITION));
    }

    /** Has each owner say that its Nodes wait for a confirmation, with the condition {@link #CONDITION}. */
    public Reconciler<O> owners(Function<O, Optional<Target>> target) {
        return owner -> target.apply(owner).map(found -> status(owner, found))
                .orElseGet(() -> new Decision.Gone("it does not exist"));
    }

    /** One Event when it is stopped, and none for each other number. */
    private synchronized Decision status(O owner, Target target) {
        Nodes<K> nodes = owners.getOrDefault(owner, new Nodes<>());
        boolean first = !nodes.announced;
        nodes.announced = nodes.stopped;
        return nodes.stopped ? new Decision.Blocked(target, blocked(nodes.count()), first)
                : new Decision.InEffect(target, List.of());
    }

    /** Owners that were stopped or let go on, or of which another number of Nodes is stopped: one report for many changes. */
    public void whenCounted(WorkQueue<O> reports) {
        whenCounted(owner -> reports.addAfter(owner, TOGETHER));
    }

    void whenCounted(Consumer<O> listener) {
        whenCounted.add(listener);
    }

    /** Told of each Node that waits for no confirmation any more. */
    public void whenLet(Consumer<K> listener) {
        whenLet.add(listener);
    }

    /**
     * How long the Node has to wait until it is decided on again; zero if it gets the effect now. To be called whenever a change
     * brings it newly.
     *
     * @param confirmed for how many Nodes the owner confirms it
     */
    Duration left(K key, O owner, long confirmed) {
        long now = ticker.getAsLong();
        join(key, owner, nodes -> {
            nodes.add(key, now);
            nodes.confirmed = confirmed;
        });
        if (stopped(owner).isPresent()) {
            pacer.release(key);
            return LATELY;
        }
        Duration counting = counting(owner, now);
        if (counting.isPositive()) {
            return counting;
        }
        return settings.perMinute == 0
                ? Duration.ZERO
                : pacer.left(key, List.of(Pacer.Limit.perMinute(owner, settings.perMinute)));
    }

    /** No change brings the effect newly. */
    void none(K key, O owner) {
        pacer.release(key);
        join(key, owner, nodes -> nodes.waiting.remove(key));
    }

    /** Whether a change would bring it is not known now. */
    void unknown(K key) {
        pacer.release(key);
        member(key, nodes -> nodes.waiting.remove(key));
    }

    /** The Node has got it, or may have. */
    void given(K key) {
        pacer.release(key);
        long now = ticker.getAsLong();
        member(key, nodes -> {
            nodes.waiting.remove(key);
            nodes.lately.putLast(key, now);
        });
    }

    /** There is no such Node any more. */
    void forget(K key) {
        pacer.release(key);
        member(key, nodes -> nodes.remove(key));
        ownerOf.remove(key);
    }

    /** How many Nodes wait, if more of this owner do than may without a confirmation. */
    public synchronized Optional<NoExecuteCount> stopped(O owner) {
        return Optional.ofNullable(owners.get(owner)).filter(nodes -> nodes.stopped).map(Nodes::count);
    }

    /** All Nodes of an owner. */
    public synchronized Set<K> nodes(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> Set.copyOf(nodes.all)).orElse(Set.of());
    }

    /** The Nodes of an owner that wait. */
    public synchronized Set<K> waiting(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> Set.copyOf(nodes.waiting)).orElse(Set.of());
    }

    /** How many Nodes of all owners wait. */
    public synchronized int waiting() {
        return owners.values().stream().mapToInt(nodes -> nodes.waiting.size()).sum();
    }

    private synchronized Duration counting(O owner, long now) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> nodes.counting(now)).orElse(COUNTING);
    }

    private void join(K key, O owner, Consumer<Nodes<K>> how) {
        O before = ownerOf.put(key, owner);
        if (before != null && !before.equals(owner)) {
            update(before, nodes -> nodes.remove(key));
        }
        update(owner, nodes -> {
            nodes.all.add(key);
            how.accept(nodes);
        });
    }

    private void member(K key, Consumer<Nodes<K>> how) {
        O owner = ownerOf.get(key);
        if (owner != null) {
            update(owner, how);
        }
    }

    private void update(O owner, Consumer<Nodes<K>> how) {
        boolean told;
        Set<K> let;
        synchronized (this) {
            Nodes<K> nodes = owners.computeIfAbsent(owner, any -> new Nodes<>());
            NoExecuteCount before = nodes.count();
            boolean stopped = nodes.stopped;
            how.accept(nodes);
            nodes.stopped = stops(nodes);
            told = stopped != nodes.stopped || stopped && !before.equals(nodes.count());
            let = stopped && !nodes.stopped ? Set.copyOf(nodes.waiting) : Set.of();
            if (nodes.all.isEmpty()) {
                owners.remove(owner);
                pacer.forget(owner);
            }
        }
        if (told) {
            whenCounted.forEach(listener -> listener.accept(owner));
        }
        let.forEach(key -> whenLet.forEach(listener -> listener.accept(key)));
    }

    private boolean stops(Nodes<K> nodes) {
        long now = ticker.getAsLong();
        while (!nodes.lately.isEmpty() && now - nodes.lately.firstEntry().getValue() >= LATELY.toNanos()) {
            nodes.lately.pollFirstEntry();
        }
        return !nodes.waiting.isEmpty() && (nodes.stopped || !nodes.counting(now).isPositive())
                && nodes.count().isUnconfirmed(settings.percent);
    }
}
