package io.nodeward.core.runtime.status;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Whether something has been so of an object for long enough; not by the clock, which somebody may set. */
final class Lasting {
    private final Duration after;
    private final LongSupplier ticker;
    private final Map<ObjectId, Since> since = new ConcurrentHashMap<>();

    /** @param uid of another object of the same name it has not been so */
    private record Since(String uid, long nanos) {}

    /** @param ticker nanoseconds since any one moment */
    Lasting(Duration after, LongSupplier ticker) {
        this.after = after;
        this.ticker = ticker;
    }

    /** It is so now. Returns how long until it has lasted, at most zero if it has. */
    Duration left(Target target) {
        String uid = target.regarding().uid();
        long now = ticker.getAsLong();
        Since first = since.compute(ObjectId.of(target),
                (id, before) -> before != null && before.uid.equals(uid) ? before : new Since(uid, now));
        return after.minusNanos(now - first.nanos);
    }

    /** It is not so now. */
    void end(ObjectId id) {
        since.remove(id);
    }
}
