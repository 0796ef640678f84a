package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.device.Eviction;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What evicts.
 *
 * @param origin kind and name of the object that declares it
 * @param devices that it selects and claims have
 * @param isDeclared whether it is declared at this moment
 * @param keptOff devices of which the scheduler knows it at this moment, if it has to
 * @param selected those of some devices that it selects at this moment
 */
record Acting(
        String uid, String origin, DeviceTaintRule declared, Set<DeviceName> devices, BooleanSupplier isDeclared,
        Supplier<Predicate<DeviceName>> keptOff, UnaryOperator<Set<DeviceName>> selected) {
    /** Those of some devices for which it evicts at this moment. */
    Set<DeviceName> inEffect(Set<DeviceName> some) {
        return isDeclared.getAsBoolean()
                ? selected.apply(some).stream().filter(keptOff.get()).collect(Collectors.toSet())
                : Set.of();
    }

    /** @param uses of the devices, when it was decided that this evicts: those that listeners know */
    record Told(Acting what, Set<Use> uses) {
        static Told of(Acting what, DeviceCaches caches) {
            return new Told(what, what.devices.stream().flatMap(device -> caches.claims(device).stream()).distinct()
                    .flatMap(claim -> Use.of(claim, caches)).collect(Collectors.toSet()));
        }

        /** Pods for which something is another than it was before. */
        Set<ObjectKey> since(@Nullable Told before) {
            Set<Use> known = before != null && before.what.uid.equals(what.uid)
                    && before.what.declared.equals(what.declared) ? before.uses : Set.of();
            return uses.stream().filter(use -> !known.contains(use)).map(Use::pod).collect(Collectors.toSet());
        }
    }

    /**
     * By a pod, through a claim.
     *
     * @param isOnNode whether this very pod may be evicted
     */
    record Use(ObjectKey pod, String uid, boolean isOnNode, List<ResourceClaim.Allocated> devices) {
        static Stream<Use> of(ResourceClaim claim, DeviceCaches caches) {
            return claim.reservedFor().stream().map(user -> {
                ObjectKey pod = new ObjectKey(claim.key().namespace(), user.name());
                return new Use(pod, user.uid(), caches.pods().get(pod).filter(
                        found -> found.metadata().uid().equals(user.uid()) && Eviction.isOnNode(found)).isPresent(),
                        claim.allocated());
            });
        }
    }
}
