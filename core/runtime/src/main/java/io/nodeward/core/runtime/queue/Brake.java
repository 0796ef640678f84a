package io.nodeward.core.runtime.queue;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Slows down writes that somebody else keeps undoing: two controllers of different opinion would otherwise write as fast
 * as the API server answers. A new declaration is never held; the first writes for one are not either.
 *
 * @param <D> what is declared, compared by value
 */
public final class Brake<D> {
    private final int free;
    private final Duration window;
    private final Map<ObjectKey, Writes<D>> writes = new ConcurrentHashMap<>();

    private record Writes<D>(D declared, long since, int count) {}

    /**
     * @param free writes for one declaration within {@code window} that are not held
     * @param window after which counting starts anew
     */
    public Brake(int free, Duration window) {
        this.free = free;
        this.window = window;
    }

    /** How long to hold the next write of this key; empty, and the write counted, if it may be made now. */
    public Optional<Duration> hold(ObjectKey key, D declared) {
        long now = System.nanoTime();
        Writes<D> before = writes.get(key);
        if (before == null || !before.declared.equals(declared) || now - before.since > window.toNanos()) {
            writes.put(key, new Writes<>(declared, now, 1));
            return Optional.empty();
        }
        if (before.count < free) {
            writes.put(key, new Writes<>(declared, before.since, before.count + 1));
            return Optional.empty();
        }
        return Optional.of(window.minusNanos(now - before.since));
    }

    public void forget(ObjectKey key) {
        writes.remove(key);
    }
}
