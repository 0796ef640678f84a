package io.nodeward.cli.device;

import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pods of the cluster, which are asked for one by one, as few use one device. Those of a PodGroup come with their namespace.
 *
 * @param find returns a pod, if it is there and may be read
 * @param inNamespace returns the pods of a namespace, as far as they may be read
 * @param gap returns why a pod that was asked for may be there all the same, if it may
 */
record Pods(
        Function<ObjectKey, Optional<Pod>> find, Function<String, List<Pod>> inNamespace,
        Supplier<Optional<String>> gap) {
    /** Returns the pods for which a claim is reserved. */
    List<Pod> users(ResourceClaim claim) {
        return Stream.concat(
                claim.reservedFor().stream()
                        .flatMap(pod -> find.apply(new ObjectKey(claim.key().namespace(), pod.name())).stream())
                        .filter(claim::isReservedFor),
                ofGroups(claim).stream()).distinct().toList();
    }

    /** Returns the pods that use a claim which is reserved for their PodGroup. */
    List<Pod> ofGroups(ResourceClaim claim) {
        return claim.podGroups().isEmpty() ? List.of()
                : inNamespace.apply(claim.key().namespace()).stream().filter(claim::isReservedFor).toList();
    }
}
