package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.queue.WorkQueue;

/**
 * Adds the keys that something concerns to a controller's queue, from its start to its stop.
 *
 * @param <K> what work is queued by
 */
@FunctionalInterface
public interface Watch<K> {
    void start(WorkQueue<K> queue);

    /** Called when the controller is through with its work. */
    default void stop() {}
}
