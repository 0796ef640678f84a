package io.nodeward.core.runtime.webhook;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * How long the server goes on answering after it has stopped being ready: a Service sends callers elsewhere seconds later.
 */
final class ShutdownDelay {
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final InstantSource clock;
    private volatile @Nullable Instant started;

    ShutdownDelay(InstantSource clock) {
        this.clock = clock;
    }

    void start() {
        started = clock.instant();
    }

    /** @param patience it is never longer than this */
    Duration left(Duration patience) {
        Instant since = started;
        Duration left = since == null ? LONGEST : LONGEST.minus(Duration.between(since, clock.instant()));
        Duration bounded = left.compareTo(patience) > 0 ? patience : left;
        return bounded.isNegative() ? Duration.ZERO : bounded;
    }
}
