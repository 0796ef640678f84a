package io.nodeward.e2e.bench.load;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;

/** Does numbered tasks with so many at a time. */
public final class Workers {
    private Workers() {}

    /**
     * Returns when all of 0 to {@code count} - 1 are done.
     *
     * @throws IllegalStateException with the first failure; the rest is left undone
     */
    public static void run(int count, int atOnce, IntConsumer task) {
        AtomicInteger next = new AtomicInteger();
        AtomicReference<RuntimeException> failure = new AtomicReference<>();
        CountDownLatch done = new CountDownLatch(atOnce);
        for (int worker = 0; worker < atOnce; worker++) {
            Thread.ofVirtual().name("bench worker").start(() -> {
                try {
                    for (int i = next.getAndIncrement(); i < count && failure.get() == null; i =
                            next.getAndIncrement()) {
                        task.accept(i);
                    }
                } catch (RuntimeException e) {
                    failure.compareAndSet(null, e);
                } finally {
                    done.countDown();
                }
            });
        }
        Pause.await(done);
        RuntimeException first = failure.get();
        if (first != null) {
            throw new IllegalStateException("the load failed: " + first.getMessage(), first);
        }
    }
}
