package io.nodeward.core.runtime.cache;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds out whether the etcd of a server has been restored from a backup, so that resourceVersions have gone back. What is held
 * is then of a history that is no more, and would stay in the cache, as it looks newer than all that comes.
 *
 * <p>Only lists without a resourceVersion count: these are consistent reads, while a replica of the API server that is behind
 * answers other requests from what it saw last. Two such lists in a row must contradict what is held.
 *
 * @param <T> the projected object
 */
final class RestoreCheck<T extends KubernetesObject> {
    private static final int CONFIRMED = 2;

    private final Store<T> cache;
    /** The newest version that was held when the list was asked for: the list is no older. */
    private String newest = "";
    /** The version held of each listed object that is older than that. */
    private final Map<ObjectKey, String> held = new HashMap<>();
    private int contradictions;

    RestoreCheck(Store<T> cache) {
        this.cache = cache;
    }

    /** A list is about to be asked for. */
    void begin() {
        newest = cache.newest();
        held.clear();
    }

    /** The list has this object; another one of the same name takes its place. */
    void listed(T object) {
        String version = cache.newerThan(object);
        if (version.isEmpty()) {
            held.remove(object.key());
        } else {
            held.put(object.key(), version);
        }
    }

    /** The list ends; returns whether this version of it contradicts what is held, which no history explains. */
    boolean contradicts(String version) {
        boolean contradicts = ResourceVersions.isOlder(version, newest)
                || held.values().stream()
                        .anyMatch(one -> one.equals(version) || ResourceVersions.isOlder(one, version));
        held.clear();
        contradictions = contradicts ? contradictions + 1 : 0;
        return contradicts;
    }

    /** Counts another consistent read that is older than what the server has said before. */
    void foundOlder() {
        contradictions = 1;
    }

    /** Returns whether the server has been restored, and counts anew from then on. */
    boolean isConfirmed() {
        boolean confirmed = contradictions >= CONFIRMED;
        contradictions = confirmed ? 0 : contradictions;
        return confirmed;
    }
}
