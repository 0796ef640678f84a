package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Mutex;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Lets one thread at a time use the state of a domain. Listeners of caches add the keys of changed objects to a mailbox, and wait
 * for nobody. A caller that asks has the state fold in these keys first. A key whose fold fails stays, and holds up no other; until
 * it is folded in, the state answers no question that it concerns.
 *
 * @param <K> the key of an object, and of a decision that may differ
 */
public final class StateHolder<K> {
    /** How long one thread may have the state while others wait: it still ends the key or the piece of work that it is at. */
    static final Duration SLICE = Duration.ofMillis(1);
    /** How long a caller works, slice after slice, until the state can answer. The time between its slices does not count. */
    public static final Duration PATIENCE = Duration.ofMillis(100);

    private final State<K> state;
    private final BooleanSupplier ready;
    private final LongSupplier ticker;
    /** How long keys whose fold fails again and again wait. */
    private static final Backoff BACKOFF = new Backoff(Duration.ofMillis(100), Duration.ofMinutes(2));
    private static final Result MORE = Result.requeueAfter(Duration.ZERO, "changes that are not processed yet");
    /** Each adds the keys of all objects of a cache. */
    private final List<Runnable> lists = new ArrayList<>();
    /** Whether all has been seen; until then no change is remembered, as that may last. */
    private volatile boolean begun;
    /** Whether the keys of all objects have been added that there were when all had been seen. */
    private volatile boolean listed;
    /** The keys of changed objects in the order in which they came, each with the time since which it waits. */
    private final LinkedHashMap<K, Long> mailbox = new LinkedHashMap<>();
    /** The lock of the mailbox. A thread that has it waits for nothing. */
    private final Mutex mail = new Mutex();
    /** The keys whose last fold has failed. */
    private final Map<K, Failure> failed = new ConcurrentHashMap<>();
    /** The keys about which a caller got no answer. */
    private final Set<K> unanswered = new HashSet<>();
    /** A fair lock: a thread that takes slice after slice lets others in between. */
    private final ReentrantLock lock = new ReentrantLock(true);
    private volatile Runnable mailListener = () -> {};
    private volatile int size;
    private final List<Consumer<Set<K>>> listeners = new CopyOnWriteArrayList<>();

    /**
     * The failure of a key's last fold. Each key has a pause of its own: one that fails for long holds up none that failed once.
     *
     * @param retries how often the queue has folded the key again, without a success in between
     * @param due the time from which the queue folds it again
     */
    private record Failure(RuntimeException cause, int retries, long due) {}

    /**
     * The functions of a state.
     *
     * @param apply folds in what there is of a key now
     * @param work does what is left until the time is over; returns the keys whose decision may differ
     * @param isOpen whether work is left
     * @param concerns whether what the state knows of the second key depends on the first
     * @param size how many objects it keeps
     */
    public record State<K>(
            Consumer<K> apply, Function<BooleanSupplier, Set<K>> work, BooleanSupplier isOpen,
            BiPredicate<K, K> concerns, IntSupplier size) {}

    /**
     * Holds a state that knows nothing yet.
     *
     * @param name of metrics
     * @param ready whether all objects have been seen without which nothing is to be folded
     * @param ticker nanoseconds since any one moment
     */
    public StateHolder(
            String name, State<K> state, BooleanSupplier ready, LongSupplier ticker, MeterRegistry registry) {
        this.state = state;
        this.ready = ready;
        this.ticker = ticker;
        BiFunction<String, Supplier<Number>, Gauge.Builder<Supplier<Number>>> gauge =
                (what, value) -> Gauge.builder("nodeward.state." + what, value).tag("name", name);
        gauge.apply("mailbox", () -> mail(mailbox::size)).description("Changed objects that are not processed yet")
                .register(registry);
        gauge.apply("lag.seconds", this::lag).description("Seconds that the oldest unprocessed change has waited")
                .register(registry);
        gauge.apply("failed", failed::size)
                .description("Objects that the controller failed to process because of a bug").register(registry);
        gauge.apply("size", () -> size).description("Objects that the state keeps").register(registry);
    }

    private double lag() {
        long now = ticker.getAsLong();
        return mail(() -> mailbox.values().stream().findFirst().map(since -> now - since).orElse(0L)) / 1e9;
    }

    private <T> T mail(Supplier<T> how) {
        try (Mutex locked = mail.hold()) {
            return how.get();
        }
    }

    /**
     * Adds the keys of all objects that the cache has once all is ready, and of each change from then on. The holder hears of a change
     * before those that subscribe to the cache later.
     */
    public <T extends KubernetesObject> void watches(ObjectCache<T> cache, MapFunction<T, K> map) {
        cache.subscribeToChanges((before, after) -> {
            if (begun) {
                map.map(before, after).forEach(this::add);
            }
        });
        lists.add(() -> cache.all().forEach(object -> map.map(null, object).forEach(this::add)));
    }

    /** Has the listener called now, and whenever there is something to {@link #work} off. It must not block. */
    public void whenMail(Runnable listener) {
        mailListener = listener;
        listener.run();
    }

    /** Calls the listener with keys whose decision may differ. It must not block. */
    public void whenChanged(Consumer<Set<K>> listener) {
        listeners.add(listener);
    }

    /** Adds a key of which no cache tells, as of an own write. */
    public void add(K key) {
        long now = ticker.getAsLong();
        if (mail(() -> mailbox.putIfAbsent(key, now) == null)) {
            mailListener.run();
        }
    }

