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
import java.util.function.BooleanSupplier;

/**
 * Decides whether the process may write as the one that leads. A write that is not sent is planned anew when the process leads. A
 * process that elects no leader may always write.
 */
public final class Leadership implements LeaderElection.Callbacks, AutoCloseable {
    /** The leadership of a process that elects no leader. */
    public static final Leadership UNCONTESTED = new Leadership(Optional.empty(), () -> true);

    /** Empty if no leader is elected. */
    private final Optional<ObjectKey> lease;
    private volatile BooleanSupplier leads;
    private volatile Runnable start = () -> {};
    private volatile Runnable close = () -> {};
    /** The tasks for when the process leads; guarded by itself. */
    private final List<Runnable> waiting = new ArrayList<>();

    private Leadership(Optional<ObjectKey> lease, BooleanSupplier leads) {
        this.lease = lease;
        this.leads = leads;
    }

    /** Returns the leadership of a process that writes nothing before it holds the Lease. */
    public static Leadership of(ObjectKey lease, MeterRegistry registry) {
        Leadership leadership = new Leadership(Optional.of(lease), () -> false);
        Gauge.builder("nodeward.leader", leadership, it -> it.leads() ? 1 : 0)
                .description("1 while the process leads; only with --leader-election").register(registry);
        return leadership;
    }

    /**
     * Contends for the Lease from {@link #start} on.
     *
     * @param connection which is closed with this
     * @param host where the process runs, for readers of the Lease
     */
    public void contend(Transport connection, String host, Timers timers, InstantSource clock) {
        LeaderElection election = new LeaderElection(
                connection, lease.orElseThrow(), host + "_" + UUID.randomUUID(), this, timers, clock);
        follow(election, connection);
    }

    /** @param election whose callbacks this is */
    void follow(LeaderElection election, Transport connection) {
        leads = election::leads;
        close = connection::close;
        start = () -> {
            close = () -> {
                try (connection) {
                    election.close();
                }
            };
            election.start();
        };
    }

    public void start() {
        start.run();
    }

    /** Returns whether the process may write now. */
    boolean leads() {
        return leads.getAsBoolean();
    }

    /**
     * Lets a write pass.
     *
     * @param doing the request in words
     * @throws ApiFailure.NotLeading if the process does not lead now
     */
    public void check(String doing) {
        if (!leads()) {
            throw ApiFailure.notLeading(doing,
                    "this process does not lead by Lease " + lease.map(ObjectKey::toString).orElse(""),
                    this::whenLeading);
        }
    }

    /** If the process does not lead, {@link #startedLeading} is yet to come, and finds the task. */
    private void whenLeading(Runnable task) {
        synchronized (waiting) {
            if (!leads()) {
                waiting.add(task);
                return;
            }
        }
        task.run();
    }

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
        close.run();
    }
}
