package io.nodeward.core.runtime.https;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Limits how many requests, with how many bytes of bodies, are in flight; one more waits, but neither long nor in crowds. */
public final class InFlightLimiter {
    private final Limits limits;
    private final Semaphore requests;
    private final Semaphore bytes;
    private final IncomingBodies incoming;
    private final AtomicInteger entering = new AtomicInteger();

    public InFlightLimiter(Limits limits) {
        this.limits = limits;
        this.requests = new Semaphore(limits.atOnce(), true);
        // In order, or a large body would wait for ever behind small ones.
        this.bytes = new Semaphore(limits.bytesAtOnce(), true);
        this.incoming = new IncomingBodies(limits.waiting(), limits.incomingBytes());
    }

    Limits limits() {
        return limits;
    }

    /** Of those that are not in flight yet. */
    IncomingBodies incoming() {
        return incoming;
    }

    /** Whether there was room in time; then {@link #leave} must be called with the same length. */
    boolean enter(int length) {
        try {
            return entering.incrementAndGet() <= limits.waiting() && enterInTime(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            entering.decrementAndGet();
        }
    }

    /** How many wait for room. */
    int waiting() {
        return entering.get();
    }

    private boolean enterInTime(int length) throws InterruptedException {
        long until = System.nanoTime() + limits.patience().toNanos();
        if (!requests.tryAcquire(limits.patience().toNanos(), TimeUnit.NANOSECONDS)) {
            return false;
        }
        boolean entered = false;
        try {
            entered = bytes.tryAcquire(length, until - System.nanoTime(), TimeUnit.NANOSECONDS);
            return entered;
        } finally {
            if (!entered) {
                requests.release();
            }
        }
    }

    void leave(int length) {
        bytes.release(length);
        requests.release();
    }
}
