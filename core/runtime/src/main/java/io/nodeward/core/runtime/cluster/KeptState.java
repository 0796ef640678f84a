package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.cache.ChangeListener;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** How much is kept of one kind in one cluster. Whoever runs that cluster must not fill the memory of all. */
final class KeptState<T> implements ChangeListener<T> {
    /** Characters that an object takes beside its values. */
    private static final int PER_OBJECT = 300;

    private final ToLongFunction<? super T> size;
    private final long largest;
    private final Runnable exceeded;
    private final AtomicLong characters = new AtomicLong();
    private final AtomicBoolean tooLarge = new AtomicBoolean();

    /**
     * @param size characters of an object's values
     * @param exceeded run once, when it is more than {@code largest}; it must not block
     */
    KeptState(ToLongFunction<? super T> size, long largest, Runnable exceeded) {
        this.size = size;
        this.largest = largest;
        this.exceeded = exceeded;
    }

    @Override
    public void changed(@Nullable T before, @Nullable T after) {
        long change = (after == null ? 0 : characters(after)) - (before == null ? 0 : characters(before));
        if (characters.addAndGet(change) > largest && tooLarge.compareAndSet(false, true)) {
            exceeded.run();
        }
    }

    /** Whether it ever was. */
    boolean tooLarge() {
        return tooLarge.get();
    }

    private long characters(T object) {
        return PER_OBJECT + size.applyAsLong(object);
    }
}
