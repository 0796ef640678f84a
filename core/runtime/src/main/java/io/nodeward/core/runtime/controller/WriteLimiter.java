package io.nodeward.core.runtime.controller;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Slows down writes that somebody else keeps undoing: two controllers of different opinion would otherwise write as fast
 * as the API server answers. A new declaration is never held; the first writes for one are not either.
 *
 * @param <K> of what is written
 * @param <D> what is declared, compared by value
 */
public final class WriteLimiter<K, D> {
    /** Keys held at least before those are looked for whose window is over. */
    private static final int FEW = 1_000;

    private final int free;
    private final Duration window;
    private final LongSupplier ticker;
    private final Map<K, Writes<D>> writes = new ConcurrentHashMap<>();

    /** When a write was last held; nanoseconds. */
    private final Map<K, Long> held = new ConcurrentHashMap<>();
    private volatile int many = FEW;

    private record Writes<D>(D declared, long since, int count) {}

    /**
     * @param free writes for one declaration within {@code window} that are not held
     * @param window after which counting starts anew
     * @param ticker nanoseconds since any one moment
     */
    public WriteLimiter(int free, Duration window, LongSupplier ticker) {
        this.free = free;
        this.window = window;
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
        return Optional.of(window.minusNanos(now - made.since));
    }

    /** How long until a whole window has passed in which nothing was held; empty if it has. */
    public Optional<Duration> restless(K key) {
        Long last = held.get(key);
        Duration left = last == null ? Duration.ZERO : window.minusNanos(ticker.getAsLong() - last);
        if (!left.isPositive()) {
            held.remove(key);
            return Optional.empty();
        }
        return Optional.of(left);
    }

    /** A write was made. One that met a conflict was not: whoever is quicker undoes nothing. */
    public void count(K key, D declared) {
        Writes<D> made = within(key, declared);
        writes.put(key, new Writes<>(declared, made.since, made.count + 1));
        if (writes.size() > many) {
            sweep();
        }
    }

    /** What has lasted is worth no memory; looked for when there is twice as much as after the last time. */
    private void sweep() {
        long now = ticker.getAsLong();
        writes.values().removeIf(made -> isOver(made.since, now));
        held.values().removeIf(last -> isOver(last, now));
        many = Math.max(FEW, 2 * writes.size());
    }

    private boolean isOver(long since, long now) {
        return now - since >= window.toNanos();
    }

    private Writes<D> within(K key, D declared) {
        long now = ticker.getAsLong();
        Writes<D> made = writes.get(key);
        return made != null && made.declared.equals(declared) && !isOver(made.since, now)
                ? made
                : new Writes<>(declared, now, 0);
    }

    public void forget(K key) {
        writes.remove(key);
        held.remove(key);
    }

    int size() {
        return writes.size();
    }
}
