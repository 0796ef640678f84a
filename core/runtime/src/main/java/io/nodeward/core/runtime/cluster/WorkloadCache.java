package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.informer.Informer;
import io.nodeward.core.runtime.informer.Informers;
import io.nodeward.core.spi.ApiServer;
import java.util.function.Consumer;

/** The objects of one kind in one connected cluster, as far as they fit. */
final class WorkloadCache<T extends KubernetesObject> {
    private final ObjectKey cluster;
    private final WorkloadObjects<T> kind;
    private final ObjectCache<T> objects;
    private final Informer<T> informer;
    private final Consumer<WorkloadCache<?>> exceeded;
    /** Interruptions before it was last told to be available. */
    private int toldAfter = -1;

    /**
     * Prepares it; nothing is sent yet.
     *
     * @param largest characters kept
     * @param synced run when all have been seen
     * @param exceeded told when more would be kept; nothing more is then. Neither must block
     */
    WorkloadCache(
            ObjectKey cluster,
            WorkloadObjects<T> kind,
            ApiServer server,
            Informers informers,
            long largest,
            Runnable synced,
            Consumer<WorkloadCache<?>> exceeded) {
        this.cluster = cluster;
        this.kind = kind;
        this.exceeded = exceeded;
        this.objects = kind.cache();
        this.informer = informers.informer(kind.listWatch(cluster, server), objects, ReflectorListener.NONE);
        objects.subscribe(new KeptState<>(RecordSize::characters, largest, this::exceeded));
        objects.whenSynced(() -> {
            objects.subscribeToChanges((before, after) -> kind.changed(cluster, before, after));
            synced.run();
        });
    }

    ObjectCache<T> objects() {
        return objects;
    }

    WorkloadObjects<T> kind() {
        return kind;
    }

    void start() {
        informer.start();
    }

    /** What failed may work now. */
    void wake() {
        informer.wake();
    }

    // At once: what a server sends until the watch is closed has no limit.
    private void exceeded() {
        informer.halt();
        exceeded.accept(this);
    }

    /** In the background, as a connection that hangs takes its time. */
    void letGo() {
        Thread.ofVirtual().name("nodeward-close " + kind + " of " + cluster).start(informer::close);
    }

    /**
     * Tells those who listen, once for each interruption. To be called by one thread at a time, while the cluster answers.
     *
     * @param interruptions of the cluster so far
     */
    void tellAvailable(int interruptions) {
        if (objects.synced() && interruptions != toldAfter) {
            toldAfter = interruptions;
            kind.available(cluster);
        }
    }
}
