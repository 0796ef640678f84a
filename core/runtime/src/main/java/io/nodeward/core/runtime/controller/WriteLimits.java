package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.WriteLimiter;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How often a controller writes what another writer keeps undoing, and as often what a server refuses.
 *
 * @param writes for one declaration within the window
 * @param afterRefusal the pauses after which a refused write is tried again; empty if the status decides
 */
public record WriteLimits(int writes, Duration window, Optional<Backoff> afterRefusal) {
    /** The longest that the window may grow to while another writer undoes each write. */
    private static final Duration LONGEST_WINDOW = Duration.ofMinutes(30);
    public static final WriteLimits DEFAULT = of(20, Duration.ofMinutes(1));

    public static WriteLimits of(int writes, Duration window) {
        return new WriteLimits(writes, window, Optional.empty());
    }

    /** The usual limits, and a refused write is tried again after pauses. */
    public static WriteLimits retrying(Backoff afterRefusal) {
        return new WriteLimits(DEFAULT.writes, DEFAULT.window, Optional.of(afterRefusal));
    }

    /** @param ticker nanoseconds since any one moment */
    <K> WriteLimiter<K, Object> limiter(LongSupplier ticker) {
        return new WriteLimiter<>(writes, window, LONGEST_WINDOW, ticker);
    }

    /** {@code 20 writes in a minute}. */
    @Override
    public String toString() {
        long minutes = window.toMinutes();
        return writes + " writes in " + (minutes == 1 ? "a minute" : minutes + " minutes");
    }
}
