package io.nodeward.core.runtime.controller;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.queue.WorkQueue;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.status.StatusReporter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Makes a controller: what it watches, which keys a change concerns, how many of them are worked on at a time, and what
 * is done for each.
 *
 * @param <K> what work is queued by
 */
public final class ControllerBuilder<K> {
    /** An owner is reported on once for all its members that change meanwhile. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final String name;
    private final ControllerContext context;
    private final Function<K, Result> work;
    private final List<Consumer<ReconcileLoop<K>>> watches = new ArrayList<>();
    private Function<K, String> lanes = key -> "";
    private int perLane = 1;
    private Function<K, ObjectKey> object = key -> ObjectKey.clusterScoped(key.toString());

    private ControllerBuilder(String name, ControllerContext context, Function<K, Result> work) {
        this.name = name;
        this.context = context;
        this.work = work;
    }

    /**
     * For a reconciler that decides and leaves the rest to the kit.
     *
     * @param name of metrics, logs, threads and of {@code --controllers}
     */
    public static <K> ControllerBuilder<K> of(
            String name, Reconciler<K> reconciler, StatusReporter<K> status, ControllerContext context) {
        return of(name, reconciler, status, context, WriteLimits.DEFAULT);
    }

    /**
     * As {@link #of}, with other limits than the usual.
     *
     * @param limits more writes are made only if somebody else keeps undoing them
     */
    public static <K> ControllerBuilder<K> of(
            String name,
            Reconciler<K> reconciler,
            StatusReporter<K> status,
            ControllerContext context,
            WriteLimits limits) {
        return ofFunction(name, new DecisionExecutor<>(reconciler, context.writer(), status,
                ControllerContext.fieldManager(name), limits, context.timers()::nanoTime), context)
                .watches(queue -> status.whenChanged(owner -> queue.addAfter(owner, PAUSE)));
    }

    /**
     * For a reconciler whose keys are Nodes: how long they take to be as declared, and how many are not, is measured.
     *
     * @param isNode false for keys that are something else, such as the owner of Nodes
     */
    public static <K> ControllerBuilder<K> ofNodes(
            String name,
            Reconciler<K> reconciler,
            Predicate<K> isNode,
            StatusReporter<K> status,
            ControllerContext context,
            WriteLimits limits) {
        MeteredNodes<K> metered = new MeteredNodes<>(
                reconciler, name, isNode, context.registry(), context.timers()::nanoTime, context.dryRun());
        return of(name, metered, status, context, limits).watches(queue -> queue.whenAdded(metered::added));
    }

    /** For work that no {@link Decision} expresses, such as the removal of conditions that nobody keeps any more. */
    public static <K> ControllerBuilder<K> ofFunction(
            String name, Function<K, Result> work, ControllerContext context) {
        return new ControllerBuilder<>(name, context, work);
    }

    /**
     * What must not hold up other keys gets a lane of its own, for example a workload cluster. Without this all keys are in
     * one lane, and worked on one by one.
     *
     * @param lanes the lane of a key
     * @param concurrency keys of one lane that are worked on at the same time
     */
    public ControllerBuilder<K> lanes(Function<K, String> lanes, int concurrency) {
        this.lanes = lanes;
        this.perLane = concurrency;
        return this;
    }

    /** @param about the object that a key is about, for logs; without this it is the key's text */
    public ControllerBuilder<K> logs(Function<K, ObjectKey> about) {
        this.object = about;
        return this;
    }

    /**
     * For a function: a key whose request the server refuses, for want of a right or for good, is tried again as {@link
     * io.nodeward.core.runtime.time.Backoff#AFTER_REFUSAL} says. Without this no right is waited for shortly, and for the rest
     * for the next change.
     */
    public ControllerBuilder<K> retriesRefused() {
        watches.add(loop -> loop.requeues().retryRefused());
        return this;
    }

