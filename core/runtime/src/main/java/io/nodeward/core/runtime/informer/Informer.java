package io.nodeward.core.runtime.informer;

import io.nodeward.api.json.Projected;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.ListWatch;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.Reflector;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.runtime.cache.ReflectorSettings;
import io.nodeward.core.runtime.cache.Store;
import io.nodeward.core.runtime.time.Mutex;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One user of a watch: his cache holds his own record of each object, and hears only of changes of that record.
 *
 * @param <T> the record
 */
public final class Informer<T extends KubernetesObject> implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Informer.class);

    private final Informers informers;
    private final ListWatch<T> listWatch;
    private final ObjectCache<T> cache;
    private final ReflectorListener listener;
    /** Held while the cache changes. */
    private final Mutex changing = new Mutex();
    /** The one that may change the cache: the watch before it may not have ended yet. */
    private volatile @Nullable Feed<?> feed;
    private volatile boolean ended;
    private volatile boolean separated;

    Informer(Informers informers, ListWatch<T> listWatch, ObjectCache<T> cache, ReflectorListener listener) {
        this.informers = informers;
        this.listWatch = listWatch;
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

    /** Its cache is not complete without what it will list. */
    void expect() {
        cache.expect(listWatch.namespace());
    }

    /** Returns whether its cache keeps less of an object than there is, and forgets it. */
    boolean takeReduced() {
        return cache.takeReduced(listWatch.namespace());
    }

    /** Takes nothing more, and does not wait for that. */
    public void halt() {
        end();
        informers.leave(this);
    }

    /** Takes nothing more. If this was the last user of the watch, waits for the end of that. */
    @Override
    public void close() {
        halt();
        informers.awaitEnd(this);
        changing.hold().close(); // what is being put is the last
    }

    void end() {
        ended = true;
    }

    boolean open() {
        return !ended;
    }

    /** From now on this user shares no watch. */
    void separate() {
        separated = true;
    }

    boolean separated() {
        return separated;
    }

    ListWatch<T> listWatch() {
        return listWatch;
    }

    /** For a watch that nobody else uses. */
    Reflector<T> reflector(Timers timers) {
        Feed<T> alone = new Feed<>(Optional::of, true);
        feed = alone;
        return new Reflector<>(listWatch, alone, ReflectorSettings.DEFAULT, timers, alone);
    }

    /** For a watch that others use, too. */
    Feed<Projected> share() {
        Feed<Projected> shared = new Feed<>(object -> object.as(listWatch.projection()), false);
        feed = shared;
        return shared;
    }

    /** Takes what one watch brings, until another watch takes its place. */
    final class Feed<S extends KubernetesObject> implements Store<S>, ReflectorListener {
        private final Function<S, Optional<T>> reading;
        private final boolean alone;

        /**
         * @param reading returns empty if this user's projection rejects the object
         * @param alone whether nobody else uses the watch, which may fail then
         */
        Feed(Function<S, Optional<T>> reading, boolean alone) {
            this.reading = reading;
            this.alone = alone;
        }

        @Override
        public void put(S object) {
            change(object.key(), () -> read(object).ifPresent(cache::put));
        }

        @Override
        public void remove(S last) {
            change(last.key(), () -> read(last).ifPresent(cache::remove));
        }

        @Override
        public void replace(Set<ObjectKey> listed) {
            change("a list", () -> cache.replace(listed, listWatch.namespace()));
        }

        @Override
        public String newest() {
            return cache.newest(listWatch.namespace());
        }

        @Override
        public String newerThan(S object) {
            return read(object).map(cache::newerThan).orElse("");
        }

        @Override
        public void restored() {
            change("a restored server", () -> cache.restored(listWatch.namespace()));
            informers.restored();
        }

        private Optional<T> read(S object) {
            Optional<T> read = reading.apply(object);
            if (read.isEmpty()) {
                informers.separate(Informer.this);
            }
            return read;
        }

        private void change(Object of, Runnable change) {
            try (Mutex locked = changing.hold()) {
                if (current()) {
                    change.run();
                }
            } catch (RuntimeException e) {
                if (alone) {
                    throw e;
                }
                LOG.error(
                        "{}: an index of one controller failed for {}; fix the function, as this controller"
                                + " sees no more changes until then; others are not affected",
                        listWatch.name(), of, e);
                informers.separate(Informer.this);
            }
        }

        private boolean current() {
            return !ended && feed == this;
        }

        @Override
        public void failed(ApiFailure failure) {
            if (current()) {
                listener.failed(failure);
            }
        }

        @Override
        public void following() {
            if (current()) {
                listener.following();
            }
        }
    }
}
