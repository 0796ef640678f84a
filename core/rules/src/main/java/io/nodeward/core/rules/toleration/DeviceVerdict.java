package io.nodeward.core.rules.toleration;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.pod.Toleration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What the taints of one device mean for a claim with these tolerations.
 *
 * <p>A toleration without an effect tolerates NoExecute as any other effect. Kubernetes allocates by the same rule and
 * then evicts, as its eviction controller looks only at tolerations that name NoExecute.
 *
 * @param allocatable whether the device may be given to the claim
 * @param evictAt when pods that use it have to go; empty: never
 */
public record DeviceVerdict(boolean allocatable, Optional<Instant> evictAt) {
    /** The effect for which pods have to go. */
    public static final String NO_EXECUTE = "NoExecute";
    /** Devices know no comparisons. */
    private static final Tolerance TOLERANCE = Tolerance.DEFAULT;

    /** Unlike with Nodes, the toleration that lasts for ever wins, else the shortest, whatever their order. */
    public static DeviceVerdict of(List<DeviceTaint> taints, List<Toleration> tolerations) {
        boolean allocatable = true;
        Optional<Instant> evictAt = Optional.empty();
        for (DeviceTaint taint : taints) {
            boolean executes = taint.effect().equals(NO_EXECUTE);
            if (!executes && !taint.effect().equals("NoSchedule")) {
                continue;
            }
            List<Toleration> matching = tolerations.stream().filter(t -> tolerates(t, taint)).toList();
            allocatable &= !matching.isEmpty();
            if (executes) {
                evictAt = earlier(evictAt, end(taint, matching));
            }
        }
        return new DeviceVerdict(allocatable, evictAt);
    }

    /** Returns whether Kubernetes evicts pods, now or later: up to 1.37 it looks only at tolerations that name NoExecute. */
    public static boolean isEvictedByKubernetes(List<DeviceTaint> taints, List<Toleration> tolerations) {
        return of(taints, tolerations.stream().filter(toleration -> toleration.effect().equals(NO_EXECUTE)).toList())
                .evictAt().isPresent();
    }

    /** Whether the toleration is for the taint, whatever its time. */
    public static boolean tolerates(Toleration toleration, DeviceTaint taint) {
        return TOLERANCE.tolerates(toleration, taint.key(), taint.value(), taint.effect());
    }

    private static Optional<Instant> end(DeviceTaint taint, List<Toleration> matching) {
        if (matching.stream().anyMatch(toleration -> toleration.seconds().isEmpty())) {
            return Optional.empty();
        }
        long seconds = matching.stream()
                .mapToLong(toleration -> Math.max(0, toleration.seconds().getAsLong()))
                .min()
                .orElse(0);
        long longest = Duration.between(taint.added(), Instant.MAX).toSeconds();
        return Optional.of(taint.added().plusSeconds(Math.min(seconds, longest)));
    }

    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.or(() -> other);
        }
        return one.get().isBefore(other.get()) ? one : other;
    }
}
