package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Replies;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether the infrastructure of a MachinePool makes Machines for its Nodes: its {@code status.infrastructureMachineKind}
 * says so before the first Machine is there. Asked for once for each pool; where it cannot be read the pool's Machines
 * are all that tells.
 */
public final class PoolInfrastructure {
    private static final Logger LOG = LoggerFactory.getLogger(PoolInfrastructure.class);
    /** What could not be read is asked for again after this. */
    private static final Duration AGAIN = Duration.ofMinutes(1);

    private final ApiServer server;
    private final Map<ObjectKey, Known> known = new ConcurrentHashMap<>();
    private final Map<String, Resource> resources = new ConcurrentHashMap<>();
    /** One question at a time: all Nodes of a pool ask the same. */
    private final ReentrantLock asking = new ReentrantLock();

    /** @param since when it was asked for and not answered; nanoseconds */
    private record Known(InfrastructureRef ref, boolean makesMachines, Optional<Long> since) {
        boolean holdsFor(InfrastructureRef other) {
            return ref.equals(other) && since.filter(at -> System.nanoTime() - at > AGAIN.toNanos()).isEmpty();
        }
    }

    /** @param server of the management cluster */
    public PoolInfrastructure(ApiServer server) {
        this.server = server;
    }

    /** @throws ApiFailure if the server does not answer */
    public boolean makesMachines(MachinePool pool) {
        InfrastructureRef ref = pool.infrastructure();
        if (ref.name().isEmpty()) {
            return false;
        }
        Known before = known.get(pool.key());
        if (before != null && before.holdsFor(ref)) {
            return before.makesMachines;
        }
        asking.lock();
        try {
            before = known.get(pool.key());
            if (before == null || !before.holdsFor(ref)) {
                before = ask(pool.key(), ref);
                known.put(pool.key(), before);
            }
            return before.makesMachines;
        } finally {
            asking.unlock();
        }
    }

    private Known ask(ObjectKey pool, InfrastructureRef ref) {
        try {
            Optional<Resource> resource = resource(ref);
            if (resource.isPresent()) {
                byte[] object = server.get(resource.get(), new ObjectKey(pool.namespace(), ref.name()));
                return new Known(ref, !Replies.status(object, "infrastructureMachineKind").isEmpty(), Optional.empty());
            }
            LOG.warn("MachinePool {}: {} of {} is not served", pool, ref.kind(), ref.group());
        } catch (ApiFailure.Forbidden | ApiFailure.NotFound | ApiFailure.NotServed | IOException e) {
            LOG.warn("MachinePool {}: whether its {} makes Machines cannot be read: {}", pool, ref.kind(),
                    e.getMessage());
        }
        return new Known(ref, false, Optional.of(System.nanoTime()));
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
        known.remove(pool);
    }
}
