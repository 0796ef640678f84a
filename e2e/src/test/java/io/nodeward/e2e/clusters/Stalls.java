package io.nodeward.e2e.clusters;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The longest time for which this JVM did nothing, as a machine with other work lets it wait: what was sent to it meanwhile
 * it sees all at once, and no faster sender may be made of that.
 */
final class Stalls implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(20);

    private final AtomicLong longest = new AtomicLong();
    private final Thread clock = Thread.ofPlatform().daemon().name("stalls").start(this::tick);

    private void tick() {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(TICK);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            longest.accumulateAndGet(now - last - TICK.toNanos(), Math::max);
            last = now;
        }
    }

    /** Rounded up. */
    int longestSeconds() {
        return (int) Math.ceilDiv(longest.get(), Duration.ofSeconds(1).toNanos());
    }

    @Override
    public void close() throws InterruptedException {
        clock.interrupt();
        clock.join();
    }
}
