package io.nodeward.e2e.bench.load;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** Waiting that an interrupt ends with an exception, as a bench that is interrupted has nothing more to do. */
public final class Pause {
    private Pause() {}

    public static void of(Duration time) {
        try {
            Thread.sleep(time);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Returns at this {@link System#nanoTime}, or at once if it has passed. */
    public static void until(long nanoTime) {
        long left = nanoTime - System.nanoTime();
        if (left > 0) {
            of(Duration.ofNanos(left));
        }
    }

    static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public static IllegalStateException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IllegalStateException("interrupted", e);
    }
}
