package io.nodeward.core.runtime.simulation;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Consumer;

/**
 * The objects of one kind as a server has them. A cache learns of a change when its event is delivered, in order.
 *
 * @param <T> the projected object
 */
public final class FakeStore<T extends KubernetesObject> {
    private final AtomicLong versions;
    private final BiFunction<T, String, T> withVersion;
    private final Map<ObjectKey, T> objects = new TreeMap<>();
    private final Queue<Consumer<ObjectCache<T>>> events = new ArrayDeque<>();
    private ObjectCache<T> cache = new ObjectCache<>();

    /** @param versions resourceVersions, which all kinds of a server share */
    public FakeStore(AtomicLong versions, BiFunction<T, String, T> withVersion) {
        this.versions = versions;
        this.withVersion = withVersion;
    }

    /** Returns it at its new resourceVersion. */
    public T put(T object) {
        T stored = withVersion.apply(object, Long.toString(versions.incrementAndGet()));
        objects.put(stored.key(), stored);
        events.add(watching -> watching.put(stored));
        return stored;
    }

    public void delete(ObjectKey key) {
        T gone = objects.remove(key);
        if (gone != null) {
            T last = withVersion.apply(gone, Long.toString(versions.incrementAndGet()));
            events.add(watching -> watching.remove(last));
        }
    }

    public Optional<T> get(ObjectKey key) {
        return Optional.ofNullable(objects.get(key));
    }

    public List<T> all() {
        return List.copyOf(objects.values());
    }

    /** Brings the next event to the cache. Returns whether there was one. */
    public boolean deliver() {
        Consumer<ObjectCache<T>> event = events.poll();
        if (event != null) {
            event.accept(cache);
        }
        return event != null;
    }

    /** A new cache lists what is there and watches from then on. */
    public void watch(ObjectCache<T> other) {
        events.clear();
        cache = other;
        objects.values().forEach(cache::put);
    }
}
