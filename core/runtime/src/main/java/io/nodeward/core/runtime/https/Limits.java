package io.nodeward.core.runtime.https;

import java.time.Duration;

/**
 * What one request may cost.
 *
 * @param bytes of a body
 * @param incomingBytes of all bodies that come in or wait; for one more the largest is let go
 * @param bytesAtOnce of all bodies that are in hand
 * @param atOnce requests in hand
 * @param waiting requests that wait for that, one more gets 429 at once; and as many whose bodies come in, for one more the
 *        oldest is cut
 * @param patience how long a request waits; then it gets 429
 * @param time from a request's headers to the end of its answer; then its connection is cut
 */
public record Limits(int bytes, int incomingBytes, int bytesAtOnce, int atOnce, int waiting, Duration patience,
        Duration time) {
    public Limits {
        if (bytesAtOnce < bytes || incomingBytes <= bytes) {
            throw new IllegalArgumentException("no room for a body of " + bytes + " bytes");
        }
    }
}
