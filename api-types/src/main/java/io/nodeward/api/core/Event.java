package io.nodeward.api.core;

import io.nodeward.api.meta.ObjectKey;
import java.time.Instant;

/**
 * A core/v1 Event about one object.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason one UpperCamelCase word
 * @param message what happened and what to do; never a credential
 */
public record Event(
        ObjectKey key, Regarding regarding, String type, String reason, String message, String component,
        Instant time) {
    public static final String WARNING = "Warning";

    /** The object an Event is about. */
    public record Regarding(String apiVersion, String kind, ObjectKey key, String uid, String resourceVersion) {}
}
