package io.nodeward.core.runtime.controller;

/**
 * Where changes in workload clusters come from.
 *
 * @param <T> the object
 */
@FunctionalInterface
public interface WorkloadSource<T> {
    /** To be called before the start: what clusters are connected by is watched only if somebody listens. */
    void subscribe(WorkloadListener<T> listener);
}
