package io.nodeward.controller.dedicated;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A value that is computed when somebody asks for it and something has changed since it was computed. Safe for many threads.
 *
 * @param <T> the value
 */
final class Computed<T> {
    private final Supplier<T> how;
    private final AtomicBoolean outdated = new AtomicBoolean(true);
    private volatile @Nullable T value;

    Computed(Supplier<T> how) {
        this.how = how;
    }

    /** Something has changed that the value is computed of. */
    void outdate() {
        outdated.set(true);
    }

    /** As it was last computed; empty before that. */
    Optional<T> last() {
        return Optional.ofNullable(value);
    }

    /** Of what was there when this was called, or later. */
    synchronized T get() {
        T known = value;
        if (outdated.getAndSet(false) || known == null) { // a change while this computes is for the next call
            known = how.get();
            value = known;
        }
        return known;
    }
}
