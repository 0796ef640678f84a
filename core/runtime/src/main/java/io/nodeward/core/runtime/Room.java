package io.nodeward.core.runtime;

import java.time.Duration;

/** One feature of the controller: it watches, decides and writes for one kind of owner. */
public interface Room {
    String name();

    /** Called once, when the management cluster's caches have been filled. */
    void start();

    /**
     * Takes on nothing more and finishes the write in hand.
     *
     * @return whether it was finished in time
     */
    boolean stop(Duration patience) throws InterruptedException;
}
