package io.nodeward.controller.dedicated;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed when somebody asks for it and something has changed since it was computed. Safe for many threads.
 *
 * @param <T> the value
 */
final class Computed<T> {
    private final Supplier<T> how;
    private final AtomicLong changes = new AtomicLong();
    /** How many changes the value is of; guarded by this. */
    private long seen;
    private volatile @Nullable T value;

    Computed(Supplier<T> how) {
        this.how = how;
    }

    /** Something has changed that the value is computed of. */
    void outdate() {
        changes.incrementAndGet();
    }

    /** As it was last computed; empty before that. */
    Optional<T> last() {
        return Optional.ofNullable(value);
    }

    /** Of what was there when this was called, or later. */
    synchronized T get() {
        T known = value;
        long now = changes.get(); // before it computes: a change meanwhile is for the next call
        if (known == null || seen != now) {
            known = how.get();
            value = known;
            seen = now;
        }
        return known;
    }
}
