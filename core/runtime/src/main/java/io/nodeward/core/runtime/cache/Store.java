package io.nodeward.core.runtime.cache;

import io.nodeward.api.meta.ObjectKey;
import java.util.Set;

/** What a {@link Reflector} keeps equal to what a server has. */
public interface Store<T> {
    /** The object is as given, unless a newer version is held. */
    void put(T object);

    /** The object is gone; {@code last} is its last version. A newer one of the same name stays. */
    void remove(T last);

    /** A list has been read whole: what it did not hold is gone. */
    void replace(Set<ObjectKey> listed);

    /** Returns the newest resourceVersion that is held of any object; empty if none is. */
    String newest();

    /** Returns the resourceVersion that is held of the object, if that is newer; else empty. */
    String newerThan(T object);

    /** The server has been restored from a backup: whatever version comes next of an object is newer than the one held. */
    void restored();
}
