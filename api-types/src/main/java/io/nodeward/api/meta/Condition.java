package io.nodeward.api.meta;

import java.time.Instant;

/**
 * One of Nodeward's own entries in an object's {@code status.conditions}, as metav1.Condition.
 *
 * @param type on kinds of Cluster API it starts with {@link #PREFIX}
 * @param status {@link #TRUE}, {@link #FALSE} or {@link #UNKNOWN}
 * @param reason one UpperCamelCase word
 * @param since {@code lastTransitionTime}
 * @param observedGeneration {@code metadata.generation} of the object that it is about; 0 on kinds of Cluster API
 */
public record Condition(
        String type, String status, String reason, String message, Instant since, long observedGeneration) {
    /** Of the types of Nodeward's conditions on others' kinds; all others are somebody else's and are not read. */
    public static final String PREFIX = "nodeward.io/";
    /** On kinds of our own: whether what the spec declares is in effect. */
    public static final String READY = "Ready";

    public static final String TRUE = "True";
    public static final String FALSE = "False";
    public static final String UNKNOWN = "Unknown";

    /** Of whatever generation. */
    public Condition(String type, String status, String reason, String message, Instant since) {
        this(type, status, reason, message, since, 0);
    }
}
