package io.nodeward.api.meta;

/**
 * How an API server says that it did not do what was asked ({@code meta/v1 Status}).
 *
 * @param code HTTP status
 * @param reason machine-readable, empty if the server gave none
 * @param retryAfterSeconds from {@code details}, 0 if absent
 */
public record Status(int code, String reason, String message, int retryAfterSeconds) {}
