package io.nodeward.core.rules.toleration;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * When the taint eviction controller deletes a pod that runs on a Node, counted from when the controller first sees the
 * pod and these taints together; {@code timeAdded} plays no part. Budgets, priorities and grace periods neither.
 */
public sealed interface Eviction {
    /** Not because of these taints. */
    record Never() implements Eviction {}

    /** At once. */
    record Now() implements Eviction {}

    /** Later, if nothing changes. */
    record After(Duration time) implements Eviction {}

    /** Only taints with effect NoExecute evict. */
    static Eviction of(List<Taint> taints, List<Toleration> tolerations, Tolerance tolerance) {
        List<Toleration> used = new ArrayList<>();
        for (Taint taint : taints) {
            if (Tolerance.isNoExecute(taint)) {
                Optional<Toleration> first = tolerance.first(tolerations, taint);
                if (first.isEmpty()) {
                    return new Now();
                }
                used.add(first.get());
            }
        }
        return ofShortest(used.stream()
                .filter(toleration -> toleration.seconds().isPresent())
                .mapToLong(toleration -> toleration.seconds().getAsLong())
                .min());
    }

    private static Eviction ofShortest(OptionalLong seconds) {
        if (seconds.isEmpty() || seconds.getAsLong() == Long.MAX_VALUE) {
            return new Never();
        }
        if (seconds.getAsLong() <= 0) {
            return new Now();
        }
        // The controller counts nanoseconds in 64 bits and takes a negative number for "never": more than 292 years
        // wrap around. The answer has to be what it does.
        long nanos = seconds.getAsLong() * 1_000_000_000L;
        if (nanos < 0) {
            return new Never();
        }
        return nanos == 0 ? new Now() : new After(Duration.ofNanos(nanos));
    }
}
