package io.nodeward.core.runtime.time;

import java.util.concurrent.locks.ReentrantLock;

/**
 * A lock that try-with-resources lets go of, for who waits for other locks while holding it. In a monitor a virtual thread
 * would keep its carrier meanwhile, on Java 21, and the one who has the other lock may need it.
 */
public final class Mutex extends ReentrantLock implements AutoCloseable {
    public Mutex hold() {
        lock();
        return this;
    }

    @Override
    public void close() {
        unlock();
    }
}
