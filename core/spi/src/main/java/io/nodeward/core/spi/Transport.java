package io.nodeward.core.spi;

/**
 * Authenticated HTTP to one API server. It sends each call once: no retry, no redirect, no cache, no parsing. (An HTTP
 * client may repeat a GET whose connection closed before any byte of an answer; never a write.) Safe for use by many
 * threads.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends the call and returns when the answer's head is there; any HTTP status is an answer.
     *
     * @throws ApiFailure.Unreachable if no answer came: refused, cut, timed out, TLS not agreed
     */
    Response exchange(Request request);

    /** Ends every exchange in progress and leaves no thread and no connection. Idempotent. */
    @Override
    void close();
}
