package io.nodeward.cli.live;

import io.nodeward.cli.terminal.Harmless;
import io.nodeward.core.spi.ApiFailure;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cluster cannot be reached, or does not do what it was asked. The message is for the user, in kubectl's words where
 * it has any, and holds no credential, and nothing that commands a terminal.
 */
public final class LiveFailure extends RuntimeException {
    private static final Pattern NAMESPACE = Pattern.compile("/namespaces/([^/?]+)/");

    /** How a server refuses a field that its CRD lacks, if it is asked to do so. */
    private static final String UNKNOWN_FIELD = "strict decoding error: unknown field";

    private final transient Optional<ApiFailure> api;
    private final String advice;

    private LiveFailure(String message, String advice, Optional<ApiFailure> api) {
        super(Harmless.lines(message), api.orElse(null));
        this.api = api;
        this.advice = Harmless.lines(advice);
    }

    /** Makes a failure before anything was sent, or after all that was to be tried. */
    public static LiveFailure unusable(String message, String advice) {
        return new LiveFailure(message, advice, Optional.empty());
    }

    /** @param path that was asked for */
    static LiveFailure of(ApiFailure failure, Route route, String path) {
        return new LiveFailure(words(failure, route), advice(failure, route, path), Optional.of(failure));
    }

    /** Returns what the server said; empty if it was not asked. */
    public Optional<ApiFailure> api() {
        return api;
    }

    /** Returns whether another client was faster. */
    public boolean isConflict() {
        return api.filter(ApiFailure.Conflict.class::isInstance).isPresent();
    }

    /** Returns whether the user is not allowed to. */
    public boolean isForbidden() {
        return api.filter(ApiFailure.Forbidden.class::isInstance).isPresent();
    }

    /** Returns the message. */
    public String words() {
        return String.valueOf(getMessage());
    }

    /** Returns what to do about it, in a line of its own; empty if the message says all. */
    public String advice() {
        return advice;
    }

    /** Returns the message, and what to do about it if the message does not say that. */
    public List<String> lines() {
        return advice.isEmpty() ? List.of(words()) : List.of(words(), advice);
    }

    private static String words(ApiFailure failure, Route route) {
        String reason = failure.status().reason();
        String message = failure.status().message();
        return switch (failure) {
            case ApiFailure.Unauthorized f -> "error: You must be logged in to the server (Unauthorized)";
            case ApiFailure.Unreachable f when message.equals("connection refused") -> "The connection to the server "
                    + route.server().replaceFirst("^https?://", "")
                    + " was refused - did you specify the right host or port?";
            case ApiFailure.Unreachable f when f.status().code() == 0 ->
                    "Unable to connect to the server: " + NetworkWords.of(message, route.server());
            default -> reason.isEmpty()
                    ? "Error from server: " + failure.status().code() + " " + message
                    : "Error from server (" + reason + "): " + message;
        };
    }

    private static String advice(ApiFailure failure, Route route, String path) {
        String message = failure.status().message();
        return switch (failure) {
            case ApiFailure.Unauthorized f -> route.renewed();
            case ApiFailure.Forbidden f -> f.status().isOfWebhook() ? "" : route.permitted();
            case ApiFailure.Unreachable f when f.status().code() == 0 -> message.startsWith("no answer")
                    ? "--request-timeout allows for more time. " + route.meant()
                    : route.meant();
            case ApiFailure.NotServed f -> route.serving();
            case ApiFailure.NotFound f -> elsewhere(path);
            case ApiFailure.Rejected f when message.contains(UNKNOWN_FIELD) ->
                    "The CRDs of the cluster are older than this"
                            + " command: update them first.";
            case ApiFailure.Throttled f -> "The server has too much to do; try again later.";
            default -> "";
        };
    }

    private static String elsewhere(String path) {
        Matcher namespace = NAMESPACE.matcher(path);
        return namespace.find() ? "It was looked for in namespace " + namespace.group(1) + "; -n names another." : "";
    }
}
