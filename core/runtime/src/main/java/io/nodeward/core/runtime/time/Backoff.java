package io.nodeward.core.runtime.time;

import java.time.Duration;

/**
 * How long to wait before a try: doubling, jittered.
 *
 * @param first before the second try
 * @param longest never more than this (before jitter)
 */
public record Backoff(Duration first, Duration longest) {
    /** Who refused a write may take it later, and nothing tells: a webhook or a policy may have changed. */
    public static final Backoff AFTER_REFUSAL = new Backoff(Duration.ofSeconds(30), Duration.ofMinutes(10));

    /** @param failures tries that failed so far, at least 1 */
    public Duration delay(int failures) {
        int doublings = Math.min(failures - 1, 30);
        Duration delay = first.multipliedBy(1L << doublings);
        return Timers.jittered(delay.compareTo(longest) < 0 ? delay : longest);
    }
}
