package io.nodeward.core.runtime.queue;

import io.nodeward.core.runtime.metrics.QueueMeters;
import io.nodeward.core.runtime.time.Mutex;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.Condition;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Keys that need work. A key waits at most once; a key that is being worked on is never handed out a second time, but
 * worked on again afterwards if it was added meanwhile. Keys go in lanes, and so many of one lane are handed out at a
 * time: where one lane does not get on, the others do. Safe for many threads.
 *
 * @param <K> a value type
 */
public final class WorkQueue<K> {
    private final Timers timers;
    private final QueueMeters meters;
    private final Function<K, String> lanes;
    private final int perLane;
    private final Mutex lock = new Mutex();
    private final Condition available = lock.newCondition();
    /** Apart from {@link #available}: a signal for a worker must not wake somebody else instead. */
    private final Condition idle = lock.newCondition();
    /** Keys to hand out, if their lane has room. */
    private final ArrayDeque<K> ready = new ArrayDeque<>();
    /** Keys that were ready when their lane was full. */
    private final Map<String, ArrayDeque<K>> parked = new HashMap<>();
    /** Keys whose lane has room for them again; they go before those of {@link #ready}, having waited longer. */
    private final ArrayDeque<K> resumed = new ArrayDeque<>();
    private final Map<String, Integer> workingInLane = new HashMap<>();
    /** Keys of the above, or added while being worked on, since they were added. */
    private final Map<K, Entry> waiting = new HashMap<>();
    private final Map<K, Entry> working = new HashMap<>();
    private final Map<K, Delayed> delayed = new HashMap<>();
    private boolean stopped;
    private Consumer<K> whenAdded = key -> {};

    private record Entry(long since, String lane) {}

    private record Delayed(long due, ScheduledFuture<?> timer) {}

    /**
     * @param lanes the lane of a key, asked for when the key is added; it must not block
     * @param perLane keys of one lane that are worked on at the same time
     */
    public WorkQueue(Timers timers, QueueMeters meters, Function<K, String> lanes, int perLane) {
        this.timers = timers;
        this.meters = meters;
        this.lanes = lanes;
        this.perLane = perLane;
        meters.observe(this::depth, this::work);
    }

    /** @param listener told of each key that waits from now on; it must not block */
    public void whenAdded(Consumer<K> listener) {
        try (Mutex locked = lock.hold()) {
            whenAdded = listener;
        }
    }

    public void add(K key) {
        Entry entry = new Entry(timers.nanoTime(), lanes.apply(key));
        try (Mutex locked = lock.hold()) {
            enter(key, entry);
        }
    }

    private void enter(K key, Entry entry) {
        if (stopped || waiting.putIfAbsent(key, entry) != null) {
            return;
        }
        meters.added();
        whenAdded.accept(key);
        if (!working.containsKey(key)) {
            ready.add(key);
            available.signal();
        }
    }

    /** Adds the key after {@code delay}; of several calls for a key that wait, the one that is due first counts. */
    public void addAfter(K key, Duration delay) {
        long due = timers.nanoTime() + delay.toNanos();
        try (Mutex locked = lock.hold()) {
            Delayed before = delayed.get(key);
            if (stopped || before != null && before.due - due <= 0) {
                return;
            }
            if (before != null) {
                before.timer.cancel(false);
            }
            delayed.put(key, new Delayed(due, timers.after(delay, () -> elapsed(key, due))));
        }
        meters.retried();
    }

    // It is taken over even if it has no lane: left behind, it would be held to come before all later ones.
    private void elapsed(K key, long due) {
        Optional<Entry> entry = Optional.empty();
        try {
            entry = Optional.of(new Entry(timers.nanoTime(), lanes.apply(key)));
        } finally {
            takeOver(key, due, entry);
        }
    }

    // In one step: between two, the queue would look idle.
    private void takeOver(K key, long due, Optional<Entry> entry) {
        try (Mutex locked = lock.hold()) {
            Delayed waited = delayed.get(key);
            if (waited != null && waited.due == due) {
                delayed.remove(key);
            }
            entry.ifPresent(now -> enter(key, now));
        }
    }

    /** Waits for a key; the caller must call {@link #done} for it. Empty once the queue is stopped. */
    public Optional<K> take() throws InterruptedException {
        try (Mutex locked = lock.hold()) {
            while (!stopped) {
                Optional<K> key = next();
                if (key.isPresent()) {
                    return key;
                }
                available.await();
            }
            return Optional.empty();
        }
    }

    /** As {@link #take}, without waiting: empty as well if there is nothing to hand out. */
    public Optional<K> poll() {
        try (Mutex locked = lock.hold()) {
            return stopped ? Optional.empty() : next();
        }
    }

    private Optional<K> next() {
        while (!(resumed.isEmpty() && ready.isEmpty())) {
            K key = resumed.isEmpty() ? ready.remove() : resumed.remove();
            Entry entry = Objects.requireNonNull(waiting.get(key));
            if (workingInLane.getOrDefault(entry.lane(), 0) < perLane) {
                long now = timers.nanoTime();
                meters.taken(now - entry.since());
                waiting.remove(key);
                working.put(key, new Entry(now, entry.lane()));
                workingInLane.merge(entry.lane(), 1, Integer::sum);
                return Optional.of(key);
            }
            parked.computeIfAbsent(entry.lane(), lane -> new ArrayDeque<>()).add(key);
        }
        return Optional.empty();
    }

    public void done(K key) {
        try (Mutex locked = lock.hold()) {
            Entry entry = Objects.requireNonNull(working.remove(key), "was not taken");
            meters.worked(timers.nanoTime() - entry.since());
            workingInLane.computeIfPresent(entry.lane(), (lane, count) -> count == 1 ? null : count - 1);
            unpark(entry.lane());
            if (waiting.containsKey(key)) {
                ready.add(key);
                available.signal();
            }
            if (working.isEmpty()) {
                idle.signalAll();
            }
        }
    }

    // One has left the lane, so one may enter.
    private void unpark(String lane) {
        ArrayDeque<K> keys = parked.get(lane);
        if (keys != null) {
            resumed.add(keys.remove());
            if (keys.isEmpty()) {
                parked.remove(lane);
            }
            available.signal();
        }
    }

    /** Hands out nothing more; what is being worked on goes on. */
    public void stop() {
        try (Mutex locked = lock.hold()) {
            stopped = true;
            ready.clear();
            resumed.clear();
            parked.clear();
            waiting.clear();
            available.signalAll();
        }
    }

    /** Waits until nothing is being worked on. Returns whether that came true in time. */
    public boolean awaitIdle(Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        try (Mutex locked = lock.hold()) {
            while (!working.isEmpty() && nanos > 0) {
                nanos = idle.awaitNanos(nanos);
            }
            return working.isEmpty();
        }
    }

    /** Whether no key waits or is worked on, and none is due: those that are for later do not count. */
    public boolean isIdle() {
        long now = timers.nanoTime();
        try (Mutex locked = lock.hold()) {
            return waiting.isEmpty() && working.isEmpty()
                    && (stopped || delayed.values().stream().noneMatch(later -> later.due - now <= 0));
        }
    }

    private int depth() {
        try (Mutex locked = lock.hold()) {
            return ready.size() + resumed.size() + parked.values().stream().mapToInt(ArrayDeque::size).sum();
        }
    }

    /** How long each key in hand has been worked on. */
    private LongSummaryStatistics work() {
        try (Mutex locked = lock.hold()) {
            long now = timers.nanoTime();
            return working.values().stream().mapToLong(entry -> now - entry.since()).summaryStatistics();
        }
    }
}
