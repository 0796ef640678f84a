package io.nodeward.api.meta;

import java.time.Instant;

/**
 * One of Nodeward's own entries in an object's {@code status.conditions}, as metav1.Condition.
 *
 * @param type starts with {@link #PREFIX}
 * @param status {@code True}, {@code False} or {@code Unknown}
 * @param reason one UpperCamelCase word
 * @param since {@code lastTransitionTime}
 */
public record Condition(String type, String status, String reason, String message, Instant since) {
    /** Of the types of Nodeward's conditions; all others are somebody else's and are not read. */
    public static final String PREFIX = "nodeward.io/";
}
