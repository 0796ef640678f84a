package io.nodeward.core.runtime.status;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** How long an object is not written to for what can wait, since it was last written to. */
final class Pause {
    private final Duration pause;
    private final LongSupplier ticker;
    private final Map<ObjectId, Long> since = new ConcurrentHashMap<>();

    /** @param ticker nanoseconds since any one moment */
    Pause(Duration pause, LongSupplier ticker) {
        this.pause = pause;
        this.ticker = ticker;
    }

    /** It is written to now. */
    void begin(ObjectId id) {
        if (pause.isPositive()) {
            since.put(id, ticker.getAsLong());
        }
    }

    /** Zero if it is over, or nothing has been written. */
    Duration left(ObjectId id) {
        Long written = since.get(id);
        Duration left = written == null ? Duration.ZERO : pause.minusNanos(ticker.getAsLong() - written);
        return left.isNegative() ? Duration.ZERO : left;
    }

    void forget(ObjectId id) {
        since.remove(id);
    }
}
