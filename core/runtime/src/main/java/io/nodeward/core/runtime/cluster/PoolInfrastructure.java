package io.nodeward.core.runtime.cluster;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.ReconcileLoop;
import io.nodeward.core.runtime.controller.Result;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Whether the infrastructure of a MachinePool makes Machines for its Nodes: its {@code status.infrastructureMachineKind} is
 * set before the first Machine is there. Read in the background, once for each pool that a caller asks for, and again while
 * it is not known; from then on only the pool's Machines decide.
 */
public final class PoolInfrastructure implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PoolInfrastructure.class);
    /** What is not known is asked for again after this. */
    public static final Duration AGAIN = Duration.ofMinutes(1);

    private final ApiServer server;
    private final LongSupplier ticker;
    private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();
    private final Map<String, Resource> resources = new ConcurrentHashMap<>();
    /** Pools of which the infrastructure is to be read: all Nodes of a pool ask the same. */
    private final Map<ObjectKey, InfrastructureRef> asked = new ConcurrentHashMap<>();
    /** Held while something goes from one of these maps to another. */
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Consumer<ObjectKey>> listeners = new CopyOnWriteArrayList<>();
    private final ReconcileLoop<ObjectKey> loop;
    /** Guarded by the lock. */
    private boolean started;

    /** What there is to know. */
    public enum Makes {
        MACHINES,
        /** It is set up and names no kind of Machines. */
        NONE,
        /** It is not set up yet, or cannot be read. */
        UNKNOWN,
        /** It has not been read yet; listeners hear of it when it has. */
        UNREAD
    }

    /** @param since when it was asked for and not answered; nanoseconds */
    private record Known(InfrastructureRef ref, Makes makes, Optional<Long> since) {
        static Known forGood(InfrastructureRef ref, Makes makes) {
            return new Known(ref, makes, Optional.empty());
        }

        static Known notYet(InfrastructureRef ref, long now) {
            return new Known(ref, Makes.UNKNOWN, Optional.of(now));
        }

        boolean holds(long now) {
            return since.filter(at -> now - at > AGAIN.toNanos()).isEmpty();
        }
    }

    /** @param server of the management cluster */
    public PoolInfrastructure(ApiServer server, Timers timers, MeterRegistry registry) {
        this.server = server;
        this.ticker = timers::nanoTime;
        this.loop = new ReconcileLoop<>("infrastructure", key -> "", 1, key -> key, this::read, timers, registry);
    }

    /** @param listener hears of pools of whose infrastructure something else is known; it must not block */
    public void subscribe(Consumer<ObjectKey> listener) {
        listeners.add(listener);
    }

    /** Whether it is known to make Machines. */
    public boolean makesMachines(MachinePool pool) {
        return makes(pool.key(), pool.infrastructure()) == Makes.MACHINES;
    }

    /** What the infrastructure of this pool makes, as far as is known now. */
    public Makes makes(ObjectKey pool, InfrastructureRef ref) {
        if (ref.name().isEmpty()) {
            return Makes.NONE;
        }
        lock.lock();
        try {
            Optional<Known> last = Optional.ofNullable(known.get(pool)).filter(read -> read.ref.equals(ref));
            boolean holds = last.filter(read -> read.holds(ticker.getAsLong())).isPresent();
            if (!holds && !ref.equals(asked.put(pool, ref))) {
                start();
                loop.queue().add(pool);
            }
            return last.map(Known::makes).orElse(Makes.UNREAD);
        } finally {
            lock.unlock();
        }
    }

    /** With the first who asks: in most processes nobody does. */
    private void start() {
        if (!started) {
            started = true;
            loop.start();
        }
    }

    private Result read(ObjectKey pool) {
        InfrastructureRef ref = asked.get(pool);
        if (ref != null && isNews(pool, ask(pool, ref))) {
            listeners.forEach(listener -> listener.accept(pool));
        }
        return Result.done();
    }

    private boolean isNews(ObjectKey pool, Known now) {
        lock.lock();
        try {
            if (!asked.remove(pool, now.ref)) {
                return false; // forgotten meanwhile, or asked about another
            }
            Known before = known.put(pool, now);
            return before == null || !before.ref.equals(now.ref) || before.makes != now.makes;
        } finally {
            lock.unlock();
        }
    }

    private Known ask(ObjectKey pool, InfrastructureRef ref) {
        try {
            Optional<Resource> resource = resource(ref);
            if (resource.isPresent()) {
                byte[] object = server.get(resource.get(), new ObjectKey(pool.namespace(), ref.name()));
                return read(ref, object);
            }
            notRead(pool, ref, "it is not served");
        } catch (ApiFailure.Forbidden | ApiFailure.NotFound | ApiFailure.NotServed | ApiFailure.Rejected
                | IOException e) {
            notRead(pool, ref, e.getMessage());
        }
        return Known.notYet(ref, ticker.getAsLong());
    }

    private Known read(InfrastructureRef ref, byte[] object) throws IOException {
        if (!Replies.status(object, "infrastructureMachineKind").isEmpty()) {
            return Known.forGood(ref, Makes.MACHINES);
        }
        return Replies.isProvisioned(object) ? Known.forGood(ref, Makes.NONE) : Known.notYet(ref, ticker.getAsLong());
    }

    private void notRead(ObjectKey pool, InfrastructureRef ref, @Nullable String why) {
        Known before = known.get(pool);
        boolean saidBefore = before != null && before.ref.equals(ref);
        LOG.atLevel(saidBefore ? Level.DEBUG : Level.WARN)
                .log("MachinePool {}: whether {} of {} makes Machines cannot be read: {}", pool, ref.kind(),
                        ref.group(), why);
    }

    private Optional<Resource> resource(InfrastructureRef ref) throws IOException {
        String id = ref.kind() + "." + ref.group();
        Resource resource = resources.get(id);
        if (resource == null) {
            resource = find(ref);
        }
        if (resource != null) {
            resources.put(id, resource);
        }
        return Optional.ofNullable(resource);
    }

    private @Nullable Resource find(InfrastructureRef ref) throws IOException {
        List<String> versions = Replies.groupVersions(server.get("/apis/" + ref.group()));
        for (String version : versions) {
            Optional<String> plural =
                    Replies.plural(server.get("/apis/" + ref.group() + "/" + version), ref.kind());
            if (plural.isPresent()) {
                return new Resource(ref.group(), version, plural.get(), true);
            }
        }
        return null;
    }

    /** The pool is gone. */
    public void forget(ObjectKey pool) {
        lock.lock();
        try {
            known.remove(pool);
            asked.remove(pool);
        } finally {
            lock.unlock();
        }
    }

    /** Reads nothing more. */
    @Override
    public void close() {
        loop.retire();
    }
}
