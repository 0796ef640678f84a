package io.nodeward.api.meta;

import java.util.Optional;

/**
 * How an API server says that it did not do what was asked ({@code meta/v1 Status}).
 *
 * @param code HTTP status
 * @param reason machine-readable, empty if the server gave none
 * @param retryAfterSeconds from {@code details}, 0 if absent
 * @param cause reason and message of the first cause in {@code details}, with a colon between them; empty if there is none
 */
public record Status(int code, String reason, String message, int retryAfterSeconds, String cause) {
    private static final String BUDGET = "DisruptionBudget: ";
    private static final String SEVERAL = "This pod has more than one PodDisruptionBudget";

    /** Has no cause. */
    public Status(int code, String reason, String message, int retryAfterSeconds) {
        this(code, reason, message, retryAfterSeconds, "");
    }

    /** Returns why a PodDisruptionBudget holds up an eviction, in which case the server has done nothing; empty for any other answer. */
    public Optional<String> heldUp() {
        return cause.startsWith(BUDGET) ? Optional.of(cause.substring(BUDGET.length()))
                : Optional.of(message).filter(text -> code == 500 && text.startsWith(SEVERAL));
    }

    /**
     * Returns whether an admission webhook refused the request, or the server failed to call the webhook. No field but the
     * message tells ({@code plugin/webhook/errors} and {@code plugin/webhook/generic} of
     * {@code k8s.io/apiserver/pkg/admission}).
     */
    public boolean isOfWebhook() {
        return message.startsWith("admission webhook \"") || message.contains("failed calling webhook");
    }
}
