package io.nodeward.api.json;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Status;

/**
 * One event of a watch.
 *
 * @param <T> the projected object
 */
public sealed interface WatchEvent<T extends KubernetesObject> {
    /** ADDED or MODIFIED: the object is now as given. */
    record Put<T extends KubernetesObject>(T object) implements WatchEvent<T> {}

    /** DELETED: the object's last state. */
    record Gone<T extends KubernetesObject>(T object) implements WatchEvent<T> {}

    /**
     * Everything up to this resourceVersion was sent.
     *
     * @param initialEventsEnd whether this ends the initial events of a WatchList
     */
    record Bookmark<T extends KubernetesObject>(String resourceVersion, boolean initialEventsEnd)
            implements WatchEvent<T> {}

    /** ERROR: the watch is over, most often because its resourceVersion expired. */
    record Failed<T extends KubernetesObject>(Status status) implements WatchEvent<T> {}
}
