package io.nodeward.demo;

import java.time.Duration;

/**
 * How long the tour waits.
 *
 * @param beforeEdit for somebody to read what will be edited
 * @param afterResult for somebody to read what came of it
 * @param patience how long a step may take to come true
 */
record Pace(Duration beforeEdit, Duration afterResult, Duration patience) {
    static Pace forReader(Duration patience) {
        return new Pace(Duration.ofMillis(2500), Duration.ofSeconds(5), patience);
    }

    static Pace unwatched(Duration patience) {
        return new Pace(Duration.ZERO, Duration.ZERO, patience);
    }
}
