package io.nodeward.core.rules.device;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Why a pod has to go, and when. It uses the devices of the claims that are reserved for it, and a claim tolerates taints as
 * it did when it got its devices.
 *
 * @param causes the earliest first; none if it stays
 */
public record EvictionCauses(List<Cause> causes) {
    public static final EvictionCauses NONE = new EvictionCauses(List.of());

    /**
     * A rule, and a device that the pod uses through a claim.
     *
     * @param at when the pod has to go for it
     */
    public record Cause(
            String rule, RuleTaint taint, EvictionMode mode, DeviceName device, ResourceClaim claim, Instant at) {
        private Duration patience(Instant now) {
            return mode.patience(taint.timeAdded().orElse(at), now);
        }
    }

    /** A copy of what is given. */
    public EvictionCauses {
        causes = List.copyOf(causes);
    }

    /**
     * Returns the eviction of one pod. A pod that has no Node, has ended or is being deleted stays or goes by itself.
     *
     * @param rules that evict and select a device, by name; one whose taint has no time evicts nobody yet
     */
    public static EvictionCauses of(
            Pod pod, Collection<ResourceClaim> claims, Function<DeviceName, Map<String, DeviceTaintRule>> rules) {
        return isOnNode(pod)
                ? new EvictionCauses(claims.stream().filter(claim -> claim.isReservedFor(pod))
                        .flatMap(claim -> claim.allocated().stream().flatMap(device -> rules.apply(device.device())
                                .entrySet().stream()
                                .flatMap(rule -> cause(rule.getKey(), rule.getValue(), claim, device))))
                        .sorted(Comparator.comparing(Cause::at).thenComparing(Cause::rule)
                                .thenComparing(cause -> cause.device().toString()))
                        .toList())
                : NONE;
    }

    /** Returns whether it may be evicted: one without a Node is not, and one that is being deleted or has ended is gone anyway. */
    public static boolean isOnNode(Pod pod) {
        return !pod.nodeName().isEmpty() && !pod.metadata().deleting() && !pod.isFinished();
    }

    private static Stream<Cause> cause(
            String rule, DeviceTaintRule declared, ResourceClaim claim, ResourceClaim.Allocated device) {
        RuleTaint taint = declared.taint();
        return taint.timeAdded()
                .map(time -> new DeviceTaint(taint.key(), taint.value(), taint.effect(), time))
                .flatMap(added -> DeviceVerdict.of(List.of(added), device.tolerations()).evictAt())
                .map(at -> new Cause(rule, taint, declared.eviction(), device.device(), claim, at)).stream();
    }

    /** Returns when the pod has to go; empty if it stays. */
    public Optional<Instant> first() {
        return causes.stream().map(Cause::at).findFirst();
    }

    /** Returns why the pod has to go by now. */
    public List<Cause> due(Instant now) {
        return causes.stream().filter(cause -> !cause.at().isAfter(now)).toList();
    }

    /**
     * Returns the causes for which a pod goes. These are the causes that ask no budget, if there are any: the pace of a rule that
     * respects budgets permits no deletion.
     *
     * @param due why the pod has to go by now
     */
    public static List<Cause> decisive(List<Cause> due, Instant now) {
        List<Cause> deleting = due.stream().filter(cause -> !cause.patience(now).isPositive()).toList();
        return deleting.isEmpty() ? due : deleting;
    }

    /**
     * Returns how long PodDisruptionBudgets may still hold up a pod; if that is not positive, it is deleted whatever they say. One
     * cause that does not respect them, or whose deadline is over, is enough.
     *
     * @param due why the pod has to go by now
     */
    public static Duration patience(List<Cause> due, Instant now) {
        return due.stream().map(cause -> cause.patience(now)).min(Duration::compareTo).orElse(Duration.ZERO);
    }
}
