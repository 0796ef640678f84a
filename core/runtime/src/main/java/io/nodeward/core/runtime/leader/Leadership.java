package io.nodeward.core.runtime.leader;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Decides whether the process may write as the one that leads. A write that is not sent is planned anew when the process leads. A
 * process that elects no leader may always write.
 */
public final class Leadership implements LeaderElection.Callbacks, AutoCloseable {
    /** The leadership of a process that elects no leader. */
    public static final Leadership UNCONTESTED = new Leadership(Optional.empty());

    private final Optional<LeaderElection> election;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** The tasks for when the process leads; guarded by itself. */
    private final List<Runnable> waiting = new ArrayList<>();

    private Leadership(Optional<LeaderElection> election) {
        this.election = election;
    }

    Leadership(LeaderElection election, MeterRegistry registry) {
        this(Optional.of(election));
        Gauge.builder("nodeward.leader", election, it -> it.leads() ? 1 : 0).tag("lease", election.lease().toString())
                .description("1 while the process leads by this Lease; only with --leader-election")
                .register(registry);
    }

    /**
     * Returns the leadership of a process that writes nothing before it holds the Lease.
     *
     * @param connection which is closed with the leadership
     * @param host where the process runs, for readers of the Lease
     */
    public static Leadership by(
            ObjectKey lease,
            Transport connection,
            String host,
            Timers timers,
            InstantSource clock,
            MeterRegistry registry) {
        return new Leadership(
                new LeaderElection(connection, lease, host + "_" + UUID.randomUUID(), timers, clock), registry);
    }

    /** Contends for the Lease from now on, if a leader is elected. */
    public void start() {
        election.ifPresent(contended -> contended.start(this));
    }

    /**
     * Calls the listener each time before the process leads, as for limits, which then begin as after a start. Without an election it
     * is never called.
     */
    public void beforeLeading(Runnable listener) {
        if (election.isPresent()) {
            listeners.add(listener);
        }
    }

    /**
     * Lets a write pass.
     *
     * @param doing the request in words
     * @throws ApiFailure.NotLeading if the process does not lead now
     */
    public void check(String doing) {
        election.filter(contended -> !contended.leads()).ifPresent(contended -> {
            throw ApiFailure.notLeading(doing, "this process does not lead by Lease " + contended.lease(),
                    task -> whenLeading(contended, task));
        });
    }

    /** Adds the task before it asks, so that a start of the leadership in between finds it. */
    private void whenLeading(LeaderElection contended, Runnable task) {
        synchronized (waiting) {
            waiting.add(task);
        }
        if (contended.settled()) {
            startedLeading();
        }
    }

    @Override
    public void startsLeading() {
        listeners.forEach(Runnable::run);
    }

    /** Runs each task once. */
    @Override
    public void startedLeading() {
        List<Runnable> tasks;
        synchronized (waiting) {
            tasks = List.copyOf(waiting);
            waiting.clear();
        }
        tasks.forEach(Runnable::run);
    }

    /** Does nothing: each check asks the election, which knows of its deadline before it calls this. */
    @Override
    public void stoppedLeading() {}

    /** Gives the Lease up. Nothing must be under way that only a leader may do. */
    @Override
    public void close() {
        election.ifPresent(LeaderElection::close);
    }
}
