package io.nodeward.core.runtime.cache;

import io.nodeward.api.meta.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The objects among the initial events of one watch. A server too old for WatchList ignores that it was asked: it sends
 * what is there and goes on with changes, and never says that the first are over. Where changes never pause, silence
 * does not tell; that nothing new appears does.
 */
final class InitialEvents {
    private final Set<ObjectKey> keys = new HashSet<>();
    private final Duration patience;
    private final LongSupplier ticker;
    private long lastNew;

    /**
     * @param patience how long to wait for another object
     * @param ticker nanoseconds since any one moment
     */
    InitialEvents(Duration patience, LongSupplier ticker) {
        this.patience = patience;
        this.ticker = ticker;
        this.lastNew = ticker.getAsLong();
    }

    /** @throws Endless if this is not what initial events look like */
    void put(ObjectKey key) throws Endless {
        if (keys.add(key)) {
            lastNew = ticker.getAsLong();
        } else if (ticker.getAsLong() - lastNew > patience.toNanos()) {
            throw new Endless("changes only, for " + patience.toMillis() + " ms");
        }
    }

    void gone(ObjectKey key) {
        keys.remove(key);
    }

    Set<ObjectKey> keys() {
        return keys;
    }

    /** The initial events do not end: the server ignored that they were asked for. */
    static final class Endless extends IOException {
        private static final long serialVersionUID = 1L;

        Endless(String why) {
            super(why);
        }
    }
}
