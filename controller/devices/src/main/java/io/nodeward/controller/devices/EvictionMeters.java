package io.nodeward.controller.devices;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/** The metrics of evictions, under the names that Kubernetes' own eviction controller gives them. */
final class EvictionMeters {
    private static final String PREFIX = "device.taint.eviction.controller.pod.deletion";
    private static final Duration[] BUCKETS = Stream.of(5, 25, 100, 500, 1_000, 2_500, 10_000, 30_000, 60_000, 120_000,
            180_000, 240_000).map(Duration::ofMillis).toArray(Duration[]::new);

    /** The longest time that is recorded: sums are of nanoseconds and end at 292 years, and a taint may be older. */
    private static final Duration LONGEST = Duration.ofDays(1);

    private final Counter deletions;
    private final Timer duration;

    EvictionMeters(MeterRegistry registry) {
        this.deletions = Counter.builder(PREFIX + "s").description("Pods deleted because of DeviceTaintRules")
                .register(registry);
        this.duration = Timer.builder(PREFIX + ".duration").serviceLevelObjectives(BUCKETS)
                .description(
                        "From when a pod had to go until it was deleted: evictionsPerSecond is in it; at most a day")
                .register(registry);
    }

    /** @param due when the pod first had to go, whichever taint that was for */
    void deleted(Instant due, Instant now) {
        deletions.increment();
        Duration took = Duration.between(due, now);
        duration.record(took.compareTo(LONGEST) < 0 ? took : LONGEST);
    }
}
