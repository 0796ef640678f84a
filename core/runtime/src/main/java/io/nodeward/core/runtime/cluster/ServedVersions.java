package io.nodeward.core.runtime.cluster;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cache.ReflectorListener;
import io.nodeward.core.spi.ApiFailure;
import io.nodeward.core.spi.Resource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * A kind that a server may have in one of several versions, or in none, as the last answers to the watches say it. A server
 * may gain or lose it at any time.
 */
public final class ServedVersions<T extends KubernetesObject> {
    private final List<Version> versions;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private enum State {
        UNKNOWN,
        /** All has been listed. It stays so while the server does not answer. */
        SERVED,
        /** The server does not serve it, or the right to list and watch it is missing. */
        REFUSED
    }

    /** One version; it hears how its watch gets on. */
    public final class Version implements ReflectorListener {
        private final Resource resource;
        private final ObjectCache<T> cache;
        private volatile State state = State.UNKNOWN;

        private Version(Resource resource, ObjectCache<T> cache) {
            this.resource = resource;
            this.cache = cache;
        }

        Resource resource() {
            return resource;
        }

        /** Its name. */
        public String version() {
            return resource.version();
        }

        /** While the version is not served, it holds what there was before. */
        public ObjectCache<T> cache() {
            return cache;
        }

        @Override
        public void failed(ApiFailure failure) {
            if (failure instanceof ApiFailure.NotServed || failure instanceof ApiFailure.Forbidden) {
                become(State.REFUSED);
            }
        }

        @Override
        public void following() {
            become(State.SERVED);
        }

        private void become(State now) {
            if (state != now) {
                state = now;
                listeners.forEach(Runnable::run);
            }
        }
    }

    /** @param resources of the versions, the preferred first */
    public ServedVersions(List<Resource> resources, Supplier<ObjectCache<T>> cache) {
        this.versions = resources.stream().map(resource -> new Version(resource, cache.get())).toList();
    }

    public List<Version> all() {
        return versions;
    }

    /** Told when another version is served than before, or none, or none is known to be; it must not block. */
    public void whenChanged(Runnable listener) {
        listeners.add(listener);
    }

    /** The version by which objects are read and written; empty if the server has none, or nobody knows yet. */
    public Optional<Version> served() {
        return wanted().filter(version -> version.state == State.SERVED);
    }

    /** Whether the server is known to have none of them. */
    public boolean areRefused() {
        return wanted().isEmpty();
    }

    /** The first that may be served. */
    Optional<Version> wanted() {
        return versions.stream().filter(version -> version.state != State.REFUSED).findFirst();
    }
}
