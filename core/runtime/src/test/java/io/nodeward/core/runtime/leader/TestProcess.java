package io.nodeward.core.runtime.leader;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A process that can be stopped and continued, as by SIGSTOP and SIGCONT, or killed. Of its threads, and of those of other
 * processes, one runs at a time, until it ends or sleeps, so that a run repeats.
 */
final class TestProcess {
    private final ManualTime time;
    private final Semaphore rests = new Semaphore(0);
    private final List<Runnable> overdue = new ArrayList<>();
    private State state = State.RUNNING;

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
                return time.schedule(() -> whenRunning(task), delay, unit);
            }
        }, time::nanoTime);
    }

    State state() {
        return state;
    }

    void stop() {
        state = State.STOPPED;
    }

    void kill() {
        state = State.KILLED;
    }

    void goOn() {
        if (state != State.STOPPED) {
            return;
        }
        state = State.RUNNING;
        List<Runnable> tasks = List.copyOf(overdue);
        overdue.clear();
        tasks.forEach(this::whenRunning);
    }

    private void whenRunning(Runnable task) {
        switch (state) {
            case RUNNING -> task.run();
            case STOPPED -> overdue.add(task);
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
        time.schedule(() -> whenRunning(() -> {
            over.release();
            rests.acquireUninterruptibly();
        }), length.toNanos(), TimeUnit.NANOSECONDS);
        rests.release();
        over.acquireUninterruptibly();
    }
}
