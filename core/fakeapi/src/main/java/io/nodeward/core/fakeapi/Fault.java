package io.nodeward.core.fakeapi;

import java.time.Duration;
import java.util.Map;

/** What goes wrong with one request. */
public sealed interface Fault {
    /** Answers at once, without serving. */
    record Answer(int code, Map<String, String> headers, String body) implements Fault {}

    /** Serves after a pause. */
    record Delay(Duration pause) implements Fault {}

    /**
     * Serves, and closes the connection after so many bytes of the answer's body; at -1, before the answer's head: the
     * write happened and nobody was told.
     */
    record Cut(int bodyBytes) implements Fault {}

    /** An {@link Answer} with a Status. */
    static Answer status(int code, String reason, String message) {
        return new Answer(code, Map.of("Content-Type", "application/json"), body(code, reason, message));
    }

    /** 429 with Retry-After. */
    static Answer tooManyRequests(int retryAfterSeconds) {
        return new Answer(
                429,
                Map.of("Content-Type", "application/json", "Retry-After", Integer.toString(retryAfterSeconds)),
                body(429, "TooManyRequests",
                        "the server has received too many requests and has asked us to try again later"));
    }

    private static String body(int code, String reason, String message) {
        return Refusal.of(code, reason, message).status().toString();
    }
}
