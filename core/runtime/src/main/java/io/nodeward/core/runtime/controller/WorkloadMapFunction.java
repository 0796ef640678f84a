package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which keys a change of an object in a workload cluster concerns, as a {@link MapFunction} does.
 *
 * @param <T> the object
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface WorkloadMapFunction<T, K> {
    /**
     * @param cluster the object's
     * @param before null if the object is new
     * @param after null if the object is gone
     */
    Set<K> map(ObjectKey cluster, @Nullable T before, @Nullable T after);
}
