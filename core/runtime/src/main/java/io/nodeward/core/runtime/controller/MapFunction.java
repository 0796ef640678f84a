package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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

    /** For the controller's own kind: the object itself, unless nothing but its status is new, which it writes itself. */
    static <S> Set<ObjectKey> declared(@Nullable CustomResource<S> before, @Nullable CustomResource<S> after) {
        if (before != null && after != null && before.declaresAs(after)) {
            return Set.of();
        }
        return Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).map(CustomResource::key)
                .collect(Collectors.toSet());
    }
}
