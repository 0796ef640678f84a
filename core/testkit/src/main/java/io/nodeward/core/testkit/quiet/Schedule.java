package io.nodeward.core.testkit.quiet;

import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One thread that runs tasks later, in a time that passes by itself and that a test can move forward. It lists what is
 * due; deadlines of requests and periodic probes do not count as delayed work.
 */
final class Schedule extends ScheduledThreadPoolExecutor {
    private static final String GUARDS = "io.nodeward.core.runtime.cluster.";

    private final ManualTime time = new ManualTime();
    private final Set<ScheduledFuture<?>> work = ConcurrentHashMap.newKeySet();
    private final AtomicLong submitted = new AtomicLong();
    private final Instant start = Instant.now();
    private final long startNanos = time.nanoTime();
    private long last = System.nanoTime();
    private boolean held;

    Schedule() {
        super(1, Thread.ofPlatform().name("nodeward-timers").daemon().factory());
        super.scheduleWithFixedDelay(this::pass, 1, 1, TimeUnit.MILLISECONDS);
    }

    private synchronized void pass() {
        long now = System.nanoTime();
        if (!held) {
            time.pass(Duration.ofNanos(now - last));
        }
        last = now;
    }

    /** From now on time passes by leaps only. */
    synchronized void hold() {
        held = true;
    }

    synchronized void leap(Duration length) {
        time.pass(length);
    }

    long nanoTime() {
        return time.nanoTime();
    }

    Instant instant() {
        return start.plusNanos(nanoTime() - startNanos);
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
        ScheduledFuture<?> later = time.schedule(task, delay, unit);
        if (!task.getClass().getName().startsWith(GUARDS)) {
            work.add(later);
        }
        submitted.incrementAndGet(); // after it is visible, so that a reader of the count sees it
        return later;
    }

    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable task, long first, long period, TimeUnit unit) {
        return time.scheduleWithFixedDelay(task, first, period, unit);
    }

    long submitted() {
        return submitted.get();
    }

    /** How long until what is to run first; zero or less if it is running. */
    Optional<Duration> next() {
        work.removeIf(Future::isDone);
        return work.stream().map(later -> Duration.ofNanos(later.getDelay(TimeUnit.NANOSECONDS)))
                .min(Comparator.naturalOrder());
    }
}
