package io.nodeward.core.testkit;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Time that stands still until a test lets it pass: a scheduler, with the nanoseconds and the instant that go with it.
 * What is due runs on the thread that lets time pass, in the order in which it is due, and never before. For Nodeward's
 * own waiting: {@code new Timers(time, time::nanoTime)}.
 */
public class ManualTime extends AbstractExecutorService implements ScheduledExecutorService, InstantSource {
    /** Below zero, as System.nanoTime() may be: 0 is no word for "never". */
    private static final long START = -TimeUnit.MINUTES.toNanos(1);
    private static final Instant START_INSTANT = Instant.parse("2026-11-01T12:00:00Z");

    private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>(
            Comparator.<Task<?>>comparingLong(task -> task.at).thenComparingLong(task -> task.number));
    private long now = START;
    private long numbers;
    private boolean shutdown;

    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public Instant instant() {
        return START_INSTANT.plusNanos(nanoTime() - START);
    }

    /** Lets so much time pass and runs what is due by then, also what is only scheduled meanwhile. */
    public void pass(Duration length) {
        long end = nanoTime() + length.toNanos();
        for (Task<?> due = dueBy(end); due != null; due = dueBy(end)) {
            due.fire();
        }
    }

    /** How long until each of what is scheduled once is due, the next one first: a watchdog, which comes again, is none. */
    public synchronized List<Duration> waits() {
        return tasks.stream().filter(task -> task.period == 0).map(task -> Duration.ofNanos(task.at - now)).sorted()
                .toList();
    }

    /** Lets time pass until the first of {@link #waits} is due, if there is one. */
    public void passWait() {
        waits().stream().findFirst().ifPresent(this::pass);
    }

    private synchronized @Nullable Task<?> dueBy(long end) {
        Task<?> next = tasks.peek();
        if (next == null || next.at > end) {
            now = Math.max(now, end); // several may let time pass at once
            return null;
        }
        now = Math.max(now, next.at);
        return tasks.poll();
    }

    private synchronized <V> Task<V> enter(Callable<V> work, long delay, long period) {
        if (shutdown) {
            throw new RejectedExecutionException("shut down");
        }
        Task<V> task = new Task<>(work, now + Math.max(0, delay), period);
        tasks.add(task);
        return task;
    }

    @Override
    public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
        return enter(Executors.callable(command), unit.toNanos(delay), 0);
    }

    @Override
    public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
        return enter(callable, unit.toNanos(delay), 0);
    }

    @Override
    public ScheduledFuture<?> scheduleAtFixedRate(Runnable command, long initialDelay, long period, TimeUnit unit) {
        return enter(Executors.callable(command), unit.toNanos(initialDelay), unit.toNanos(period));
    }

    /** The same as at a fixed rate: what runs takes no time here. */
    @Override
    public ScheduledFuture<?> scheduleWithFixedDelay(Runnable command, long initialDelay, long delay, TimeUnit unit) {
        return scheduleAtFixedRate(command, initialDelay, delay, unit);
    }

    /** Runs it when a test next lets time pass, be it none. */
    @Override
    public void execute(Runnable command) {
        enter(Executors.callable(command), 0, 0);
    }

    @Override
    public void shutdown() {
        shutdownNow();
    }

    @Override
    public synchronized List<Runnable> shutdownNow() {
        shutdown = true;
        List<Runnable> left = List.copyOf(tasks);
        tasks.clear();
        return left;
    }

    @Override
    public synchronized boolean isShutdown() {
        return shutdown;
    }

    @Override
    public boolean isTerminated() {
        return isShutdown();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
        return isShutdown();
    }

    private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
        private final long period;
        private final long number = numbers++;
        private long at;

        /** Called with the lock held. */
        Task(Callable<V> work, long at, long period) {
            super(work);
            this.at = at;
            this.period = period;
        }

        void fire() {
            if (period == 0) {
                run();
            } else if (runAndReset()) {
                again();
            }
        }

        private void again() {
            synchronized (ManualTime.this) {
                at = now + period;
                if (!shutdown && !isDone()) {
                    tasks.add(this);
                }
            }
        }

        @Override
        protected void done() {
            synchronized (ManualTime.this) {
                tasks.remove(this);
            }
        }

        @Override
        public long getDelay(TimeUnit unit) {
            synchronized (ManualTime.this) {
                return unit.convert(at - now, TimeUnit.NANOSECONDS);
            }
        }

        @Override
        public int compareTo(Delayed other) {
            return Long.compare(getDelay(TimeUnit.NANOSECONDS), other.getDelay(TimeUnit.NANOSECONDS));
        }
    }
}
