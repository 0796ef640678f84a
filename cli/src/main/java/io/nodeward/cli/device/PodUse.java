package io.nodeward.cli.device;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceClaim.Allocated;
import io.nodeward.api.device.ResourceClaim.PodReference;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import io.nodeward.cli.device.Device.Tainted;
import io.nodeward.core.rules.toleration.DeviceVerdict;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * A pod for which a claim that has the device is reserved.
 *
 * @param fates what each taint does to it that evicts pods; none if no taint can evict it
 */
record PodUse(ObjectKey pod, ObjectKey claim, Standing standing, List<Fate> fates) {
    PodUse {
        fates = List.copyOf(fates);
    }

    /** Whether the pod is there to be evicted. */
    enum Standing {
        RUNNING(""),
        UNKNOWN("it is not known whether it is there"),
        GONE("it is gone"),
        REPLACED("another pod has its name now"),
        PENDING("it is on no Node yet"),
        DELETING("it is being deleted"),
        ENDED("it has ended");

        final String words;

        Standing(String words) {
            this.words = words;
        }

        boolean mayBeEvicted() {
            return this == RUNNING || this == UNKNOWN;
        }

        private static Standing of(PodReference reference, Optional<Pod> pod, boolean known) {
            return pod.map(found -> found.metadata().uid().equals(reference.uid()) ? of(found) : REPLACED)
                    .orElse(known ? GONE : UNKNOWN);
        }

        private static Standing of(Pod pod) {
            if (pod.isFinished()) {
                return ENDED;
            }
            return pod.metadata().deleting() ? DELETING : pod.nodeName().isEmpty() ? PENDING : RUNNING;
        }
    }

    /**
     * What a taint does to the pod; one of a rule of Nodeward, what it would do with the effect NoExecute.
     *
     * @param seconds after which the pod is evicted, counted from when the taint was added; empty: never
     * @param toleration that decides it; empty if none counts
     * @param ignored one that Kubernetes does not count
     */
    record Fate(Tainted taint, OptionalLong seconds, Optional<Toleration> toleration, Optional<Toleration> ignored) {
        private static final Comparator<Fate> FIRST =
                Comparator.comparingLong(fate -> fate.seconds.orElse(Long.MAX_VALUE));
        private static final Comparator<Toleration> DECISIVE =
                Comparator.comparingLong(toleration -> toleration.seconds().orElse(Long.MIN_VALUE));

        /** The pod goes when one of the allocations does not tolerate the taint any more. */
        private static Fate of(Tainted taint, List<Allocated> allocations) {
            return allocations.stream().map(allocated -> ofOne(taint, allocated.tolerations())).min(FIRST)
                    .orElseThrow();
        }

        /** The eviction controller of Kubernetes looks only at tolerations that name the effect. */
        private static Fate ofOne(Tainted taint, List<Toleration> tolerations) {
            DeviceTaint executes =
                    new DeviceTaint(taint.taint().key(), taint.taint().value(), DeviceVerdict.NO_EXECUTE,
                            Instant.EPOCH);
            List<Toleration> matching = tolerations.stream()
                    .filter(toleration -> DeviceVerdict.tolerates(toleration, executes)).toList();
            List<Toleration> counted = matching.stream()
                    .filter(toleration -> !taint.isOfKubernetes()
                            || toleration.effect().equals(DeviceVerdict.NO_EXECUTE))
                    .toList();
            Optional<Instant> end = DeviceVerdict.of(List.of(executes), counted).evictAt();
            return new Fate(taint, end.map(Instant::getEpochSecond).map(OptionalLong::of).orElse(OptionalLong.empty()),
                    counted.stream().min(DECISIVE),
                    counted.isEmpty() ? matching.stream().findFirst() : Optional.empty());
        }
    }

    /** Returns the use by each pod for which a claim is reserved, by itself or as one of its PodGroup. */
    static List<PodUse> of(Device device, ResourceClaim claim, List<Tainted> taints, Pods pods) {
        List<Allocated> allocations = claim.allocated().stream()
                .filter(allocated -> allocated.device().equals(device.name())).toList();
        List<Fate> fates = taints.stream().filter(PodUse::evicts).map(taint -> Fate.of(taint, allocations)).toList();
        Map<ObjectKey, Standing> users = new TreeMap<>();
        pods.ofGroups(claim).forEach(pod -> users.put(pod.key(), Standing.of(pod)));
        claim.reservedFor().forEach(reference -> {
            ObjectKey key = new ObjectKey(claim.key().namespace(), reference.name());
            Optional<Pod> pod = pods.find().apply(key);
            users.putIfAbsent(key, Standing.of(reference, pod, pods.gap().get().isEmpty()));
        });
        return users.entrySet().stream().map(user -> new PodUse(user.getKey(), claim.key(), user.getValue(),
                user.getValue().mayBeEvicted() ? fates : List.of())).toList();
    }

    /** Returns whether the taint is asked what it does to pods: that of a rule of Nodeward is, whatever its effect. */
    private static boolean evicts(Tainted taint) {
        return taint.hasPreview() || taint.taint().effect().equals(DeviceVerdict.NO_EXECUTE);
    }
}
