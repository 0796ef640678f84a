package io.nodeward.core.runtime.controller;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a change of one object concerns. It only reads caches, and is called while that of the object is locked: it
 * must not block.
 *
 * @param <T> the object
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface MapFunction<T, K> {
    /**
     * @param before null if the object is new
     * @param after null if the object is gone
     */
    Set<K> map(@Nullable T before, @Nullable T after);
}
