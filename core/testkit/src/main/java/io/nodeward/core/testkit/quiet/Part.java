package io.nodeward.core.testkit.quiet;

import io.nodeward.core.fakeapi.FakeApiServer;
import io.nodeward.core.spi.Backend;
import io.nodeward.core.spi.ClusterAccess;
import io.nodeward.core.spi.Transport;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** One controller, as {@link Quiet} sees it: it must use this backend and this schedule, and say what is queued. */
public final class Part implements AutoCloseable {
    private final Consumer<Part> closed;
    private final Traffic traffic = new Traffic();
    private final Schedule schedule = new Schedule();
    private final Map<String, BooleanSupplier> required = new ConcurrentHashMap<>();
    private volatile LongSupplier added = () -> 0;
    private volatile LongSupplier worked = () -> 0;

    Part(Consumer<Part> closed) {
        this.closed = closed;
    }

    /** Does what {@code backend} does. */
    public Backend over(Backend backend) {
        return new Backend() {
            @Override
            public String name() {
                return backend.name();
            }

            @Override
            public Transport connect(ClusterAccess access) {
                return traffic.over(backend.connect(access), access.kubeconfig());
            }
        };
    }

    /** For all that the controller puts off. */
    public ScheduledExecutorService schedule() {
        return schedule;
    }

    /** The clock that goes with {@link #schedule}. */
    public InstantSource clock() {
        return schedule::instant;
    }

    /** The nanoseconds that go with {@link #schedule}. */
    public long nanoTime() {
        return schedule.nanoTime();
    }

    void leap(Duration length) {
        schedule.leap(length);
    }

    void hold() {
        schedule.hold();
    }

    /**
     * Both only grow, and are the same when no key is waiting or in hand.
     *
     * @param keysAdded to all queues so far
     * @param keysWorked off so far; a key is counted when whatever comes of it has been counted or scheduled
     */
    public Part queues(LongSupplier keysAdded, LongSupplier keysWorked) {
        added = keysAdded;
        worked = keysWorked;
        return this;
    }

    /** @param isSo what else must be so; what has a start, for example, must have been started */
    public Part requires(String what, BooleanSupplier isSo) {
        required.put(what, isSo);
        return this;
    }

    boolean knows(Thread reader) {
        return traffic.knows(reader);
    }

    Optional<Duration> next() {
        return schedule.next();
    }

    List<Long> counters() {
        return List.of(added.getAsLong(), schedule.submitted(), traffic.begun());
    }

    /** The servers it is connected to now. */
    Stream<String> servers() {
        return traffic.servers();
    }

    /** @param refused parts of the paths of watches that stand no more */
    Optional<String> busy(Collection<FakeApiServer> servers, Collection<String> refused) {
        for (FakeApiServer server : servers) {
            Optional<String> unseen = traffic.unseen(server.url(), server.resourceVersion(), refused);
            if (unseen.isPresent()) {
                return unseen;
            }
        }
        long done = worked.getAsLong(); // first: what is added meanwhile makes them differ
        if (done != added.getAsLong()) {
            return Optional.of("keys are waiting or in hand");
        }
        Optional<String> missing = required.entrySet().stream()
                .filter(entry -> !entry.getValue().getAsBoolean()).map(entry -> "not so: " + entry.getKey())
                .findFirst();
        return missing.or(traffic::underWay);
    }

    /** The controller is at its end, and what it leaves undone is of no interest. */
    @Override
    public void close() {
        closed.accept(this);
    }
}
