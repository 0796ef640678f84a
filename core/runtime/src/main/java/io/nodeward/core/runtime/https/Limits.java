package io.nodeward.core.runtime.https;

import java.time.Duration;

/**
 * What one request may cost.
 *
 * @param bytes of a body
 * @param incomingBytes of all bodies that come in or wait; for more, the account that has most of them loses one, which gets 429
 * @param bytesAtOnce of all bodies that are in hand
 * @param atOnce requests in hand; each counts as this part of {@code bytesAtOnce} at least
 * @param waiting requests that come in or wait; each counts as this part of {@code incomingBytes} at least
 * @param patience the age of a request up to which it waits for a turn; then it gets 429
 * @param deadline the age of a request at which it gets 503, if its body has come and the answer is not there
 * @param time from a request's headers to the end of its answer; then its connection is cut
 */
public record Limits(int bytes, int incomingBytes, int bytesAtOnce, int atOnce, int waiting, Duration patience,
        Duration deadline, Duration time) {
    public Limits {
        if (bytesAtOnce < bytes || incomingBytes <= bytes) {
            throw new IllegalArgumentException("no room for a body of " + bytes + " bytes");
        }
    }
}
