package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.controller.WorkloadListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All who listen to one kind. Each is another controller's: one that fails keeps nothing from the others. */
final class WorkloadListeners<T extends KubernetesObject> implements WorkloadListener<T> {
    private static final Logger LOG = LoggerFactory.getLogger(WorkloadListeners.class);

    private final List<WorkloadListener<T>> listeners = new CopyOnWriteArrayList<>();

    void add(WorkloadListener<T> listener) {
        listeners.add(listener);
    }

    void forEach(Consumer<WorkloadListener<T>> action) {
        listeners.forEach(action);
    }

    boolean isEmpty() {
        return listeners.isEmpty();
    }

    @Override
    public void changed(ObjectKey cluster, @Nullable T before, @Nullable T after) {
        tell(cluster, listener -> listener.changed(cluster, before, after));
    }

    @Override
    public void available(ObjectKey cluster) {
        tell(cluster, listener -> listener.available(cluster));
    }

    private void tell(ObjectKey cluster, Consumer<WorkloadListener<T>> what) {
        for (WorkloadListener<T> listener : listeners) {
            try {
                what.accept(listener);
            } catch (RuntimeException e) {
                LOG.error(
                        "cluster {}: a map function failed, and its controller misses what has happened there; fix the"
                                + " function",
                        cluster, e);
            }
        }
    }
}
