package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.ObjectKey;
import org.jspecify.annotations.Nullable;

/**
 * Told what happens to the objects of one kind in workload clusters; it must not block.
 *
 * @param <T> the object
 */
public interface WorkloadListener<T> {
    /**
     * An object's state has changed, since all objects of the kind in the cluster have been seen.
     *
     * @param before null if the object is new
     * @param after null if the object is gone
     */
    void changed(ObjectKey cluster, @Nullable T before, @Nullable T after);

    /**
     * The cluster answers and all its objects of the kind have been seen, and that was not so before: all that is in it, and
     * all that waited for it, is to be looked at.
     */
    void available(ObjectKey cluster);
}
