package io.nodeward.core.runtime.cache;

import org.jspecify.annotations.Nullable;

/** Told of each change of an object's state, in order per object, while the cache is locked: it must not block. */
@FunctionalInterface
public interface ChangeListener<T> {
    /**
     * @param before null if the object is new
     * @param after null if the object is gone
     */
    void changed(@Nullable T before, @Nullable T after);
}
