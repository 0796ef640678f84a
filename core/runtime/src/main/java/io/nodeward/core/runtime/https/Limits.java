package io.nodeward.core.runtime.https;

import java.time.Duration;

/**
 * What one request may cost.
 *
 * @param bytes of a body
 * @param bytesAtOnce of all bodies that are in hand; of one that does not say its length, as many as it may have
 * @param atOnce requests in hand
 * @param waiting requests that wait for that; one more gets 429 at once
 * @param patience how long a request waits; then it gets 429
 * @param time from a request's headers to the end of its answer; then its connection is cut
 */
public record Limits(int bytes, int bytesAtOnce, int atOnce, int waiting, Duration patience, Duration time) {
    public Limits {
        if (bytesAtOnce < bytes) {
            throw new IllegalArgumentException("no room for a body of " + bytes + " bytes");
        }
    }
}
