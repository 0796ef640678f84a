package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
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
    private final Set<CountDownLatch> sleeping = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    public Timers() {
        this(scheduler(), System::nanoTime);
    }

    /** One thread, and nothing stays of what was cancelled: a watchdog of each call would stay until it is due. */
    static ScheduledThreadPoolExecutor scheduler() {
        ScheduledThreadPoolExecutor scheduler = new ScheduledThreadPoolExecutor(
                1, Thread.ofPlatform().name("nodeward-timers").daemon().factory());
        scheduler.setRemoveOnCancelPolicy(true);
        return scheduler;
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

    /** As {@link #sleep(Duration, CountDownLatch)}. */
    public void sleep(Duration delay) throws InterruptedException {
        sleep(delay, new CountDownLatch(1));
    }

    /**
     * Sleeps until then, or until somebody else counts {@code over} down; in the end it is down.
     *
     * @throws InterruptedException also when time is at its end: {@link #close} has been called, or is
     */
    public void sleep(Duration delay, CountDownLatch over) throws InterruptedException {
        sleeping.add(over);
        try {
            requireOpen(); // after it is in the set: closing sees it there, or is seen here
            ScheduledFuture<?> end = after(delay, over::countDown);
            try {
                over.await();
            } finally {
                end.cancel(false);
            }
            requireOpen();
        } catch (RejectedExecutionException e) {
            over.countDown();
            throw new InterruptedException("time is at its end");
        } finally {
            sleeping.remove(over);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new RejectedExecutionException("closed");
        }
    }

    /** Between 80 % and 120 % of {@code duration}, so that what started together does not come back together. */
    public static Duration jittered(Duration duration) {
        return Duration.ofNanos((long) (duration.toNanos() * ThreadLocalRandom.current().nextDouble(0.8, 1.2)));
    }

    /** Runs nothing more and ends all sleeps. */
    @Override
    public void close() {
        closed = true;
        scheduler.shutdownNow();
        sleeping.forEach(CountDownLatch::countDown);
    }
}
