package io.nodeward.core.runtime.leader;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.status.LogOnce;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Elects one leader among the processes that name the same Lease, by the rules of client-go's leader election. A candidate takes
 * the Lease if it is absent or released, or if its record has not changed for the duration in it. The candidate measures that
 * with its own monotonic clock, from when it saw the last change. The times in the record decide nothing, so a wrong clock on
 * another machine does no harm.
 *
 * <p>The leader stops leading 10 s after it sent the last request that renewed the Lease, which is before another
 * candidate can take it, and at once when it reads that it does not hold the Lease. It then is a candidate again. The 10 s count
 * by the wall clock too, as the monotonic clock stands still while the machine is suspended. A leader whose wall clock is set
 * forward therefore stops leading until its next attempt.
 */
final class LeaderElection implements AutoCloseable {
    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);
    private static final double JITTER_FACTOR = 1.2;

    private static final Logger LOG = LoggerFactory.getLogger(LeaderElection.class);
    /** Limits each request, so that a leader without an answer can send another before its deadline. */
    private static final Duration TIMEOUT = RENEW_DEADLINE.dividedBy(2);
    /** Limits each of the two requests of a release, and how long after its begin it is tried again. */
    private static final Duration RELEASE = Duration.ofSeconds(1);

    private final Transport transport;
    private final ObjectKey key;
    private final String identity;
    private final Timers timers;
    private final InstantSource clock;
    private final Executor threads;
    private final DoubleSupplier random;
    private final LogOnce log = new LogOnce(LOG);

    /** Only the attempt in progress uses this field and the next two. */
    private final LeaseLock lock;
    private LeaseRecord observed = LeaseRecord.NONE;
    private long observedAt;

    private volatile Deadline leadsUntil;
    /** Null before the start. */
    private volatile @Nullable Callbacks callbacks;
    /** Whether {@link Callbacks#startedLeading} was the last to be called. */
    private boolean leading;
    private volatile boolean closed;

    /** Receives the start and the end of each leadership. The methods must not block. */
    interface Callbacks {
        /** Comes before the process leads. */
        default void startsLeading() {}

        void startedLeading();

        void stoppedLeading();
    }

    /**
     * A moment by both clocks of the process.
     *
     * @param nanoTime of the monotonic clock
     */
    private record Deadline(long nanoTime, Instant wallTime) {}

    /**
     * @param transport which is closed with this
     * @param identity of this process alone, in the Lease
     */
    LeaderElection(Transport transport, ObjectKey lease, String identity, Timers timers, InstantSource clock) {
        this(transport, lease, identity, timers, clock,
                attempt -> Thread.ofVirtual().name("nodeward-leader-election").start(attempt),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    LeaderElection(
            Transport transport,
            ObjectKey lease,
            String identity,
            Timers timers,
            InstantSource clock,
            Executor threads,
            DoubleSupplier random) {
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("an empty identity is that of no holder");
        }
        this.transport = transport;
        this.key = lease;
        this.lock = new LeaseLock(new ApiServer(transport, TIMEOUT), lease);
        this.identity = identity;
        this.timers = timers;
        this.clock = clock;
        this.threads = threads;
        this.random = random;
        this.leadsUntil = after(Duration.ZERO);
    }

    ObjectKey lease() {
        return key;
    }

    /** Contends for the Lease from now on. */
    void start(Callbacks listener) {
        callbacks = listener;
        threads.execute(this::attempt);
    }

    /**
     * Returns whether this process leads now. The answer is right also in a process that was stopped, or whose machine was
     * suspended, and goes on.
     */
    boolean leads() {
        return isAhead(leadsUntil);
    }

    private boolean isAhead(Deadline deadline) {
        return timers.nanoTime() - deadline.nanoTime() < 0 && clock.instant().isBefore(deadline.wallTime());
    }

    /**
     * Returns whether this process leads now. If it does not, {@link Callbacks#stoppedLeading} has been called, so that
     * {@link Callbacks#startedLeading} will be when it leads again.
     */
    synchronized boolean settled() {
        boolean leads = leads();
        if (!leads) {
            stopLeading("its last renewal is " + RENEW_DEADLINE.toSeconds()
                    + " s ago, by the monotonic or the wall clock");
        }
        return leads;
    }

    private Deadline after(Duration pause) {
        return new Deadline(timers.nanoTime() + pause.toNanos(), clock.instant().plus(pause));
    }

    private void attempt() {
        if (closed) {
            return;
        }
        try {
            acquireOrRenew();
            log.resolved("Lease " + key);
        } catch (ApiFailure failure) {
            log.warn("Lease " + key, String.valueOf(failure.getMessage()));
        } finally {
            if (!closed) {
                timers.after(pause(), () -> threads.execute(this::attempt));
            }
        }
    }

    /**
     * Returns the pause before the next attempt. Candidates add jitter, so that they do not all come at once. A server that
     * asks for a longer pause (429) does not get it, as it would cost the leadership.
     */
    private Duration pause() {
        double jitter = leads() ? 0 : JITTER_FACTOR * random.getAsDouble();
        return RETRY_PERIOD.plusNanos((long) (RETRY_PERIOD.toNanos() * jitter));
    }

    private void acquireOrRenew() {
        long start = timers.nanoTime();
        if (leads() && renew()) {
            return;
        }
        Optional<LeaseRecord> found = lock.get();
        observe(found.orElse(LeaseRecord.NONE));
        if (!closed && !isHeldByAnother(start)) {
            write(found.map(record -> record.heldBy(identity, clock.instant()))
                    .orElseGet(() -> LeaseRecord.created(identity, clock.instant())));
        }
    }

    /** Renews the Lease as it was written last, without reading it. Returns whether that worked. */
    private boolean renew() {
        try {
            write(observed.heldBy(identity, clock.instant()));
            return true;
        } catch (ApiFailure.Throttled throttled) {
            throw throttled;
        } catch (ApiFailure failure) { // the server may have made the change all the same
            LOG.debug("Lease {} is read before it is renewed: {}", key, failure.getMessage());
            return false;
        }
    }

    private void observe(LeaseRecord found) {
        if (!found.equals(observed)) {
            observed = found;
            observedAt = timers.nanoTime();
        }
        if (!found.holder().equals(identity)) {
            lose(found.holder());
        }
    }

    private boolean isHeldByAnother(long now) {
        return !observed.holder().isEmpty() && !observed.holder().equals(identity)
                && now - observedAt < TimeUnit.SECONDS.toNanos(observed.durationSeconds());
    }

    private void write(LeaseRecord record) {
        Deadline deadline = after(RENEW_DEADLINE); // the server may have the request at any time from now on
        lock.write(record);
        observed = record;
        if (!lead(deadline)) {
            release();
        }
    }

    /** Returns false if the election has been closed meanwhile. */
    private synchronized boolean lead(Deadline deadline) {
        settled(); // in a process that was stopped the timer may come later
        if (closed) {
            return false;
        }
        Optional<Callbacks> started =
                leading || !isAhead(deadline) ? Optional.empty() : Optional.ofNullable(callbacks);
        started.ifPresent(Callbacks::startsLeading);
        leadsUntil = deadline;
        timers.after(Duration.ofNanos(deadline.nanoTime() - timers.nanoTime()), this::settled);
        started.ifPresent(told -> {
            leading = true;
            LOG.info("started leading: {} holds Lease {}", identity, key);
            told.startedLeading();
        });
        return true;
    }

    private synchronized void lose(String holder) {
        leadsUntil = after(Duration.ZERO);
        stopLeading(holder.isEmpty() ? "no process holds it" : holder + " holds it");
    }

    private void stopLeading(String why) {
        Callbacks told = callbacks;
        if (leading && told != null) {
            leading = false;
            LOG.warn("stopped leading by Lease {}: {}", key, why);
            told.stoppedLeading();
        }
    }

    /**
     * Stops leading and gives the Lease up within 3 s, so that another candidate need not wait. The caller must have finished
     * what only a leader may do. Idempotent.
     */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            leadsUntil = after(Duration.ZERO);
            stopLeading("the process ends");
        }
        try (transport) {
            if (callbacks != null) {
                release();
            }
        }
    }

    /**
     * Takes 3 s at most, as a process that ends has little time. An attempt may be
     * under way: whichever write comes second meets a conflict, and the attempt ends then.
     */
    private void release() {
        LeaseLock last = new LeaseLock(new ApiServer(transport, RELEASE), key);
        long end = timers.nanoTime() + RELEASE.toNanos();
        boolean again = true;
        while (again && timers.nanoTime() - end < 0) {
            try {
                last.get().filter(record -> record.holder().equals(identity))
                        .ifPresent(record -> last.write(record.released(clock.instant())));
                again = false;
            } catch (ApiFailure.Conflict newer) {
                LOG.debug("Lease {} has changed and is read again", key);
            } catch (ApiFailure failure) {
                LOG.warn("Lease {} is not released: {}", key, failure.getMessage());
                again = false;
            }
        }
    }
}
