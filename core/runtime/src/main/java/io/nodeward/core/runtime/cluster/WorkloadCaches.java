package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.spi.ApiServer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is watched in one workload cluster besides its Nodes. Each kind has limits of its own: what it reads, and how it fails,
 * holds up neither Nodes nor another kind.
 */
final class WorkloadCaches {
    private final Map<WorkloadObjects<?>, ObjectCache<?>> caches = new HashMap<>();
    private final List<Informer<?>> watches = new ArrayList<>();

    /** @param servers the cluster's API server, each time with limits of its own */
    WorkloadCaches(
            ObjectKey cluster, List<WorkloadObjects<?>> kinds, Informers informers, Supplier<ApiServer> servers) {
        kinds.forEach(kind -> add(cluster, kind, informers, servers.get()));
    }

    private <T extends KubernetesObject> void add(
            ObjectKey cluster, WorkloadObjects<T> kind, Informers informers, ApiServer server) {
        ObjectCache<T> cache = kind.cache(cluster);
        caches.put(kind, cache);
        watches.add(informers.informer(kind.listWatch(cluster, server), cache, ReflectorListener.NONE));
    }

    @SuppressWarnings("unchecked") // put by add with the same type
    <T extends KubernetesObject> Optional<ObjectCache<T>> find(WorkloadObjects<T> kind) {
        return Optional.ofNullable((ObjectCache<T>) caches.get(kind));
    }

    void start() {
        watches.forEach(Informer::start);
    }

    /** What failed may work now. */
    void wake() {
        watches.forEach(Informer::wake);
    }
}
