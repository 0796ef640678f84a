package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.queue.Outcome;
import java.time.Duration;

/**
 * Why nothing can be done for an object until somebody puts something right.
 *
 * @param reason one UpperCamelCase word, the same in Events and conditions
 * @param message what is wrong and where; never a credential
 */
public record Blocked(String reason, String message) {
    /** @param left how long until it is said in a condition; zero if it is */
    public Outcome outcome(Duration left) {
        String end = "the end of " + reason;
        return left.isZero() ? Outcome.waitingFor(end) : new Outcome.Again(left, end);
    }
}
