package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.cache.ObjectCache;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Watches, decides and writes for one kind of object. */
public interface Controller {
    String name();

    /** Called once, when what it {@link #reads} has been seen. */
    void start();

    /** What has to be seen before it is started; none if it can be started at once. */
    default List<ObjectCache<?>> reads() {
        return List.of();
    }

    /** Why it cannot answer those who call it; empty if it can, or nobody does. */
    default Optional<String> unready() {
        return Optional.empty();
    }

    /** Called before any controller is stopped: nobody new is to be sent here from now on, and nothing new be begun. */
    void retire();

    /**
     * Takes on nothing more and finishes the write in hand.
     *
     * @return whether it was finished in time
     */
    boolean stop(Duration patience) throws InterruptedException;
}
