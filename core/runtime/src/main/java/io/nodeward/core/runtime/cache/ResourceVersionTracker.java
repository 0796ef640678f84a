package io.nodeward.core.runtime.cache;

import io.nodeward.api.json.WatchEvent;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * How far a cache has followed its server: up to which resourceVersion, once all that was there has been seen.
 *
 * @param <T> the projected object
 */
final class ResourceVersionTracker<T extends KubernetesObject> {
    private final String name;
    private final Store<T> cache;
    private final RestoreCheck<T> restore;
    private final LongSupplier ticker;
    /** Those among the initial events. */
    private Set<ObjectKey> initial = new HashSet<>();
    private Duration patience = Duration.ZERO;
    private long lastNew;
    private String resourceVersion = "";

    /**
     * @param name of what is followed, for messages
     * @param ticker nanoseconds since any one moment
     */
    ResourceVersionTracker(String name, Store<T> cache, LongSupplier ticker) {
        this.name = name;
        this.cache = cache;
        this.restore = new RestoreCheck<>(cache);
        this.ticker = ticker;
    }

    /** To watch from; empty if all there is must be seen first. */
    String resourceVersion() {
        return resourceVersion;
    }

    boolean started() {
        return !resourceVersion.isEmpty();
    }

    /** All there is must be seen (again). */
    void startOver() {
        resourceVersion = "";
    }

    /** A list is about to be asked for. */
    void awaitList() {
        restore.begin();
    }

    /** An object of the list, or of the initial events. */
    void put(T object) {
        restore.listed(object);
        cache.put(object);
    }

    /**
     * Takes what a consistent list says of itself while a watch is followed. If it is older than what the watch has said, all
     * there is must be seen again.
     */
    void check(String version) {
        if (ResourceVersions.isOlder(version, resourceVersion)) {
            restore.foundOlder();
            startOver();
        }
    }

    /** @param patience how long the next initial events may bring nothing new */
    void awaitInitialEvents(Duration patience) {
        restore.begin();
        this.patience = patience;
        initial = new HashSet<>();
        lastNew = ticker.getAsLong();
    }

    /** Whether any initial events have come. */
    boolean sawInitialEvents() {
        return !initial.isEmpty();
    }

    /**
     * A list has been put into the cache.
     *
     * @throws IOException if it was none: nothing is gone because of it
     * @throws Restored if it contradicts what is held: nothing is gone because of it either
     */
    void listed(Set<ObjectKey> keys, String version) throws IOException {
        if (version.isEmpty()) {
            throw new IOException("a list without resourceVersion");
        }
        if (restore.contradicts(version)) {
            boolean confirmed = restore.isConfirmed();
            if (confirmed) {
                cache.restored();
            }
            throw new Restored(version, confirmed);
        }
        cache.replace(keys);
        resourceVersion = version;
        initial = new HashSet<>(); // who follows a watch for weeks needs no more of them
    }

    /**
     * Follows one event.
     *
     * @throws ApiFailure if the event says that the watch has failed
     * @throws IOException if the event cannot be followed
     */
    void take(WatchEvent<T> event) throws IOException {
        switch (event) {
            case WatchEvent.Put<T> put -> {
                if (started()) {
                    cache.put(put.object());
                } else {
                    put(put.object());
                    initial(put.object().key());
                }
                seenUpTo(put.object().metadata().resourceVersion());
            }
            case WatchEvent.Gone<T> gone -> {
                cache.remove(gone.object());
                initial.remove(gone.object().key());
                seenUpTo(gone.object().metadata().resourceVersion());
            }
            case WatchEvent.Bookmark<T> bookmark -> take(bookmark);
            case WatchEvent.Failed<T> ended ->
                    throw ApiFailure.of(ended.status(), "watch of " + name, Optional.empty());
        }
    }

    /** Where changes never pause, silence does not tell that initial events have no end; that nothing new appears does. */
    private void initial(ObjectKey key) throws Endless {
        if (initial.add(key)) {
            lastNew = ticker.getAsLong();
        } else if (ticker.getAsLong() - lastNew > patience.toNanos()) {
            throw new Endless("changes only, for " + patience.toMillis() + " ms");
        }
    }

    private void take(WatchEvent.Bookmark<T> bookmark) throws IOException {
        if (started()) {
            seenUpTo(bookmark.resourceVersion());
        } else if (bookmark.initialEventsEnd()) {
            listed(initial, bookmark.resourceVersion());
        } else {
            throw new Endless("a bookmark that does not end them");
        }
    }

    /** Without a version, the next watch would start anywhere. An older one shows that the server may have been restored. */
    private void seenUpTo(String version) throws IOException {
        if (!started() || version.isEmpty()) {
            return;
        }
        if (ResourceVersions.isOlder(version, resourceVersion)) {
            throw new IOException("an event of version " + version + " came after version " + resourceVersion);
        }
        resourceVersion = version;
    }

    /** A list is older than what is held: the server has been restored from a backup, if it is so again. */
    static final class Restored extends IOException {
        private final boolean confirmed;

        Restored(String version, boolean confirmed) {
            super(confirmed
                    ? "its etcd has been restored from a backup, as two lists say; all is read anew from version "
                            + version
                    : "a list of version " + version + " contradicts what was read before; listing again");
            this.confirmed = confirmed;
        }

        boolean isConfirmed() {
            return confirmed;
        }
    }

    /**
     * The initial events do not end. A server too old for WatchList ignores that they were asked for: it sends what is there
     * and goes on with changes, and never says that the first are over.
     */
    static final class Endless extends IOException {
        Endless(String why) {
            super(why);
        }
    }
}
