package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Slows down writes that another writer keeps undoing: two controllers of different opinion would otherwise write as fast
 * as the API server answers. The limiter never holds a new declaration, nor the first writes for one. While the other writer
 * goes on, each window is twice as long as the one before, up to a limit.
 *
 * @param <K> the key of an object that is written
 * @param <D> what is declared, compared by value
 */
public final class WriteLimiter<K, D> {
    /** The limiter keeps at least so many keys before it looks for those whose window is over. */
    private static final int FEW = 1_000;

    private final int free;
    private final Duration window;
    private final Duration longest;
    private final LongSupplier ticker;
    private final Map<K, Writes<D>> writes = new ConcurrentHashMap<>();

    /** When a write was last held; nanoseconds. */
    private final Map<K, Long> held = new ConcurrentHashMap<>();
    private volatile int many = FEW;

    /** @param window the length of the window that began at {@code since} */
    private record Writes<D>(D declared, long since, int count, Duration window) {
        Duration left(long now) {
            return window.minusNanos(now - since);
        }
    }

    /**
     * @param free writes for one declaration within {@code window} that are not held
     * @param window after which counting starts anew; the first of a row
     * @param longest the longest that a window may grow to, unless it is longer to begin with
     * @param ticker nanoseconds since any one moment
     */
    public WriteLimiter(int free, Duration window, Duration longest, LongSupplier ticker) {
        this.free = free;
        this.window = window;
        this.longest = longest.compareTo(window) < 0 ? window : longest;
        this.ticker = ticker;
    }

    /** How long to hold the next write of this key; empty if it may be made now. */
    public Optional<Duration> hold(K key, D declared) {
        Writes<D> made = within(key, declared);
        if (made.count < free) {
            return Optional.empty();
        }
        long now = ticker.getAsLong();
        held.put(key, now);
        return Optional.of(made.left(now));
    }

    /** How long until a whole window has passed in which nothing was held; empty if it has. */
    public Optional<Duration> restless(K key) {
        Long last = held.get(key);
        Writes<D> made = writes.get(key);
        return Optional.ofNullable(last)
                .map(since -> (made == null ? window : made.window).minusNanos(ticker.getAsLong() - since))
                .filter(Duration::isPositive);
    }

    /** A write was made. One that met a conflict was not: whoever is quicker undoes nothing. */
    public void count(K key, D declared) {
        Writes<D> made = within(key, declared);
        writes.put(key, new Writes<>(declared, made.since, made.count + 1, made.window));
        if (writes.size() > many) {
            sweep();
        }
    }

    /** What has lasted is worth no memory; looked for when there is twice as much as after the last time. */
    private void sweep() {
        long now = ticker.getAsLong();
        writes.entrySet().removeIf(entry -> !entry.getValue().left(now).isPositive() && !goesOn(entry, now));
        held.keySet().retainAll(writes.keySet());
        many = Math.max(FEW, 2 * writes.size());
    }

    /** Returns whether a write was held in this window, and the next window has not passed as well. */
    private boolean goesOn(Map.Entry<K, Writes<D>> made, long now) {
        Writes<D> writes = made.getValue();
        Long last = held.get(made.getKey());
        return last != null && last - writes.since >= 0 && writes.left(now).plus(writes.window).isPositive();
    }

    private Writes<D> within(K key, D declared) {
        long now = ticker.getAsLong();
        Writes<D> made = writes.get(key);
        if (made == null || !made.declared.equals(declared)) {
            return new Writes<>(declared, now, 0, window);
        }
        if (made.left(now).isPositive()) {
            return made;
        }
        return new Writes<>(declared, now, 0, goesOn(Map.entry(key, made), now) ? longer(made.window) : window);
    }

    private Duration longer(Duration last) {
        Duration twice = last.multipliedBy(2);
        return twice.compareTo(longest) < 0 ? twice : longest;
    }

    public void forget(K key) {
        writes.remove(key);
        held.remove(key);
    }

    int size() {
        return writes.size();
    }
}
