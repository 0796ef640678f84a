package io.nodeward.core.runtime.leader;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A process that can be stopped and continued, as by SIGSTOP and SIGCONT, suspended with its machine, or killed. Of its threads, and of those of other
 * processes, one runs at a time, until it ends or sleeps, so that a run repeats.
 */
final class TestProcess {
    private final ManualTime time;
    private final Semaphore rests = new Semaphore(0);
    private final List<Timed> overdue = new ArrayList<>();
    private State state = State.RUNNING;
    /** Where the monotonic clock stands still while the machine is suspended. */
    private OptionalLong suspended = OptionalLong.empty();
    /** The nanoseconds that the monotonic clock has lost while the machine was suspended. */
    private long slept;

    /** @param due by the monotonic clock of the process */
    private record Timed(long due, Runnable task) {}

    enum State {
        RUNNING, STOPPED, KILLED
    }

    TestProcess(ManualTime time) {
        this.time = time;
    }

    /** Returns timers whose clock goes on while the process is stopped, and that run then what became due. */
    Timers timers() {
        return new Timers(new ManualTime() {
            @Override
            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                Timed timed = new Timed(monotonic() + unit.toNanos(delay), task);
                return time.schedule(() -> whenRunning(timed), delay, unit);
            }
        }, this::monotonic);
    }

    private long monotonic() {
        return suspended.orElseGet(time::nanoTime) - slept;
    }

    State state() {
        return state;
    }

    void stop() {
        state = State.STOPPED;
    }

    /** Stops the process with its monotonic clock, and so with its timers. */
    void suspend() {
        suspended = OptionalLong.of(time.nanoTime());
        stop();
    }

    void kill() {
        state = State.KILLED;
    }

    void goOn() {
        if (state != State.STOPPED) {
            return;
        }
        state = State.RUNNING;
        suspended.ifPresent(since -> slept += time.nanoTime() - since);
        suspended = OptionalLong.empty();
        List<Timed> tasks = List.copyOf(overdue);
        overdue.clear();
        tasks.forEach(this::whenRunning);
    }

    private void whenRunning(Timed timed) {
        switch (state) {
            case RUNNING -> {
                long left = timed.due() - monotonic();
                if (left > 0) {
                    time.schedule(() -> whenRunning(timed), left, TimeUnit.NANOSECONDS);
                } else {
                    timed.task().run();
                }
            }
            case STOPPED -> overdue.add(timed);
            case KILLED -> {
                // nothing of it goes on
            }
        }
    }

    /** Runs the task on a thread of its own. Called on the thread that lets time pass. */
    void execute(Runnable task) {
        Thread.ofVirtual().name("test process").start(() -> {
            try {
                task.run();
            } finally {
                rests.release();
            }
        });
        rests.acquireUninterruptibly();
    }

    /** Called on a thread of the process. */
    void sleep(Duration length) {
        Semaphore over = new Semaphore(0);
        Timed end = new Timed(monotonic() + length.toNanos(), () -> {
            over.release();
            rests.acquireUninterruptibly();
        });
        time.schedule(() -> whenRunning(end), length.toNanos(), TimeUnit.NANOSECONDS);
        rests.release();
        over.acquireUninterruptibly();
    }
}
