package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.StatusJson;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.runtime.time.Mutex;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether an API server answers and accepts our credentials. Any answer shows it; after a silence, and when something
 * failed, it is probed: {@code GET /version}, which everybody may read. Two probes failed: it is down, until it answers.
 */
final class Health implements RequestObserver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Health.class);
    private static final Duration PATIENCE = Duration.ofSeconds(5);
    private static final Backoff BACKOFF = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final int DOWN = 2;
    private static final int UNAUTHORIZED = 401;
    private static final int SERVER_ERROR = 500;
    private static final Request PROBE = new Request(
            "GET", "/version", Map.of("Accept", "application/json"), Optional.empty(), PATIENCE, false);

    private final Transport probes;
    private final Timers timers;
    private final Duration every;
    private final Runnable changed;
    private final Mutex lock = new Mutex();
    private volatile long lastAnswer;
    private volatile boolean denied;
    private volatile boolean down;
    private final AtomicInteger interruptions = new AtomicInteger();
    private int failures;
    /** The first of its kind in a row. */
    private volatile Optional<ApiFailure> failing = Optional.empty();
    private boolean probing;
    /** Whether somebody asked while a probe was on its way, which may not know yet what he knows. */
    private boolean askedAgain;
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
        lastAnswer = timers.nanoTime();
        schedule(Timers.jittered(every));
    }

    /** Whether the last answer was 401. */
    boolean denied() {
        return denied;
    }

    /** Neither down nor denied. */
    boolean answers() {
        return !down && !denied;
    }

    /** How often it was down or denied so far; counted before either shows. */
    int interruptions() {
        return interruptions.get();
    }

    /** Why the last probes failed; empty if the last one did not. */
    Optional<ApiFailure> failing() {
        return failing;
    }

    @Override
    public void answered(int status) {
        if (status >= SERVER_ERROR) {
            unanswered();
            return;
        }
        lastAnswer = timers.nanoTime();
        boolean refused = status == UNAUTHORIZED;
        if (denied != refused || !refused && failing.isPresent()) {
            if (refused) {
                interruptions.incrementAndGet();
            }
            denied = refused;
            if (!refused) {
                settle(Optional.empty());
            }
            changed.run();
        }
    }

    /** Asks now, if nothing is known to be wrong yet. */
    @Override
    public void unanswered() {
        if (failing.isEmpty()) {
            ask();
        }
    }

    /** Asks now, or again if it is being asked. */
    void ask() {
        try (Mutex locked = lock.hold()) {
            askedAgain = probing;
            if (closed || probing) {
                return;
            }
            probing = true;
        }
        Thread.ofVirtual().name("nodeward-probe").start(this::probe);
    }

    /** Whether a probe is on its way, or its news are; it is when {@link #ask} returns. */
    boolean probing() {
        try (Mutex locked = lock.hold()) {
            return probing;
        }
    }

    private void tick() {
        Duration silence = Duration.ofNanos(timers.nanoTime() - lastAnswer);
        if (failing.isEmpty() && silence.compareTo(every) < 0) {
            schedule(every.minus(silence));
        } else {
            ask();
        }
    }

    private void schedule(Duration delay) {
        try (Mutex locked = lock.hold()) {
            if (next != null) {
                next.cancel(false);
            }
            next = closed ? null : timers.after(delay, this::tick);
        }
    }

    private void probe() {
        try {
            if (settle(failure())) {
                changed.run();
            }
        } catch (RuntimeException | Error bug) {
            LOG.error("a fault of Nodeward in what a probe brings about", bug);
        } finally {
            probed();
        }
    }

    // In one step: between two, nothing would seem to be on its way. However this probe ended, who asked is answered.
    private void probed() {
        try (Mutex locked = lock.hold()) {
            probing = askedAgain && !closed;
            askedAgain = false;
            if (probing) {
                Thread.ofVirtual().name("nodeward-probe").start(this::probe);
            }
        }
    }

    /** Takes in what a probe, or an answer to something else, says. Returns whether that is news. */
    private boolean settle(Optional<ApiFailure> failure) {
        try (Mutex locked = lock.hold()) {
            failures = failure.isPresent() ? failures + 1 : 0;
            boolean asBefore = failing.map(ClusterFailures.Cause::of).equals(failure.map(ClusterFailures.Cause::of));
            boolean downNow = failures >= DOWN;
            boolean news = !asBefore || down != downNow || denied && failure.isEmpty();
            failing = asBefore ? failing : failure;
            if (downNow && !down) {
                interruptions.incrementAndGet();
            }
            down = downNow;
            denied = denied && failure.isPresent();
            schedule(failure.isPresent() ? BACKOFF.delay(failures) : Timers.jittered(every));
            return news;
        }
    }

    private Optional<ApiFailure> failure() {
        try (Response response = probes.exchange(PROBE)) {
            if (response.status() != UNAUTHORIZED && response.status() < SERVER_ERROR) {
                lastAnswer = timers.nanoTime();
                return Optional.empty();
            }
            byte[] body = response.body().readAllBytes();
            return Optional.of(ApiFailure.of(StatusJson.read(response.status(), body), "probe", response.retryAfter()));
        } catch (ApiFailure failure) {
            return Optional.of(failure);
        } catch (IOException e) {
            return Optional.of(ApiFailure.unreachable("probe", "the answer was cut", e));
        } catch (RuntimeException | Error bug) { // uncaught, nobody would probe again
            LOG.error("a fault of Nodeward in a probe", bug);
            return Optional.of(ApiFailure.unreachable("probe", "the probe could not be made", bug));
        }
    }

    @Override
    public void close() {
        try (Mutex locked = lock.hold()) {
            closed = true;
            if (next != null) {
                next.cancel(false);
            }
        }
    }
}
