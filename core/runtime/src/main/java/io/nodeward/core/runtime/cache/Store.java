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
}
