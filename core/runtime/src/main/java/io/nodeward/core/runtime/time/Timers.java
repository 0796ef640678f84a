package io.nodeward.core.runtime.time;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/** Runs short things later: retries, watchdogs. One platform thread for the whole process; what it runs must not block. */
public final class Timers implements AutoCloseable {
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().name("nodeward-timers").daemon().factory());

    public ScheduledFuture<?> after(Duration delay, Runnable task) {
        return scheduler.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    public ScheduledFuture<?> every(Duration period, Runnable task) {
        return scheduler.scheduleWithFixedDelay(task, period.toNanos(), period.toNanos(), TimeUnit.NANOSECONDS);
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
