package io.nodeward.core.runtime.metrics;

import java.time.Duration;
import java.util.stream.Stream;

/** Histogram buckets: those of controller-runtime, as far as they matter here. */
public final class Buckets {
    static final Duration[] SHORT =
            Stream.of(1, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000)
                    .map(Duration::ofMillis)
                    .toArray(Duration[]::new);

    /** For what a limit may hold up for hours. */
    public static final Duration[] LONG = Stream.concat(
            Stream.of(SHORT), Stream.of(5, 15, 60, 240).map(Duration::ofMinutes)).toArray(Duration[]::new);

    private Buckets() {}
}
