package io.nodeward.core.runtime.cluster;

import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.controller.WorkloadSource;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind besides Nodes in all workload clusters: in each a cache of its own, filled as long as the cluster is
 * connected and they take no more memory than they may.
 *
 * @param <T> the record of an object
 */
public final class WorkloadObjects<T extends KubernetesObject> implements WorkloadSource<T> {
    private final Resource resource;
    private final Projection<T> projection;
    private final List<Index<T>> indexes;
    private final Function<ObjectKey, Optional<WorkloadCluster>> connected;
    private final WorkloadListeners<T> listeners = new WorkloadListeners<>();

    /** @param connected the cluster, as long as it is connected */
    WorkloadObjects(
            Resource resource,
            Projection<T> projection,
            List<Index<T>> indexes,
            Function<ObjectKey, Optional<WorkloadCluster>> connected) {
        this.resource = resource;
        this.projection = projection;
        this.indexes = List.copyOf(indexes);
        this.connected = connected;
    }

    /**
     * Those of the cluster, if it is connected and all of them have been seen, whether or not its Nodes have; empty as well
     * where they are too large.
     */
    public Optional<ObjectCache<T>> find(ObjectKey cluster) {
        return connected.apply(cluster).flatMap(found -> found.others().find(this)).filter(ObjectCache::synced);
    }

    @Override
    public void subscribe(WorkloadListener<T> listener) {
        listeners.add(listener);
    }

    ListWatch<T> listWatch(ObjectKey cluster, ApiServer server) {
        return new ListWatch<>(resource.plural() + " of " + cluster, server, resource, "", false, projection);
    }

    /** An empty one, for one connection to a cluster. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of what the list holds
    ObjectCache<T> cache() {
        return new ObjectCache<>(indexes.toArray(new Index[0]));
    }

    void changed(ObjectKey cluster, @Nullable T before, @Nullable T after) {
        listeners.changed(cluster, before, after);
    }

    void available(ObjectKey cluster) {
        listeners.available(cluster);
    }

    /** The name of the kind, as in {@code kubectl get}. */
    @Override
    public String toString() {
        return resource.group().isEmpty() ? resource.plural() : resource.plural() + "." + resource.group();
    }
}
