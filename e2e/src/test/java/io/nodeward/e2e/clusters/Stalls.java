package io.nodeward.e2e.clusters;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * When this JVM did nothing for a second or more, as a machine with other work lets it wait: what was sent to it meanwhile
 * it sees all at once, and no faster sender may be made of that.
 */
final class Stalls implements AutoCloseable {
    private static final Duration TICK = Duration.ofMillis(20);
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final Queue<Stall> all = new ConcurrentLinkedQueue<>();
    private final Thread clock = Thread.ofPlatform().daemon().name("stalls").start(this::tick);

    /** In nanoseconds of the JVM's clock. */
    private record Stall(long from, long to) {
        int seconds() {
            return (int) ((to - from) / SECOND);
        }
    }

    private void tick() {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            try {
                Thread.sleep(TICK);
            } catch (InterruptedException e) {
                return;
            }
            long now = System.nanoTime();
            add(last + TICK.toNanos(), now);
            last = now;
        }
    }

    /** One that is shorter than a second is none. */
    void add(long from, long to) {
        if (to - from >= SECOND) {
            all.add(new Stall(from, to));
        }
    }

    /** How long those were that this time has a part of, each rounded down. */
    int secondsIn(Arrivals.Window window) {
        return all.stream().filter(stall -> stall.to >= window.from() && stall.from <= window.to())
                .mapToInt(Stall::seconds).sum();
    }

    @Override
    public void close() throws InterruptedException {
        clock.interrupt();
        clock.join();
    }
}
