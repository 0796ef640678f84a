package io.nodeward.core.runtime.controller;

/** Where changes in workload clusters come from. */
@FunctionalInterface
public interface WorkloadSource {
    /** To be called before the start: what clusters are connected by is watched only if somebody listens. */
    void subscribe(WorkloadListener listener);
}