    /**
     * Folds and works for a while. When nothing else is left, it folds each key once more that has failed: at once, and then with longer
     * and longer pauses.
     *
     * @return when there is more to do
     * @throws RuntimeException the failure of a fold that has failed again
     */
    public Result work() {
        if (use(() -> false, isDrained -> !isDrained || state.isOpen().getAsBoolean())) {
            return MORE;
        }
        long now = ticker.getAsLong();
        List<K> due = failed.entrySet().stream().filter(entry -> entry.getValue().due() - now <= 0)
                .map(Map.Entry::getKey).toList();
        due.forEach(this::retry);
        due.stream().flatMap(key -> Optional.ofNullable(failed.get(key)).stream()).findFirst().ifPresent(again -> {
            throw again.cause();
        });
        return due.isEmpty() ? untilNext(now) : MORE;
    }

    private Result untilNext(long now) {
        return failed.values().stream().mapToLong(failure -> failure.due() - now).min().stream()
                .mapToObj(left -> Result.requeueAfter(Duration.ofNanos(left), "changes that failed to be processed"))
                .findFirst().orElseGet(Result::done);
    }

    /**
     * Asks the state of what there is now. If it is not known, the {@link #whenChanged listeners} hear of the key when it is.
     *
     * @param about what is asked about
     * @param enough whether no more work has to be done for it
     * @param question its answer; empty if work is left. The state then names the key itself when that is done
     */
    public <T> Optional<T> ask(K about, BooleanSupplier enough, Supplier<Optional<T>> question) {
        return use(enough, isDrained -> {
            if (isDrained && isKnown(about)) {
                return question.get();
            }
            unanswered.add(about);
            return Optional.empty();
        });
    }

    private boolean isKnown(K about) {
        return listed && failed.keySet().stream().noneMatch(key -> state.concerns().test(key, about));
    }

    /** Looks at the state as it is, without having it do anything. */
    public <T> T look(Supplier<T> how) {
        lock.lock();
        try {
            return how.get();
        } finally {
            lock.unlock();
        }
    }

    /** @param answer hears whether all has been folded in that came before the question */
    private <T> T use(BooleanSupplier enough, Function<Boolean, T> answer) {
        if (!listed && ready.getAsBoolean()) {
            begun = true; // before the caches are read: a change from here on is remembered
            lists.forEach(Runnable::run);
            listed = true;
        }
        long begin = ticker.getAsLong(); // after that, so that the question is about all that was there
        Set<K> changed = new HashSet<>();
        AtomicLong worked = new AtomicLong();
        Optional<T> found = Optional.empty();
        try {
            while (found.isEmpty()) {
                found = look(() -> {
                    long since = ticker.getAsLong() - worked.get(); // the time for which others have the state does not count
                    boolean isDrained = slice(begin, since, enough, changed);
                    worked.set(ticker.getAsLong() - since);
                    boolean isDone = isDrained && (enough.getAsBoolean() || !state.isOpen().getAsBoolean());
                    return isDone || isOver(since, PATIENCE) ? Optional.of(answer.apply(isDrained)) : Optional.empty();
                });
            }
            return found.get();
        } finally {
            if (!changed.isEmpty()) {
                listeners.forEach(listener -> listener.accept(changed));
            }
        }
    }

    /** Folds, and works if nothing is left to be folded. Returns whether that is so. */
    private boolean slice(long begin, long since, BooleanSupplier enough, Set<K> changed) {
        long slice = ticker.getAsLong();
        BooleanSupplier over = () -> isOver(since, PATIENCE) || lock.hasQueuedThreads() && isOver(slice, SLICE);
        for (Optional<K> key = take(begin); key.isPresent(); key = take(begin)) {
            fold(key.get());
            if (over.getAsBoolean() && mail(() -> isMail(begin))) {
                return false;
            }
        }
        changed.addAll(state.work().apply(() -> enough.getAsBoolean() || over.getAsBoolean()));
        List<K> known = unanswered.stream().filter(this::isKnown).toList();
        known.forEach(unanswered::remove);
        changed.addAll(known);
        size = state.size().getAsInt();
        return true;
    }

    /** Returns the next key, unless it has come since the question. */
    private Optional<K> take(long begin) {
        return mail(() -> isMail(begin) ? Optional.of(mailbox.pollFirstEntry().getKey()) : Optional.empty());
    }

    /** Returns whether a key has come before the question. The caller has the lock of the mailbox. */
    private boolean isMail(long begin) {
        Map.Entry<K, Long> first = mailbox.firstEntry();
        return first != null && first.getValue() - begin <= 0;
    }

    private boolean isOver(long begin, Duration time) {
        return ticker.getAsLong() - begin >= time.toNanos();
    }

    /**
     * Folds a key that an event brought. A failure leaves the pause of the key as it is, as events may bring it often. The caller has the
     * lock.
     */
    private void fold(K key) {
        failure(key).ifPresent(cause -> {
            Failure last = failed.getOrDefault(key, new Failure(cause, 0, ticker.getAsLong()));
            failed.put(key, new Failure(cause, last.retries(), last.due()));
        });
    }

    /**
     * Folds a key again that has failed. Each further failure makes its pause longer. The failure is noted under the lock, so that it
     * replaces no later success of another thread.
     */
    private void retry(K key) {
        look(() -> {
            Optional<RuntimeException> failure = failure(key);
            failure.ifPresent(cause -> {
                int retries = Optional.ofNullable(failed.get(key)).map(Failure::retries).orElse(0) + 1;
                failed.put(key, new Failure(cause, retries, ticker.getAsLong() + BACKOFF.delay(retries).toNanos()));
            });
            return failure;
        });
    }

    private Optional<RuntimeException> failure(K key) {
        try {
            state.apply().accept(key);
            failed.remove(key);
            return Optional.empty();
        } catch (RuntimeException e) {
            return Optional.of(e);
        } catch (Error e) {
            return Optional.of(new IllegalStateException(e));
        }
    }
}
