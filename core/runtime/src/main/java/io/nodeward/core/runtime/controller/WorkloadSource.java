package io.nodeward.core.runtime.controller;

/** Where changes in workload clusters come from. */
@FunctionalInterface
public interface WorkloadSource {
    /** To be called before anything is connected. */
    void subscribe(WorkloadListener listener);
}
