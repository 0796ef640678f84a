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
    private final List<Consumer<ObjectKey>> listeners = new CopyOnWriteArrayList<>();
    private final ReconcileLoop<ObjectKey> loop;

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

    /**
     * @param asked whether it is to be read: all Nodes of a pool ask the same
     * @param at when it was read; nanoseconds
     */
    private record Known(InfrastructureRef ref, Makes makes, boolean asked, long at) {
        boolean holds(InfrastructureRef of, long now) {
            return ref.equals(of) && (asked || makes != Makes.UNKNOWN || now - at <= AGAIN.toNanos());
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
        long now = ticker.getAsLong();
        Known last = known.get(pool);
        if (last == null || !last.holds(ref, now)) {
            last = known.compute(pool, (key, held) -> held != null && held.holds(ref, now) ? held : asking(ref, held));
            loop.start(); // with the first who asks: in most processes nobody does
            loop.queue().add(pool);
        }
        return last.makes;
    }

    private static Known asking(InfrastructureRef ref, @Nullable Known before) {
        return new Known(ref, before != null && before.ref.equals(ref) ? before.makes : Makes.UNREAD, true, 0);
    }

    private Result read(ObjectKey pool) {
        Known asked = known.get(pool);
        if (asked != null && asked.asked) {
            Known now = new Known(asked.ref, ask(pool, asked), false, ticker.getAsLong());
            // Else it was forgotten meanwhile, or asked about another.
            if (known.replace(pool, asked, now) && now.makes != asked.makes) {
                listeners.forEach(listener -> listener.accept(pool));
            }
        }
        return Result.done();
    }

    private Makes ask(ObjectKey pool, Known asked) {
        try {
            Optional<Resource> resource = resource(asked.ref);
            if (resource.isPresent()) {
                return read(server.get(resource.get(), new ObjectKey(pool.namespace(), asked.ref.name())));
            }
            notRead(pool, asked, "it is not served");
        } catch (ApiFailure.Forbidden | ApiFailure.NotFound | ApiFailure.NotServed | ApiFailure.Rejected
                | IOException e) {
            if (e instanceof ApiFailure.NotServed) {
                resources.clear(); // a provider may serve its kinds in another version by now
            }
            notRead(pool, asked, e.getMessage());
        }
        return Makes.UNKNOWN;
    }

    private static Makes read(byte[] object) throws IOException {
        if (!Replies.status(object, "infrastructureMachineKind").isEmpty()) {
            return Makes.MACHINES;
        }
        return Replies.isProvisioned(object) ? Makes.NONE : Makes.UNKNOWN;
    }

    private static void notRead(ObjectKey pool, Known asked, @Nullable String why) {
        LOG.atLevel(asked.makes == Makes.UNREAD ? Level.WARN : Level.DEBUG)
                .log("MachinePool {}: whether {} of {} makes Machines cannot be read: {}", pool, asked.ref.kind(),
                        asked.ref.group(), why);
    }

    private Optional<Resource> resource(InfrastructureRef ref) throws IOException {
        String id = ref.kind() + "." + ref.group();
        Optional<Resource> resource = Optional.ofNullable(resources.get(id));
        if (resource.isEmpty()) {
            resource = find(ref);
            resource.ifPresent(found -> resources.put(id, found));
        }
        return resource;
    }

    private Optional<Resource> find(InfrastructureRef ref) throws IOException {
        List<String> versions = Replies.groupVersions(server.get("/apis/" + ref.group()));
        for (String version : versions) {
            Optional<String> plural =
                    Replies.plural(server.get("/apis/" + ref.group() + "/" + version), ref.kind());
            if (plural.isPresent()) {
                return plural.map(name -> new Resource(ref.group(), version, name, true));
            }
        }
        return Optional.empty();
    }

    /** The pool is gone. */
    public void forget(ObjectKey pool) {
        known.remove(pool);
    }

    /** Reads nothing more. */
    @Override
    public void close() {
        loop.retire();
    }
}
