package io.nodeward.controller.admission;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/** What callers have from when they are told to go elsewhere: a Service sends nobody to who is not ready, seconds later. */
final class Notice {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final InstantSource clock;
    private volatile @Nullable Instant given;

    Notice(InstantSource clock) {
        this.clock = clock;
    }

    void give() {
        given = clock.instant();
    }

    /** @param patience it is never longer than this */
    Duration left(Duration patience) {
        Instant since = given;
        Duration left = since == null ? LONGEST : LONGEST.minus(Duration.between(since, clock.instant()));
        Duration bounded = left.compareTo(patience) > 0 ? patience : left;
        return bounded.isNegative() ? Duration.ZERO : bounded;
    }
}
