package io.nodeward.core.runtime.informer;

import io.nodeward.api.json.Projected;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Source;
import io.nodeward.core.runtime.cache.Store;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One user of a watch: his cache holds his own record of each object, and hears only of changes of that record.
 *
 * @param <T> the record
 */
public final class Informer<T extends KubernetesObject> implements AutoCloseable {
    private final Informers informers;
    private final Source<T> source;
    private final ObjectCache<T> cache;
    private final ReflectorListener listener;
    /** Held while the cache changes: a closed informer changes nothing more. */
    private final ReentrantLock changing = new ReentrantLock();
    private volatile boolean ended;

    Informer(Informers informers, Source<T> source, ObjectCache<T> cache, ReflectorListener listener) {
        this.informers = informers;
        this.source = source;
        this.cache = cache;
        this.listener = listener;
    }

    /** Does nothing once it is halted or closed. */
    public void start() {
        informers.start(List.of(this));
    }

    /** What failed may work now: it is tried at once, should it be waited out. */
    public void wake() {
        informers.wake(this);
    }

    /** Takes nothing more, and does not wait for that. */
    public void halt() {
        ended = true;
        informers.leave(this).ifPresent(informers::halt);
    }

    /** Takes nothing more; the last user of a watch ends it, and waits for that. */
    @Override
    public void close() {
        ended = true;
        informers.leave(this).ifPresent(Reflector::close);
        changing.lock(); // what is being put is the last
        changing.unlock();
    }

    boolean open() {
        return !ended;
    }

    Source<T> source() {
        return source;
    }

    /** For a watch that nobody else uses. */
    Reflector<T> reflector(Timers timers) {
        return new Reflector<>(source, cache, ReflectorSettings.DEFAULT, timers, listener);
    }

    /** Where what he reads of a shared watch goes. */
    Store<Projected> store() {
        return new Store<>() {
            @Override
            public void put(Projected object) {
                change(() -> cache.put(object.as(source.projection()).orElseThrow()));
            }

            @Override
            public void remove(Projected last) {
                change(() -> cache.remove(last.as(source.projection()).orElseThrow()));
            }

            @Override
            public void retain(Set<ObjectKey> listed) {
                change(() -> cache.retain(listed));
            }
        };
    }

    private void change(Runnable change) {
        changing.lock();
        try {
            if (!ended) {
                change.run();
            }
        } finally {
            changing.unlock();
        }
    }

    void failed(ApiFailure failure) {
        if (!ended) {
            listener.failed(failure);
        }
    }

    void following() {
        if (!ended) {
            listener.following();
        }
    }
}
