package io.nodeward.core.spi;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * One HTTP request.
 *
 * @param path absolute path with its query, already encoded
 * @param timeout until the answer's head is there if the call is streaming, else until its last byte is read: a server
 *     that dies in the middle of an answer must not hold its caller for ever
 * @param streaming whether the answer may take for ever: such calls go over connections of their own, so that they take
 *     no stream from the others
 */
public record Request(
        String method,
        String path,
        Map<String, String> headers,
        Optional<byte[]> body,
        Duration timeout,
        boolean streaming) {

    /**
     * Whether a client may ask for a gzip encoded answer: of lists, which are large, and not of watches. Servers from
     * Kubernetes 1.37 on encode the watch that begins with what is there, as one gzip stream after the other; clients take
     * the end of the first for a broken answer, or for its end.
     */
    public boolean mayBeEncoded() {
        return streaming && !path.contains("watch=true");
    }
}
