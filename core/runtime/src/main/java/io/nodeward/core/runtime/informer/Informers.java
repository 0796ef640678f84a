package io.nodeward.core.runtime.informer;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.Source;
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
    /** Which objects are watched. Users of one key may read them in their own ways. */
    private record Key(
            ApiServer server,
            Resource resource,
            String namespace,
            String only,
            String labelSelector,
            boolean metadataOnly) {
        static Key of(Source<?> source) {
            return new Key(source.server(), source.resource(), source.namespace(), source.only(),
                    source.labelSelector(), source.metadataOnly());
        }
    }

    private final Timers timers;
    private final ReentrantLock lock = new ReentrantLock();
    /** Guarded by the lock, as is the rest. */
    private final Map<Key, SharedWatch> watches = new HashMap<>();
    private final List<Reflector<?>> halted = new ArrayList<>();
    private boolean closed;

    public Informers(Timers timers) {
        this.timers = timers;
    }

    /** For a user who keeps these objects in a cache of his own; nothing is sent before it is started. */
    public <T extends KubernetesObject> Informer<T> informer(
            Source<T> source, ObjectCache<T> cache, ReflectorListener listener) {
        return new Informer<>(this, source, cache, listener);
    }

    /**
     * Starts these together, so that those of one key begin with one list. A watch that stands already begins anew for
     * a user who comes later, as he has seen nothing yet; the caller waits until the one before has ended.
     */
    public void start(List<? extends Informer<?>> informers) {
        lock.lock();
        try {
            if (!closed) {
                Map<Key, List<Informer<?>>> users = informers.stream().filter(Informer::open).collect(
                        Collectors.groupingBy(user -> Key.of(user.source()), LinkedHashMap::new, Collectors.toList()));
                users.forEach((key, some) -> watches.computeIfAbsent(key, k -> new SharedWatch(timers)).add(some));
            }
        } finally {
            lock.unlock();
        }
    }

    void wake(Informer<?> user) {
        lock.lock();
        try {
            Optional.ofNullable(watches.get(Key.of(user.source()))).ifPresent(SharedWatch::wake);
        } finally {
            lock.unlock();
        }
    }

    /** The user needs nothing more. Returns the watch, which the caller ends, if he was its last. */
    Optional<Reflector<?>> leave(Informer<?> user) {
        lock.lock();
        try {
            Key key = Key.of(user.source());
            SharedWatch watch = watches.get(key);
            Optional<Reflector<?>> last = watch == null ? Optional.empty() : watch.remove(user);
            last.ifPresent(reflector -> watches.remove(key));
            return last;
        } finally {
            lock.unlock();
        }
    }

    /** It is ended with the others, should it not have ended by itself. */
    void halt(Reflector<?> reflector) {
        reflector.halt();
        lock.lock();
        try {
            halted.removeIf(before -> !before.isAlive());
            halted.add(reflector);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all watches; no informer can be started any more. */
    @Override
    public void close() {
        List<Reflector<?>> open = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            watches.values().forEach(watch -> open.add(watch.reflector()));
            open.addAll(halted);
        } finally {
            lock.unlock();
        }
        open.forEach(Reflector::close);
    }
}
