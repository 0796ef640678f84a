package io.nodeward.core.runtime.controller;

import io.micrometer.core.instrument.MeterRegistry;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.metrics.ControllerMeters;
import io.nodeward.core.runtime.metrics.QueueMeters;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.MDC;

/**
 * A controller: its watches add keys to a queue, and it gives them to a reconciler, each on a thread of its own. A failure
 * of one key is logged, counted and retried as its kind asks for, and no other key notices.
 *
 * @param <K> what work is queued by, with a text for logs
 */
public final class ReconcileLoop<K> implements Controller {
    private final String name;
    private final Function<K, Result> reconciler;
    private final Function<K, ObjectKey> object;
    private final WorkQueue<K> queue;
    private final ControllerMeters meters;
    private final Timers timers;
    private final FailedMappings failed;
    private final Requeues<K> requeues;
    private final List<Watch<K>> watches = new ArrayList<>();
    private final AtomicBoolean started = new AtomicBoolean();
    private final List<ObjectCache<?>> reads = new ArrayList<>();

    /**
     * @param name of metrics, logs and threads
     * @param lanes what must not hold up other keys gets a lane of its own, for example a workload cluster
     * @param perLane keys of one lane that are reconciled at the same time
     * @param object what a key is about, for logs
     * @param reconciler called for one key at a time, for many keys at once; the kind of an ApiFailure that it throws
     *     decides when the key is tried again
     */
    public ReconcileLoop(
            String name,
            Function<K, String> lanes,
            int perLane,
            Function<K, ObjectKey> object,
            Function<K, Result> reconciler,
            Timers timers,
            MeterRegistry registry) {
        this.name = name;
        this.object = object;
        this.timers = timers;
        this.reconciler = reconciler;
        this.queue = new WorkQueue<>(timers, new QueueMeters(registry, name), lanes, perLane);
        this.meters = new ControllerMeters(registry, name, perLane);
        this.failed = new FailedMappings(meters, timers);
        this.requeues = new Requeues<>(queue, meters);
    }

    @Override
    public String name() {
        return name;
    }

    public WorkQueue<K> queue() {
        return queue;
    }

    /** Whether it is through with all that it has been given; what it tries again later does not count. */
    public boolean isIdle() {
        return queue.isIdle();
    }

    void watch(Watch<K> watch) {
        watches.add(watch);
    }

    Requeues<K> requeues() {
        return requeues;
    }

    void read(ObjectCache<?> cache) {
        reads.add(cache);
    }

    @Override
    public List<ObjectCache<?>> reads() {
        return List.copyOf(reads);
    }

    <T extends KubernetesObject> void watch(ObjectCache<T> cache, MapFunction<T, K> map) {
        read(cache);
        watch(into -> cache.subscribe(listener(map, into::add)));
    }

    /** Changes from now on; their keys are added after the pause. */
    <T extends KubernetesObject> void watch(ObjectCache<T> cache, MapFunction<T, K> map, Duration pause) {
        read(cache);
        watch(into -> cache.subscribeToChanges(listener(map, key -> into.addAfter(key, pause))));
    }

    private <T extends KubernetesObject> ChangeListener<T> listener(MapFunction<T, K> map, Consumer<K> add) {
        return (before, after) -> map(() -> text(before, after), () -> map.map(before, after), add);
    }

    <T> void watch(Consumer<WorkloadListener<T>> clusters, WorkloadMapFunction<T, K> map,
            Function<ObjectKey, Set<K>> available) {
        // At once: what clusters are connected by is watched only if somebody listens.
        clusters.accept(new WorkloadListener<>() {
            @Override
            public void changed(ObjectKey cluster, @Nullable T before, @Nullable T after) {
                map(() -> "Cluster " + cluster, () -> map.map(cluster, before, after), queue::add);
            }

            @Override
            public void available(ObjectKey cluster) {
                map(() -> "Cluster " + cluster, () -> available.apply(cluster), queue::add);
            }
        });
    }

    /**
     * Adds the keys that a change concerns; later, if that fails.
     *
     * @param change for logs
     */
    void map(Supplier<String> change, Supplier<Set<K>> keys, Consumer<K> add) {
        Runnable mapping = () -> keys.get().forEach(add);
        try {
            mapping.run();
        } catch (RuntimeException e) {
            failed.retry(name + ": " + change.get(), mapping, e);
        }
    }

    private static String text(@Nullable KubernetesObject before, @Nullable KubernetesObject after) {
        KubernetesObject object = MapFunction.latest(before, after);
        return object.getClass().getSimpleName() + " " + object.key();
    }

    /** Keys are added from now on, and nothing works on them; {@link #start} calls this itself. */
    void subscribe() {
        watches.forEach(watch -> watch.start(queue));
    }

    /** Does nothing the second time: a second thread would take keys past the first, and each watch add them twice. */
    @Override
    public void start() {
        if (started.getAndSet(true)) {
            return;
        }
        subscribe();
        Thread.ofVirtual().name("nodeward-" + name).start(this::dispatch);
    }

    /** Takes no more keys. */
    @Override
    public void retire() {
        queue.stop();
    }

    /** Takes no more keys and waits for those in hand. Returns whether they were finished in time. */
    @Override
    public boolean stop(Duration patience) throws InterruptedException {
        queue.stop();
        try {
            return queue.awaitIdle(patience);
        } finally {
            watches.forEach(Watch::stop);
        }
    }

    private void dispatch() {
        try {
            for (Optional<K> key = queue.take(); key.isPresent(); key = queue.take()) {
                K taken = key.get();
                Thread.ofVirtual().name("nodeward-" + name + " " + taken).start(() -> work(taken));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Works on one key on the caller's thread. Returns whether there was one. For a loop that is not started. */
    boolean runOnce() {
        Optional<K> key = queue.poll();
        key.ifPresent(this::work);
        return key.isPresent();
    }

    private void work(K key) {
        try {
            reconcile(key);
        } finally {
            queue.done(key);
        }
    }

    /** Whatever is logged on this thread from here on belongs to this key, under controller-runtime's names. */
    private void logAs(K key) {
        MDC.put("controller", name);
        ObjectKey about = object.apply(key);
        MDC.put("namespace", about.namespace());
        MDC.put("name", about.name());
        MDC.put("reconcileID", Long.toHexString(ThreadLocalRandom.current().nextLong()));
    }

    private void reconcile(K key) {
        long start = timers.nanoTime();
        meters.started();
        String result = "error";
        try {
            logAs(key);
            result = requeues.finished(key, reconciler.apply(key));
        } catch (ApiFailure failure) {
            result = requeues.failed(key, failure);
        } catch (RuntimeException | Error bug) { // uncaught, nobody would come back to the key
            requeues.panicked(key, bug);
        }
        meters.finished(result, timers.nanoTime() - start);
    }
}
