package io.nodeward.controller.devices;

import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.controller.devices.DeclaredTaints.Evicting;
import io.nodeward.core.rules.device.Eviction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A taint that evicts pods, as it was decided on.
 *
 * @param uses of its devices, of which the queue knows the pods
 */
record ActiveEviction(DeclaredTaints declared, Evicting taint, Set<Use> uses) {
    /**
     * The use of devices by a pod, through a claim.
     *
     * @param isOnNode whether this very pod may be evicted
     */
    record Use(ObjectKey pod, String uid, boolean isOnNode, List<ResourceClaim.Allocated> devices) {}

    static ActiveEviction of(DeclaredTaints declared, Evicting taint, DeviceCaches caches) {
        return new ActiveEviction(declared, taint, taint.devices().stream()
                .flatMap(device -> caches.claims(device).stream()).distinct()
                .flatMap(claim -> uses(claim, caches)).collect(Collectors.toSet()));
    }

    private static Stream<Use> uses(ResourceClaim claim, DeviceCaches caches) {
        return claim.reservedFor().stream().map(user -> {
            ObjectKey pod = new ObjectKey(claim.key().namespace(), user.name());
            return new Use(pod, user.uid(), caches.pods().get(pod).filter(
                    found -> found.metadata().uid().equals(user.uid()) && Eviction.isOnNode(found)).isPresent(),
                    claim.allocated());
        });
    }

    /** Returns the pods for which something is another than it was before. */
    Set<ObjectKey> podsSince(Optional<ActiveEviction> before) {
        Set<Use> known = before.filter(other -> other.taint.uid().equals(taint.uid())
                && other.taint.rule().equals(taint.rule())).map(ActiveEviction::uses).orElse(Set.of());
        return uses.stream().filter(use -> !known.contains(use)).map(Use::pod).collect(Collectors.toSet());
    }
}
