package io.nodeward.core.spi;

/**
 * A patch to send.
 *
 * @param contentType {@link #MERGE}, {@link #JSON} or {@link #APPLY}
 * @param fieldManager who is written down as the writer
 */
public record Patch(String contentType, byte[] body, String fieldManager) {
    public static final String MERGE = "application/merge-patch+json";
    public static final String JSON = "application/json-patch+json";
    public static final String APPLY = "application/apply-patch+yaml";
}
