package io.nodeward.core.fakeapi;

/**
 * One request as the server saw it.
 *
 * @param path as sent, still encoded
 * @param query as sent, without the question mark; empty if there was none
 * @param contentType of the body; empty if there was none
 * @param code the answer's HTTP code; 0 while there is none, and for a connection cut before one
 */
public record Request(
        String method, String path, String query, String userAgent, String contentType, String body, int code) {
    Request answered(int with) {
        return new Request(method, path, query, userAgent, contentType, body, with);
    }
}
