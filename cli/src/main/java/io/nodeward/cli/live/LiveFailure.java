package io.nodeward.cli.live;

import io.nodeward.core.spi.ApiFailure;
import java.util.Optional;

/**
 * A cluster cannot be reached, or does not do what it was asked. The message is for the user, in kubectl's words where
 * it has any, and holds no credential.
 */
public final class LiveFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<ApiFailure> api;
    private final String advice;

    private LiveFailure(String message, String advice, Optional<ApiFailure> api) {
        super(message, api.orElse(null));
        this.api = api;
        this.advice = advice;
    }

    /** Before anything was sent. */
    public static LiveFailure unusable(String message, String advice) {
        return new LiveFailure(message, advice, Optional.empty());
    }

    static LiveFailure of(ApiFailure failure, String server, String context) {
        return new LiveFailure(words(failure, server), advice(failure, context), Optional.of(failure));
    }

    /** What the server said; empty if it was not asked. */
    public Optional<ApiFailure> api() {
        return api;
    }

    /** The message. */
    public String words() {
        return String.valueOf(getMessage());
    }

    /** What to do about it, in a line of its own; empty if the message says all. */
    public String advice() {
        return advice;
    }

    private static String words(ApiFailure failure, String server) {
        String reason = failure.status().reason();
        String message = failure.status().message();
        return switch (failure) {
            case ApiFailure.Unauthorized f -> "error: You must be logged in to the server (Unauthorized)";
            case ApiFailure.Unreachable f when message.equals("connection refused") -> "The connection to the server "
                    + server.replaceFirst("^https?://", "")
                    + " was refused - did you specify the right host or port?";
            case ApiFailure.Unreachable f when f.status().code() == 0 ->
                    "Unable to connect to the server: " + message;
            default -> reason.isEmpty()
                    ? "Error from server: " + failure.status().code() + " " + message
                    : "Error from server (" + reason + "): " + message;
        };
    }

    private static String advice(ApiFailure failure, String context) {
        return switch (failure) {
            case ApiFailure.Unauthorized f -> "The credentials of context " + context
                    + " are not accepted any more: log in again, or name another with --context.";
            case ApiFailure.Forbidden f -> "You are logged in by context " + context
                    + ", which is not allowed this; 'kubectl auth can-i --list' says what is.";
            case ApiFailure.Unreachable f when f.status().code() == 0 -> "Is it running, and is context " + context
                    + " the one that is meant (--context)?";
            case ApiFailure.NotServed f -> "Context " + context
                    + " leads to a server that does not have this; is it the one that is meant (--context)?";
            default -> "";
        };
    }
}
