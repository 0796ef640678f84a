package io.nodeward.controller.dedicated;

import java.util.List;
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
    private volatile @Nullable T value;
    /** How many changes the value is of; written after it. */
    private volatile long seen;
    private volatile List<Computed<?>> dependents = List.of();

    Computed(Supplier<T> how) {
        this.how = how;
    }

    /** That are computed of the {@link #latest} value of this one: they are outdated with each new one. */
    void outdates(Computed<?>... others) {
        dependents = List.of(others);
    }

    /** Something has changed that the value is computed of. */
    void outdate() {
        changes.incrementAndGet();
    }

    /** Empty if nothing is computed, or something has changed since; it waits for nobody. */
    Optional<T> known() {
        return seen == changes.get() ? Optional.ofNullable(value) : Optional.empty();
    }

    /** What was computed last, although something may have changed since; it waits for nobody. */
    Optional<T> latest() {
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
            dependents.forEach(Computed::outdate);
        }
        return known;
    }
}
