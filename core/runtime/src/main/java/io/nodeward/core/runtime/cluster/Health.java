package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.StatusJson;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.Answer;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Call;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Whether an API server answers and lets us in. Any answer says so; after a silence, and when something failed, it is
 * probed: {@code GET /version}, which everybody may read. Two probes failed: it is down, until one succeeds.
 */
final class Health implements CallObserver, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final int DOWN = 2;
    private static final int UNAUTHORIZED = 401;
    private static final int SERVER_ERROR = 500;
    private static final Call PROBE = new Call(
            "GET", "/version", Map.of("Accept", "application/json"), Optional.empty(), PATIENCE, false);

    private final Transport probes;
    private final Timers timers;
    private final Duration every;
    private final Runnable changed;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile long lastAnswer;
    private volatile boolean denied;
    private volatile boolean down;
    private int failures;
    /** The first of its kind in a row. */
    private Optional<ApiFailure> failing = Optional.empty();
    private boolean probing;
    private boolean closed;
    private @Nullable ScheduledFuture<?> next;

    /**
     * @param probes carries no other calls, so that those in hand hold none of these up
     * @param every how long a server may say nothing
     * @param changed told of every change of {@link #down}, {@link #denied} and {@link #failing}; it must not block
     */
    Health(Transport probes, Timers timers, Duration every, Runnable changed) {
        this.probes = probes;
        this.timers = timers;
        this.every = every;
        this.changed = changed;
    }

    void start() {
        lastAnswer = System.nanoTime();
        schedule(Timers.jittered(every));
    }

    /** Whether it is of no use to ask it anything else. */
    boolean down() {
        return down;
    }

    /** Whether the last answer was 401. */
    boolean denied() {
        return denied;
    }

    /** Why the last probes failed; empty if the last one did not. */
    Optional<ApiFailure> failing() {
        lock.lock();
        try {
            return failing;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void answered(int status) {
        if (status >= SERVER_ERROR) {
            suspect();
            return;
        }
        lastAnswer = System.nanoTime();
        if (denied != (status == UNAUTHORIZED)) {
            denied = status == UNAUTHORIZED;
            changed.run();
        }
    }

    @Override
    public void unanswered() {
        suspect();
    }

    /** Asks now, if nothing is known to be wrong yet. */
    private void suspect() {
        if (failing().isEmpty()) {
            ask();
        }
    }

    /** Asks now, unless it is being asked. */
    void ask() {
        lock.lock();
        try {
            if (closed || probing) {
                return;
            }
            probing = true;
        } finally {
            lock.unlock();
        }
        Thread.ofVirtual().name("nodeward-probe").start(this::probe);
    }

    private void tick() {
        Duration silence = Duration.ofNanos(System.nanoTime() - lastAnswer);
        if (failing().isEmpty() && silence.compareTo(every) < 0) {
            schedule(every.minus(silence));
        } else {
            ask();
        }
    }

    private void schedule(Duration delay) {
        lock.lock();
        try {
            if (next != null) {
                next.cancel(false);
            }
            next = closed ? null : timers.after(delay, this::tick);
        } finally {
            lock.unlock();
        }
    }

    private void probe() {
        Optional<ApiFailure> failure = failure();
        boolean news;
        lock.lock();
        try {
            probing = false;
            failures = failure.isPresent() ? failures + 1 : 0;
            boolean asBefore = failing.map(ApiFailure::getClass).equals(failure.map(ApiFailure::getClass));
            news = !asBefore || down != failures >= DOWN || denied && failure.isEmpty();
            failing = asBefore ? failing : failure;
            down = failures >= DOWN;
            denied = denied && failure.isPresent();
            schedule(failure.isPresent() ? BACKOFF.delay(failures) : Timers.jittered(every));
        } finally {
            lock.unlock();
        }
        if (news) {
            changed.run();
        }
    }

    private Optional<ApiFailure> failure() {
        try (Answer answer = probes.exchange(PROBE)) {
            if (answer.status() != UNAUTHORIZED && answer.status() < SERVER_ERROR) {
                lastAnswer = System.nanoTime();
                return Optional.empty();
            }
            byte[] body = answer.body().readAllBytes();
            return Optional.of(ApiFailure.of(StatusJson.read(answer.status(), body), "probe", answer.retryAfter()));
        } catch (ApiFailure failure) {
            return Optional.of(failure);
        } catch (IOException e) {
            return Optional.of(ApiFailure.unreachable("probe", "the answer was cut", e));
        }
    }

    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
        } finally {
            lock.unlock();
        }
    }
}
