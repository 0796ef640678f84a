package io.nodeward.core.runtime.https;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Trees;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** Makes an answer of a body. */
@FunctionalInterface
public interface Answering {
    /**
     * Why a request is not answered.
     *
     * @param code of HTTP
     * @param reason of a Status
     */
    record Refusal(int code, String reason, String message) {
        static final Refusal TOO_MANY = new Refusal(429, "TooManyRequests", "too many requests at once, try again");
        static final Refusal LATE = new Refusal(503, "ServiceUnavailable", "no answer in time, try again");
        private static final int LONGEST_MESSAGE = 1024;

        static Refusal tooLong(int most) {
            return new Refusal(413, "RequestEntityTooLarge", "the request is longer than " + most + " bytes");
        }

        static Refusal unreadable(IOException why) {
            return new Refusal(400, "BadRequest", String.valueOf(why.getMessage()));
        }

        /** A Status, whose message an API server passes on to its caller; it would drop a plain text. */
        byte[] status() {
            String bounded = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
            return Trees.written(Tree.of(Map.of("apiVersion", "v1", "kind", "Status", "status", "Failure",
                    "code", code, "reason", reason, "message", bounded)));
        }
    }

    /**
     * Says whose share of the server a request takes.
     *
     * @param start the first bytes of the body, or all of it
     */
    default String account(byte[] start) {
        return "";
    }

    /** @throws IOException if the body cannot be read; the answer has its message */
    byte[] answer(byte[] body) throws IOException;

    /**
     * An answer in place of a Status, for who takes none.
     *
     * @param start of a body that is too long, cannot be read or has no room
     * @return empty for a Status
     */
    default Optional<byte[]> refusal(byte[] start, Refusal refusal) {
        return Optional.empty();
    }

    /** A request has come. */
    default void began() {}

    /**
     * What {@link #began} was called for is over.
     *
     * @param code of HTTP; empty if no answer was sent
     */
    default void ended(Optional<Integer> code, Duration took) {}
}
