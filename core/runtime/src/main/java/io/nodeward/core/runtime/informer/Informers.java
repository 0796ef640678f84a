package io.nodeward.core.runtime.informer;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
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
    /** Guarded by this, as is the rest; who holds it waits for no reflector, which may wait for it. */
    private final Map<Key, SharedWatch> watches = new HashMap<>();
    private final List<Ending> ending = new ArrayList<>();
    private boolean closed;
    private final List<Runnable> whenRestored = new CopyOnWriteArrayList<>();

    public Informers(Timers timers) {
        this.timers = timers;
    }

    /** For a user who keeps these objects in a cache of his own; nothing is sent before it is started. */
    public <T extends KubernetesObject> Informer<T> informer(
            ListWatch<T> listWatch, ObjectCache<T> cache, ReflectorListener listener) {
        return new Informer<>(this, listWatch, cache, listener);
    }

    /**
     * As above, for users who each keep a part of one cache: nothing of the other namespaces is read.
     *
     * @param namespaces one empty name for all
     * @param listener for one of them
     */
    public <T extends KubernetesObject> List<Informer<T>> informers(
            List<String> namespaces, ListWatch<T> listWatch, ObjectCache<T> cache,
            Function<String, ReflectorListener> listener) {
        return namespaces.stream()
                .map(namespace -> informer(listWatch.in(namespace), cache, listener.apply(namespace))).toList();
    }

    /**
     * Starts these together, so that those of one key begin with one list. A watch that stands already begins anew for
     * a user who comes later, as he has seen nothing yet; the caller waits until the one before has ended.
     */
    public void start(List<? extends Informer<?>> informers) {
        informers.stream().filter(Informer::open).forEach(Informer::expect); // all, before the first is listed
        begin(informers).forEach(Reflector::close);
    }

    private synchronized List<Reflector<?>> begin(List<? extends Informer<?>> informers) {
        List<Reflector<?>> before = new ArrayList<>();
        if (!closed) {
            Map<Key, List<Informer<?>>> users = informers.stream().filter(Informer::open).collect(
                    Collectors.groupingBy(Key::of, LinkedHashMap::new, Collectors.toList()));
            users.forEach((key, some) -> watches.computeIfAbsent(key, k -> new SharedWatch(timers)).add(some)
                    .ifPresent(replaced -> before.add(end(key, replaced))));
        }
        return before;
    }

    /**
     * Begins each watch anew of which a cache keeps less than there is, as memory was short. The caller waits until the watches
     * before have ended.
     */
    public void readReducedAgain() {
        List<Reflector<?>> before = new ArrayList<>();
        synchronized (this) {
            watches.forEach((key, watch) -> {
                if (!closed && watch.takeReduced()) {
                    watch.add(List.of()).ifPresent(replaced -> before.add(end(key, replaced)));
                }
            });
        }
        before.forEach(Reflector::close);
    }

    private Reflector<?> end(Key key, Reflector<?> reflector) {
        reflector.halt();
        forgetEnded();
        ending.add(new Ending(key, reflector));
        return reflector;
    }

    synchronized void wake(Informer<?> user) {
        Optional.ofNullable(watches.get(Key.of(user))).ifPresent(watch -> watch.reflector().wake());
    }

    /** The last user of a watch ends it; {@link #awaitEnd} waits for that. */
    synchronized void leave(Informer<?> user) {
        Key key = Key.of(user);
        SharedWatch watch = watches.get(key);
        if (watch != null && watch.remove(user)) {
            watches.remove(key);
            end(key, watch.reflector());
        }
    }

    /** Ends the connections of all that the users of these objects have left, and waits for their threads. */
    void awaitEnd(Informer<?> user) {
        left(Key.of(user)).forEach(one -> one.reflector.close());
        forgetEnded();
    }

    private synchronized List<Ending> left(Key key) {
        return ending.stream().filter(one -> one.key.equals(key)).toList();
    }

    /** What they held may be large. */
    private synchronized void forgetEnded() {
        ending.removeIf(one -> !one.reflector.isAlive());
    }

    /** Gives the user a watch of its own: it cannot take an object, and the others must not fail for that. */
    synchronized void separate(Informer<?> user) {
        leave(user);
        user.separate();
        begin(List.of(user)).forEach(Reflector::close);
    }

    /** Tells {@code listener} each time when a watch finds the server restored from a backup; it must not block. */
    public void whenRestored(Runnable listener) {
        whenRestored.add(listener);
    }

    void restored() {
        whenRestored.forEach(Runnable::run);
    }

    /** Ends all watches; no informer can be started any more. */
    @Override
    public void close() {
        List<Ending> all;
        synchronized (this) {
            closed = true;
            watches.forEach((key, watch) -> {
                watch.end();
                end(key, watch.reflector());
            });
            watches.clear();
            all = List.copyOf(ending);
        }
        all.forEach(one -> one.reflector.close());
    }
}