    /**
     * As {@link #retriesRefused()}, after pauses of the controller's own.
     *
     * @param pauses called for each refusal: how long the key waits then
     */
    public ControllerBuilder<K> retriesRefused(BiFunction<K, Blocked, Duration> pauses) {
        watches.add(loop -> loop.requeues().retryRefused(pauses));
        return this;
    }

    /** The objects of a cache: those that are there at the start, which waits for them, and each change from then on. */
    public <T extends KubernetesObject> ControllerBuilder<K> watches(ObjectCache<T> cache, MapFunction<T, K> map) {
        watches.add(loop -> loop.watch(cache, map));
        return this;
    }

    /**
     * As {@link #watches}, for a key that counts objects: the queue gets it a second later, once for all of them that change
     * meanwhile. None is added for those that are there at the start.
     */
    public <T extends KubernetesObject> ControllerBuilder<K> watchesAfterASecond(
            ObjectCache<T> cache, MapFunction<T, K> map) {
        watches.add(loop -> loop.watch(cache, map, PAUSE));
        return this;
    }

    /** The start waits for these objects as well; a change of them concerns no key. */
    public ControllerBuilder<K> reads(ObjectCache<?> cache) {
        watches.add(loop -> loop.read(cache));
        return this;
    }

    /**
     * The objects of one kind in workload clusters, such as Nodes; clusters are connected only if somebody watches them.
     *
     * @param clusters registers the listener that hears of each change
     * @param map for each change of an object
     * @param available for a cluster that answers and did not before: all that is in it
     */
    public <T> ControllerBuilder<K> watches(
            Consumer<WorkloadListener<T>> clusters, WorkloadMapFunction<T, K> map,
            Function<ObjectKey, Set<K>> available) {
        watches.add(loop -> loop.watch(clusters, map, available));
        return this;
    }

    /**
     * Something that is no object, for example what is known of an infrastructure.
     *
     * @param source registers the listener that hears of each change
     * @param map which keys a change concerns; it must not block
     */
    public <T> ControllerBuilder<K> watches(Consumer<Consumer<T>> source, Function<T, Set<K>> map) {
        return watches(source, map, WorkQueue::add);
    }

    /** The queue gets a key a second later, once for all that changes meanwhile. */
    public <T> ControllerBuilder<K> watchesAfterASecond(Consumer<Consumer<T>> source, Function<T, Set<K>> map) {
        return watches(source, map, (queue, key) -> queue.addAfter(key, PAUSE));
    }

    private <T> ControllerBuilder<K> watches(
            Consumer<Consumer<T>> source, Function<T, Set<K>> map, BiConsumer<WorkQueue<K>, K> add) {
        watches.add(loop -> loop.watch(queue -> source.accept(
                changed -> loop.map(() -> "a change", () -> map.apply(changed), key -> add.accept(queue, key)))));
        return this;
    }

    /**
     * Owners on which a former run may have reported. What it reported stands until this run would have reported it too; then
     * they are looked at.
     *
     * @param reported the keys of an object that the cache did not have before; none if no former run has reported on it
     */
    public <T extends KubernetesObject> ControllerBuilder<K> recalls(
            ObjectCache<T> cache, Function<T, Set<K>> reported) {
        Duration patience = context.conditions().after();
        watches.add(loop -> loop.watch(queue -> cache.subscribe((before, after) -> {
            if (before == null && after != null) {
                loop.map(after.key()::toString, () -> reported.apply(after), owner -> queue.addAfter(owner, patience));
            }
        })));
        return this;
    }

    /** Anything else. */
    public ControllerBuilder<K> watches(Watch<K> watch) {
        watches.add(loop -> loop.watch(watch));
        return this;
    }

    /** It watches no cache before it is started. */
    public ReconcileLoop<K> build() {
        ReconcileLoop<K> loop = new ReconcileLoop<>(
                name, lanes, perLane, object, work, context.timers(), context.registry());
        watches.forEach(watch -> watch.accept(loop));
        return loop;
    }
}
