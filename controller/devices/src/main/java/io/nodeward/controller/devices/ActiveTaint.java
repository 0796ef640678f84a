package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.EvictionCauses;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.rules.device.TaintSource.Evicting;
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
record ActiveTaint(TaintSource source, Evicting taint, Set<Use> uses) {
    /**
     * The use of devices by a pod, through a claim.
     *
     * @param isOnNode whether this very pod may be evicted
     */
    private record Use(ObjectKey pod, String uid, boolean isOnNode, List<ResourceClaim.Allocated> devices) {
        static Stream<Use> of(ResourceClaim claim, DeviceCaches caches) {
            return caches.users(claim).stream().map(pod -> new Use(pod.key(), pod.metadata().uid(),
                    EvictionCauses.isOnNode(pod), claim.allocated()));
        }
    }

    static ActiveTaint of(TaintSource source, Evicting taint, DeviceCaches caches) {
        return new ActiveTaint(source, taint, taint.devices().stream()
                .flatMap(device -> caches.claims(device).stream()).distinct()
                .flatMap(claim -> Use.of(claim, caches)).collect(Collectors.toSet()));
    }

    /** Returns those of the devices that have the taint at this moment, if it is still what was decided on. */
    Set<DeviceName> holds(Devices devices, Set<DeviceName> some) {
        return devices.caches().isDeclared(source) ? devices.selected(source.object(), some) : Set.of();
    }

    /** Returns the pods for which something is another than it was before, those too that no longer use one of the devices. */
    Set<ObjectKey> podsSince(Optional<ActiveTaint> before) {
        Set<Use> known = before.filter(other -> other.taint.uid().equals(taint.uid())
                && other.taint.rule().equals(taint.rule())).map(ActiveTaint::uses).orElse(Set.of());
        Stream<Use> ended = before.stream().flatMap(other -> other.uses.stream()).filter(use -> !uses.contains(use));
        return Stream.concat(uses.stream().filter(use -> !known.contains(use)), ended).map(Use::pod)
                .collect(Collectors.toSet());
    }
}
