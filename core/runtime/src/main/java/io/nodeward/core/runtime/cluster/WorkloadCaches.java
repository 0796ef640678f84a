package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.spi.ApiServer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * What is watched in one workload cluster besides its Nodes. Each kind has limits of its own: what it reads, how much of it
 * is kept, and how it fails, holds up neither Nodes nor another kind.
 */
final class WorkloadCaches {
    private final ObjectKey cluster;
    private final Informers informers;
    private final long largest;
    private final Runnable changed;
    private final Supplier<ApiServer> limited;
    private final Map<WorkloadObjects<?>, ApiServer> servers = new LinkedHashMap<>();
    private final Map<WorkloadObjects<?>, WorkloadCache<?>> caches = new ConcurrentHashMap<>();
    private final Set<WorkloadObjects<?>> tooLarge = ConcurrentHashMap.newKeySet();

    /**
     * Prepares them; nothing is sent yet.
     *
     * @param limited the cluster's API server, each time with limits of its own
     * @param largest characters kept of each kind
     * @param changed told when {@link #tellAvailable} or {@link #blocked} may have something new; it must not block
     */
    WorkloadCaches(
            ObjectKey cluster,
            List<WorkloadObjects<?>> kinds,
            Informers informers,
            Supplier<ApiServer> limited,
            long largest,
            Runnable changed) {
        this.cluster = cluster;
        this.informers = informers;
        this.largest = largest;
        this.changed = changed;
        this.limited = limited;
        kinds.forEach(this::add);
    }

    private <T extends KubernetesObject> WorkloadCache<T> add(WorkloadObjects<T> kind) {
        ApiServer server = servers.computeIfAbsent(kind, first -> limited.get());
        WorkloadCache<T> cache =
                new WorkloadCache<>(cluster, kind, server, informers, largest, changed, this::exceeded);
        caches.put(kind, cache);
        return cache;
    }

    private void exceeded(WorkloadCache<?> cache) {
        tooLarge.add(cache.kind());
        caches.remove(cache.kind(), cache);
        cache.letGo();
        changed.run();
    }

    /** Watches kinds again that were too large: they may be smaller by now. */
    void retry() {
        for (WorkloadObjects<?> kind : List.copyOf(tooLarge)) {
            tooLarge.remove(kind);
            add(kind).start();
        }
    }

    /** Empty for a kind that is too large. */
    @SuppressWarnings("unchecked") // put by add with the same type
    <T extends KubernetesObject> Optional<ObjectCache<T>> find(WorkloadObjects<T> kind) {
        return Optional.ofNullable((WorkloadCache<T>) caches.get(kind)).map(WorkloadCache::objects);
    }

    void start() {
        caches.values().forEach(WorkloadCache::start);
    }

    /** What failed may work now. */
    void wake() {
        caches.values().forEach(WorkloadCache::wake);
    }

    /** As {@link WorkloadCache#tellAvailable}, of each kind. */
    void tellAvailable(int interruptions) {
        caches.values().forEach(cache -> cache.tellAvailable(interruptions));
    }

    /** That kinds are too large, if any is. */
    Optional<Blocked> blocked() {
        String kinds = servers.keySet().stream().filter(tooLarge::contains).map(WorkloadObjects::toString)
                .collect(Collectors.joining(", "));
        return kinds.isEmpty() ? Optional.empty()
                : Optional
                        .of(new Blocked("ObjectsTooLarge", "of these kinds each takes more memory than one may, and is"
                                + " not watched until the kubeconfig Secret changes: " + kinds));
    }
}
