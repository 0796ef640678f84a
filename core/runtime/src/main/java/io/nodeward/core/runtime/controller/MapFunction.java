package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a change of one object concerns. It only reads caches, and is called while that of the object is locked: it
 * must not block. If it throws, it is called again later, with the same objects.
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
        return before != null && after != null && before.declaresAs(after)
                ? Set.of()
                : Set.of(latest(before, after).key());
    }

    /** Whether the object is new or gone, or this is not what it was. */
    static <T> boolean differs(@Nullable T before, @Nullable T after, Function<T, ?> what) {
        return before == null || after == null || !what.apply(before).equals(what.apply(after));
    }

    /** The object as it is; if it is gone, as it was. */
    static <T> T latest(@Nullable T before, @Nullable T after) {
        return after != null ? after : Objects.requireNonNull(before);
    }

    /** The object as it was and as it is. */
    static <T> Stream<T> both(@Nullable T before, @Nullable T after) {
        return Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after));
    }
}
