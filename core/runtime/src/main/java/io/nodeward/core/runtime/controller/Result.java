package io.nodeward.core.runtime.controller;

import io.nodeward.core.runtime.status.Blocked;
import java.time.Duration;
import java.time.Instant;

/** What becomes of a key that a reconciler is through with. */
public sealed interface Result {
    /** Nothing more to do until something changes. */
    record Done() implements Result {}

    /**
     * Something must happen first, and an event will tell.
     *
     * @param reason what is waited for, for logs
     */
    record Waiting(String reason) implements Result {}

    /**
     * The queue adds the key again although nothing may change.
     *
     * @param reason what is waited out, for logs
     */
    record RequeueAfter(Duration after, String reason) implements Result {}

    static Result done() {
        return new Done();
    }

    static Result waiting(String reason) {
        return new Waiting(reason);
    }

    static Result requeueAfter(Duration after, String reason) {
        return new RequeueAfter(after, reason);
    }

    /** Requeues at a time; if that is far away, also before. */
    static Result requeueAt(Instant at, Instant now, String reason) {
        Instant latest = now.plus(Duration.ofHours(1));
        return requeueAfter(Duration.between(now, at.isBefore(latest) ? at : latest), reason);
    }

    /** What is to be done earlier, or waited for, of both. */
    static Result first(Result one, Result other) {
        if (one instanceof RequeueAfter(Duration after, String why)) {
            return other instanceof RequeueAfter(Duration sooner, String also) && sooner.compareTo(after) < 0
                    ? other
                    : one;
        }
        return one instanceof Done || other instanceof RequeueAfter ? other : one;
    }

    /** @param left how long until a condition reports it; zero if one does */
    static Result blocked(Blocked by, Duration left) {
        String end = "the end of " + by.reason();
        return left.isZero() ? waiting(end) : requeueAfter(left, end);
    }
}
