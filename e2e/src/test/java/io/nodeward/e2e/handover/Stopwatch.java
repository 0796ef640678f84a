package io.nodeward.e2e.handover;

import java.time.Duration;
import java.time.Instant;

/** Prints what was done and how long it took; nothing is asserted of it. */
final class Stopwatch {
    private final String name;
    private Instant last = Instant.now();

    Stopwatch(String name) {
        this.name = name;
    }

    void lap(String done) {
        Instant now = Instant.now();
        System.out.printf("%s: %s in %.1f s%n", name, done, Duration.between(last, now).toMillis() / 1000.0);
        last = now;
    }
}
