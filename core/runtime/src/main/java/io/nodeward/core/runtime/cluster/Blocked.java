package io.nodeward.core.runtime.cluster;

import io.nodeward.core.runtime.queue.Outcome;
import java.time.Duration;

/**
 * Why nothing can be done for an object until somebody puts something right.
 *
 * @param reason one UpperCamelCase word, the same in Events and conditions
 * @param message what is wrong and where; never a credential. Cut to 1024 characters, without those that YAML has not
 */
public record Blocked(String reason, String message) {
    private static final int LONGEST = 1024;

    public Blocked {
        // What is applied is read as YAML, which has no place for the rest; a pair that is cut in two is none either.
        String plain = message.replaceAll("[^\\n\\x20-\\x7e\\u00a0-\\ud7ff\\ue000-\\ufffd]", "?");
        message = plain.length() > LONGEST ? plain.substring(0, LONGEST) : plain;
    }

    /** @param left how long until it is said in a condition; zero if it is */
    public Outcome outcome(Duration left) {
        String end = "the end of " + reason;
        return left.isZero() ? Outcome.waitingFor(end) : new Outcome.Again(left, end);
    }
}
