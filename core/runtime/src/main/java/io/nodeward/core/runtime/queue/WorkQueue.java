package io.nodeward.core.runtime.queue;

import io.nodeward.core.runtime.metrics.QueueMeters;
import io.nodeward.core.runtime.time.Timers;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Keys that need work. A key waits at most once; a key that is being worked on is never handed out a second time, but
 * worked on again afterwards if it was added meanwhile. Safe for many threads.
 *
 * @param <K> a value type
 */
public final class WorkQueue<K> {
    private final Timers timers;
    private final QueueMeters meters;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition available = lock.newCondition();
    /** Apart from {@link #available}: a signal for a worker must not wake somebody else instead. */
    private final Condition idle = lock.newCondition();
    private final ArrayDeque<K> ready = new ArrayDeque<>();
    /** Keys in {@link #ready}, or added while being worked on, by the time they were added. */
    private final Map<K, Long> waiting = new HashMap<>();
    private final Map<K, Long> working = new HashMap<>();
    private final Set<K> delayed = new HashSet<>();
    private boolean stopped;

    public WorkQueue(Timers timers, QueueMeters meters) {
        this.timers = timers;
        this.meters = meters;
        meters.observe(this::depth, this::work);
    }

    public void add(K key) {
        lock.lock();
        try {
            if (stopped || waiting.putIfAbsent(key, System.nanoTime()) != null) {
                return;
            }
            meters.added();
            if (!working.containsKey(key)) {
                ready.add(key);
                available.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Adds the key after {@code delay}, unless an earlier call for it is still waiting. */
    public void addAfter(K key, Duration delay) {
        lock.lock();
        try {
            if (stopped || !delayed.add(key)) {
                return;
            }
        } finally {
            lock.unlock();
        }
        meters.retried();
        timers.after(delay, () -> {
            lock.lock();
            try {
                delayed.remove(key);
            } finally {
                lock.unlock();
            }
            add(key);
        });
    }

    /** Waits for a key; the caller must call {@link #done} for it. Empty once the queue is stopped. */
    public Optional<K> take() throws InterruptedException {
        lock.lock();
        try {
            while (ready.isEmpty() && !stopped) {
                available.await();
            }
            if (stopped) {
                return Optional.empty();
            }
            K key = ready.poll();
            long now = System.nanoTime();
            meters.taken(now - since(waiting.remove(key), now));
            working.put(key, now);
            return Optional.of(key);
        } finally {
            lock.unlock();
        }
    }

    public void done(K key) {
        lock.lock();
        try {
            long now = System.nanoTime();
            meters.worked(now - since(working.remove(key), now));
            if (waiting.containsKey(key) && !stopped) {
                ready.add(key);
                available.signal();
            }
            if (working.isEmpty()) {
                idle.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Hands out nothing more; what is being worked on goes on. */
    public void stop() {
        lock.lock();
        try {
            stopped = true;
            ready.clear();
            waiting.clear();
            available.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until nothing is being worked on. Returns whether that came true in time. */
    public boolean awaitIdle(Duration patience) throws InterruptedException {
        long nanos = patience.toNanos();
        lock.lock();
        try {
            while (!working.isEmpty() && nanos > 0) {
                nanos = idle.awaitNanos(nanos);
            }
            return working.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    private static long since(@Nullable Long nanos, long now) {
        return nanos == null ? now : nanos;
    }

    private int depth() {
        lock.lock();
        try {
            return ready.size();
        } finally {
            lock.unlock();
        }
    }

    /** How long each key in hand has been worked on. */
    private LongSummaryStatistics work() {
        lock.lock();
        try {
            long now = System.nanoTime();
            return working.values().stream().mapToLong(since -> now - since).summaryStatistics();
        } finally {
            lock.unlock();
        }
    }
}
