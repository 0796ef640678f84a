package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The time that passes: tells it, waits in it, and runs short things later: retries, watchdogs. One platform thread for the
 * whole process; what it runs must not block. What waits for a peer's answer or for the end of the process counts by itself.
 */
public final class Timers implements AutoCloseable {
    private final ScheduledExecutorService scheduler;
    private final LongSupplier ticker;

    public Timers() {
        this(Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().name("nodeward-timers").daemon().factory()), System::nanoTime);
    }

    /** @param ticker nanoseconds since any one moment, as the scheduler counts them */
    public Timers(ScheduledExecutorService scheduler, LongSupplier ticker) {
        this.scheduler = scheduler;
        this.ticker = ticker;
    }

    /** Nanoseconds since any one moment; of use only in a difference. */
    public long nanoTime() {
        return ticker.getAsLong();
    }

    public ScheduledFuture<?> after(Duration delay, Runnable task) {
        return scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    public ScheduledFuture<?> every(Duration period, Runnable task) {
        return scheduler.scheduleWithFixedDelay(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
    }

    public void sleep(Duration delay) throws InterruptedException {
        sleep(delay, new CountDownLatch(1));
    }

    /** Sleeps until then, or until somebody else counts {@code over} down; in the end it is down. */
    public void sleep(Duration delay, CountDownLatch over) throws InterruptedException {
        ScheduledFuture<?> end = after(delay, over::countDown);
        try {
            over.await();
        } finally {
            end.cancel(false);
        }
    }

    /** Between 80 % and 120 % of {@code duration}, so that what started together does not come back together. */
    public static Duration jittered(Duration duration) {
        return Duration.ofNanos((long) (duration.toNanos() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }

    @Override
    public void close() {
        scheduler.shutdownNow();
    }
}
