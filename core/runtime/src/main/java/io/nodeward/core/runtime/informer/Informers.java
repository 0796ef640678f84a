package io.nodeward.core.runtime.informer;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.Store;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/**
 * Watches each kind, scope and selector of a server once, however many read it. A watch starts with its first user and
 * ends with its last.
 */
public final class Informers implements AutoCloseable {
    /**
     * Which objects are watched. Users of one key may read them in their own ways.
     *
     * @param alone a user who could not take an object, and who therefore shares no watch
     */
    private record Key(
            ApiServer server,
            Resource resource,
            String namespace,
            String only,
            String labelSelector,
            boolean metadataOnly,
            Optional<Informer<?>> alone) {
        static Key of(Informer<?> user) {
            ListWatch<?> listWatch = user.listWatch();
            return new Key(listWatch.server(), listWatch.resource(), listWatch.namespace(), listWatch.only(),
                    listWatch.labelSelector(), listWatch.metadataOnly(),
                    user.separated() ? Optional.of(user) : Optional.empty());
        }
    }

    /** A reflector that feeds nobody any more, and may still run. */
    private record Ending(Key key, Reflector<?> reflector) {}

    private final Timers timers;
    /** Its holder waits for no reflector: that may wait for the lock. */
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as is the rest. */
    private final Map<Key, SharedWatch> watches = new HashMap<>();
    private final List<Ending> ending = new ArrayList<>();
    private boolean closed;

    public Informers(Timers timers) {
        this.timers = timers;
    }

    /** For a user who keeps these objects in a cache of his own; nothing is sent before it is started. */
    public <T extends KubernetesObject> Informer<T> informer(
            ListWatch<T> listWatch, Store<T> cache, ReflectorListener listener) {
        return new Informer<>(this, listWatch, cache, listener);
    }

    /**
     * As above, for users who each keep a part of one cache: nothing of the other namespaces is read.
     *
     * @param namespaces one empty name for all
     */
    public <T extends KubernetesObject> List<Informer<T>> informers(
            List<String> namespaces, ListWatch<T> listWatch, ObjectCache<T> cache, ReflectorListener listener) {
        return namespaces.stream()
                .map(namespace -> informer(listWatch.in(namespace), cache.part(namespace), listener)).toList();
    }

    /**
     * Starts these together, so that those of one key begin with one list. A watch that stands already begins anew for
     * a user who comes later, as he has seen nothing yet; the caller waits until the one before has ended.
     */
    public void start(List<? extends Informer<?>> informers) {
        List<Reflector<?>> before = new ArrayList<>();
        lock.lock();
        try {
            if (!closed) {
                Map<Key, List<Informer<?>>> users = informers.stream().filter(Informer::open).collect(
                        Collectors.groupingBy(Key::of, LinkedHashMap::new, Collectors.toList()));
                users.forEach((key, some) -> watches.computeIfAbsent(key, k -> new SharedWatch(timers)).add(some)
                        .ifPresent(replaced -> {
                            end(key, replaced);
                            before.add(replaced);
                        }));
            }
        } finally {
            lock.unlock();
        }
        before.forEach(Reflector::close);
    }

    private void end(Key key, Reflector<?> reflector) {
        reflector.halt();
        forgetEnded();
        ending.add(new Ending(key, reflector));
    }

    void wake(Informer<?> user) {
        lock.lock();
        try {
            Optional.ofNullable(watches.get(Key.of(user))).ifPresent(SharedWatch::wake);
        } finally {
            lock.unlock();
        }
    }

    /** The last user of a watch ends it; {@link #awaitEnd} waits for that. */
    void leave(Informer<?> user) {
        lock.lock();
        try {
            Key key = Key.of(user);
            SharedWatch watch = watches.get(key);
            if (watch != null && watch.remove(user)) {
                watches.remove(key);
                end(key, watch.reflector());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the connections of all that the users of these objects have left, and waits for their threads. */
    void awaitEnd(Informer<?> user) {
        List<Reflector<?>> left = new ArrayList<>();
        lock.lock();
        try {
            Key key = Key.of(user);
            ending.stream().filter(one -> one.key.equals(key)).forEach(one -> left.add(one.reflector));
        } finally {
            lock.unlock();
        }
        left.forEach(Reflector::close);
        forgetEnded();
    }

    /** What they held may be large. */
    private void forgetEnded() {
        lock.lock();
        try {
            ending.removeIf(one -> !one.reflector.isAlive());
        } finally {
            lock.unlock();
        }
    }

    /** Gives the user a watch of its own: it cannot take an object, and the others must not fail for that. */
    void separate(Informer<?> user) {
        lock.lock();
        try {
            leave(user);
            user.separate();
            start(List.of(user));
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches; no informer can be started any more. */
    @Override
    public void close() {
        List<Ending> all = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            watches.forEach((key, watch) -> {
                watch.end();
                end(key, watch.reflector());
            });
            watches.clear();
            all.addAll(ending);
        } finally {
            lock.unlock();
        }
        all.forEach(one -> one.reflector.close());
    }
}
