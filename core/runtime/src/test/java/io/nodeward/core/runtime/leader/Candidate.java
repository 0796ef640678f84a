package io.nodeward.core.runtime.leader;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Request;
import io.nodeward.core.spi.Response;
import io.nodeward.core.spi.Transport;
import io.nodeward.core.testkit.ManualTime;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;

/** An election in a process of its own, with a network and a wall clock of its own. */
final class Candidate implements LeaderElection.Callbacks {
    static final ObjectKey LEASE = new ObjectKey("default", "nodeward");

    final String identity;
    final TestProcess process;
    final LeaderElection election;
    /** The callbacks that were called, and the seconds of the test. */
    final List<String> told = new ArrayList<>();
    /** Takes each request to the server, or does not. */
    Network network = Network.GOOD;
    Duration wallClock = Duration.ZERO;
    private final ManualTime time;
    private final long start;
    private boolean ended;
    private Runnable onStart = () -> {};

    /** What is between a process and the server. */
    interface Network {
        Network GOOD = (process, request, server) -> server.exchange(request);
        /** No request arrives, and each times out. */
        Network PARTITIONED = (process, request, server) -> {
            throw timedOut(process, request);
        };
        /** Each request arrives, and times out. */
        Network ANSWERS_LOST = (process, request, server) -> {
            server.exchange(request).close();
            throw timedOut(process, request);
        };

        Response send(TestProcess process, Request request, Transport server);

        static ApiFailure timedOut(TestProcess process, Request request) {
            process.sleep(request.timeout());
            return ApiFailure.unreachable(request.method() + " " + request.path(), "timed out", new IOException());
        }

        /** Delays each request and its answer. */
        static Network slow(Duration before, Duration after) {
            return (process, request, server) -> {
                process.sleep(before);
                Response response = server.exchange(request);
                process.sleep(after);
                return response;
            };
        }
    }

    /** @param random between 0 and 1, for the jitter */
    Candidate(String identity, Transport server, ManualTime time, DoubleSupplier random) {
        this.identity = identity;
        this.time = time;
        this.start = new ManualTime().nanoTime();
        this.process = new TestProcess(time);
        this.election = new LeaderElection(new Transport() {
            @Override
            public Response exchange(Request request) {
                return network.send(process, request, server);
            }

            @Override
            public void close() {}
        }, LEASE, identity, process.timers(), () -> time.instant().plus(wallClock), process::execute, random);
    }

    Candidate start() {
        election.start(this);
        return this;
    }

    /** As SIGTERM does. */
    void end() {
        ended = true;
        process.execute(election::close);
    }

    /** Whether it has neither ended nor been killed. */
    boolean isCandidate() {
        return !ended && process.state() != TestProcess.State.KILLED;
    }

    boolean leads() {
        return election.leads();
    }

    void onStart(Runnable action) {
        onStart = action;
    }

    @Override
    public void startedLeading() {
        tell("started");
        onStart.run();
    }

    @Override
    public void stoppedLeading() {
        tell("stopped");
    }

    private void tell(String what) {
        told.add(what + " at " + Duration.ofNanos(time.nanoTime() - start).toMillis() / 1000.0);
    }
}
