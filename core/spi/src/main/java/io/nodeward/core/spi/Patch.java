package io.nodeward.core.spi;

/**
 * A patch to send.
 *
 * @param contentType {@link #MERGE}, {@link #JSON} or {@link #APPLY}
 * @param fieldManager who is written down as the writer
 * @param force for {@link #APPLY} alone: take fields over that others manage, instead of a {@link ApiFailure.Conflict}
 */
public record Patch(String contentType, byte[] body, String fieldManager, boolean force) {
    public static final String MERGE = "application/merge-patch+json";
    public static final String JSON = "application/json-patch+json";
    public static final String APPLY = "application/apply-patch+yaml";

    /** A JSON patch (RFC 6902). One that does not fit the object, in a test or a path, is an {@link ApiFailure.Conflict}. */
    public static Patch json(byte[] operations, String fieldManager) {
        return new Patch(JSON, operations, fieldManager, false);
    }

    /** A JSON merge patch (RFC 7386). */
    public static Patch merge(byte[] body, String fieldManager) {
        return new Patch(MERGE, body, fieldManager, false);
    }

    /**
     * Server-side apply.
     *
     * @param object all that this manager wants the object to have; what it applied before and is not among it goes
     */
    public static Patch apply(byte[] object, String fieldManager, boolean force) {
        return new Patch(APPLY, object, fieldManager, force);
    }
}
