package io.nodeward.core.runtime.status;

import io.nodeward.core.runtime.time.Backoff;
import java.time.Duration;
import java.util.Optional;

/**
 * The condition that a controller keeps on its objects. Where a method returns a duration, it is to be called again after
 * it, should nothing change; zero if there is nothing to wait for.
 */
public interface StatusCondition {
    /** Reports what blocks the target now, or that nothing does. */
    Duration report(Target target, Optional<Blocked> by, String fieldManager);

    /**
     * It is not known whether anything blocks the target: something must happen first.
     *
     * @param reason what is waited for
     */
    Duration waiting(Target target, String reason, String fieldManager);

    /** The pauses after which a refused write is tried again; empty if it waits for a change. */
    default Optional<Backoff> afterRefusal() {
        return Optional.empty();
    }

    /** It is not known any more whether the object is blocked; should it be, the time starts anew. */
    void startOver(ObjectId object);

    /** The object is gone. */
    void forget(ObjectId object);
}
