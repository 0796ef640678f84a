package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Gauge;
import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.Target;
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
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Limits how many Nodes newly get the effect {@code NoExecute}, which evicts their pods. A few Nodes of one owner get it each minute,
 * and none does while more of them wait for it, or got it lately, than may without a confirmation. The limit does not hold back the
 * rest of a change. It stores nothing: after a start the first Node waits like the others.
 *
 * @param <O> owners of Nodes
 * @param <K> what work is queued by, one for each Node
 */
public final class NoExecuteLimit<O, K> {
    /** The type of the condition on owners: of its own, as other controllers report on the same objects. */
    public static final String CONDITION = Condition.PREFIX + "NoExecuteBlocked";
    /** While Nodes are counted, the number changes with each. */
    private static final Duration TOGETHER = Duration.ofSeconds(5);
    /** How long a Node that got the effect counts with those that wait, so that many small edits count as a large one. */
    private static final Duration LATELY = Duration.ofMinutes(10);

    private final Settings settings;
    private final LongSupplier ticker;
    private final Pacer<K> pacer;
    private final Map<O, CountedNodes<K>> owners = new HashMap<>();
    private final Map<K, O> ownerOf = new ConcurrentHashMap<>();
    /** The Nodes that have been decided on and can be seen. */
    private final Set<K> decided = ConcurrentHashMap.newKeySet();
    /** Owners whose report of a former time stands, as their Nodes have not been seen. */
    private final Set<O> awaited = new HashSet<>();
    private final List<Consumer<O>> whenCounted = new CopyOnWriteArrayList<>();
    private final List<Consumer<K>> whenLet = new CopyOnWriteArrayList<>();

    /**
     * The limits, which are the same for all owners.
     *
     * @param perMinute Nodes of one owner; 0 for all at once
     * @param percent of the Nodes of an owner that may wait without a confirmation, if that is more than a few; 0 for all
     */
    public record Settings(int perMinute, int percent) {
        public static final Settings DEFAULT = new Settings(10, NoExecuteCount.DEFAULT_PERCENT);
        public static final Settings NONE = new Settings(0, 0);

        /** Returns what the owner's status shows if the Nodes need a confirmation and do not have it; else empty. */
        public Optional<Blocked> unconfirmed(NoExecuteCount count) {
            return count.isUnconfirmed(percent) ? Optional.of(blocked(count)) : Optional.empty();
        }
    }

    private static Blocked blocked(NoExecuteCount count) {
        return new Blocked(Reason.NO_EXECUTE_NOT_CONFIRMED, count.message());
    }

    /** @param ticker nanoseconds since any one moment */
    public NoExecuteLimit(Settings settings, LongSupplier ticker) {
        this.settings = settings;
        this.ticker = ticker;
        this.pacer = new Pacer<>(ticker);
    }

    /**
     * Returns the limit of the controller of that name, with a gauge that counts the Nodes that wait. It paces anew when this process
     * begins to lead, as a process that waits for that decides as a leader would.
     */
    public static <O, K> NoExecuteLimit<O, K> of(
            Settings settings, String controller, ControllerContext context, Leadership leadership) {
        NoExecuteLimit<O, K> limit = new NoExecuteLimit<>(settings, context.timers()::nanoTime);
        leadership.beforeLeading(limit.pacer::restart);
        Gauge.builder("nodeward.noexecute.withheld", limit, NoExecuteLimit::waiting).tag("controller", controller)
                .description("Nodes that would newly get NoExecute, and from which the limit withholds it")
                .register(context.registry());
        return limit;
    }

    /** Returns whether an owner with these conditions says that its Nodes wait. */
    public static boolean isReported(List<Condition> conditions) {
        return conditions.stream().anyMatch(condition -> condition.type().equals(CONDITION));
    }

    /**
     * Returns the reconciler of owners, which says with the condition {@link #CONDITION} that their Nodes wait for a confirmation. A
     * condition that an owner has stays until its Nodes have been seen: after a start, or while their cluster is away, it may hold.
     *
     * @param nodes tests whether all Nodes that the owner is known to have, whether or not they can be seen, are as the predicate asks
     */
    public Reconciler<O> owners(Function<O, Optional<Target>> target, BiPredicate<O, Predicate<K>> nodes) {
        return owner -> target.apply(owner).map(found -> status(owner, found,
                !isReported(found.conditions()) || sees(owner, nodes))).orElseGet(() -> gone(owner));
    }

    /** Awaits the Nodes before it looks for them: the decision on a Node that comes meanwhile tells. */
    private boolean sees(O owner, BiPredicate<O, Predicate<K>> nodes) {
        synchronized (this) {
            awaited.add(owner);
        }
        return stopped(owner).isEmpty() && nodes.test(owner, decided::contains);
    }

    private synchronized Decision gone(O owner) {
        awaited.remove(owner);
        return new Decision.Gone("it does not exist");
    }

    /** Writes one Event when the owner is stopped, and none for each other number. */
    private synchronized Decision status(O owner, Target target, boolean seen) {
        CountedNodes<K> nodes = owners.getOrDefault(owner, new CountedNodes<>());
        boolean counted = seen && nodes.isCounted(ticker.getAsLong());
        if (!nodes.stopped && isReported(target.conditions()) && !counted) {
            return new Decision.Waiting("its Nodes to be seen");
        }
        awaited.remove(owner);
        boolean first = !nodes.announced;
        nodes.announced = nodes.stopped;
        return nodes.stopped ? new Decision.Blocked(target, blocked(nodes.count()), first)
                : new Decision.InEffect(target, List.of());
    }

    /**
     * Adds the owners to the queue whose report may change: those that were stopped or let go on, or of which another number of Nodes
     * is stopped. Many changes make one report.
     */
    public void whenCounted(WorkQueue<O> reports) {
        whenCounted(owner -> reports.addAfter(owner, TOGETHER));
    }

    void whenCounted(Consumer<O> listener) {
        whenCounted.add(listener);
    }

    /** Calls the listener with each Node that waits for no confirmation any more. */
    public void whenLet(Consumer<K> listener) {
        whenLet.add(listener);
    }

    /**
     * Returns how long the Node has to wait until the next decision on it; zero if it gets the effect now. The caller asks whenever a
     * change brings the effect newly.
     *
     * @param confirmed for how many Nodes the owner confirms it
     */
    Duration left(K key, O owner, long confirmed) {
        long now = ticker.getAsLong();
        decided.add(key);
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

    /** Notes that no change brings the effect newly. */
    void none(K key, O owner) {
        pacer.release(key);
        decided.add(key);
        join(key, owner, nodes -> nodes.waiting.remove(key));
    }

    /** Notes that the Node cannot be seen: a change may still bring the effect. */
    void unknown(K key) {
        pacer.release(key);
        decided.remove(key);
        member(key, nodes -> nodes.waiting.remove(key));
    }

    /** Notes that the Node is missing, or that something else blocks its changes. */
    void blocked(K key) {
        pacer.release(key);
        decided.add(key);
        member(key, nodes -> nodes.waiting.remove(key));
        tellWhoAwaits(key);
    }

    /** Notes that the Node has got the effect, or may have. */
    void given(K key) {
        pacer.release(key);
        long now = ticker.getAsLong();
        member(key, nodes -> {
            nodes.waiting.remove(key);
            nodes.lately.putLast(key, now);
        });
    }

    /** Forgets a Node that does not exist any more. */
    void forget(K key) {
        pacer.release(key);
        decided.remove(key);
        member(key, nodes -> nodes.remove(key));
        tellWhoAwaits(key);
        ownerOf.remove(key);
    }

    /** Has the owner report anew if it awaits its Nodes; of a Node that never came, all that do. */
    private void tellWhoAwaits(K key) {
        Optional<O> owner = Optional.ofNullable(ownerOf.get(key));
        Set<O> telling;
        synchronized (this) {
            telling = awaited.stream().filter(each -> owner.map(each::equals).orElse(true)).collect(Collectors.toSet());
        }
        telling.forEach(this::tell);
    }

    private void tell(O owner) {
        whenCounted.forEach(listener -> listener.accept(owner));
    }

    /** Returns how many Nodes of the owner wait, if these are more than may without a confirmation. */
    public synchronized Optional<NoExecuteCount> stopped(O owner) {
        return Optional.ofNullable(owners.get(owner)).filter(nodes -> nodes.stopped).map(CountedNodes::count);
    }

    /** Returns all Nodes of an owner. */
    public synchronized Set<K> nodes(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> Set.copyOf(nodes.all)).orElse(Set.of());
    }

    /** Returns the Nodes of an owner that wait. */
    public synchronized Set<K> waiting(O owner) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> Set.copyOf(nodes.waiting)).orElse(Set.of());
    }

    /** Returns how many Nodes of all owners wait. */
    public synchronized int waiting() {
        return owners.values().stream().mapToInt(nodes -> nodes.waiting.size()).sum();
    }

    private synchronized Duration counting(O owner, long now) {
        return Optional.ofNullable(owners.get(owner)).map(nodes -> nodes.counting(now)).orElse(CountedNodes.COUNTING);
    }

    private void join(K key, O owner, Consumer<CountedNodes<K>> how) {
        O before = ownerOf.put(key, owner);
        if (before != null && !before.equals(owner)) {
            update(before, nodes -> nodes.remove(key));
        }
        update(owner, nodes -> {
            nodes.all.add(key);
            how.accept(nodes);
        });
    }

    private void member(K key, Consumer<CountedNodes<K>> how) {
        O owner = ownerOf.get(key);
        if (owner != null) {
            update(owner, how);
        }
    }

    private void update(O owner, Consumer<CountedNodes<K>> how) {
        boolean told;
        Set<K> let;
        synchronized (this) {
            CountedNodes<K> nodes = owners.computeIfAbsent(owner, any -> new CountedNodes<>());
            NoExecuteCount before = nodes.count();
            boolean stopped = nodes.stopped;
            how.accept(nodes);
            nodes.stopped = stops(nodes);
            told = stopped != nodes.stopped || stopped && !before.equals(nodes.count())
                    || awaited.contains(owner) && nodes.isCounted(ticker.getAsLong());
            let = stopped && !nodes.stopped ? Set.copyOf(nodes.waiting) : Set.of();
            if (nodes.all.isEmpty()) {
                owners.remove(owner);
                pacer.forget(owner);
            }
        }
        if (told) {
            tell(owner);
        }
        let.forEach(key -> whenLet.forEach(listener -> listener.accept(key)));
    }

    private boolean stops(CountedNodes<K> nodes) {
        long now = ticker.getAsLong();
        while (!nodes.lately.isEmpty() && now - nodes.lately.firstEntry().getValue() >= LATELY.toNanos()) {
            nodes.lately.pollFirstEntry();
        }
        return !nodes.waiting.isEmpty() && (nodes.stopped || !nodes.counting(now).isPositive())
                && nodes.count().isUnconfirmed(settings.percent);
    }
}
