package io.nodeward.core.rules.device;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.preview.Sample;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The devices and pods that a DeviceTaintSlice is about.
 *
 * @param published how many of the devices that it names ResourceSlices publish
 * @param generation the newest of the pool, whose slices may not all be there yet; empty if no ResourceSlice has the pool
 * @param unknown the names of the others, in order: at most one for each taint
 * @param evicted pods that its taints with the effect NoExecute evict, now or later, as {@code namespace/name}
 * @param namespaces of these pods
 */
public record ListedDevices(
        int published, OptionalLong generation, List<String> unknown, Sample evicted, int namespaces) {
    /** A copy of what is given. */
    public ListedDevices {
        unknown = List.copyOf(unknown);
    }

    /**
     * Returns them for one DeviceTaintSlice.
     *
     * @param published whether the newest generation of its pool has a device
     * @param generation the newest of its pool
     * @param claims all that have a device
     * @param pods for which a claim is reserved
     */
    public static ListedDevices of(
            DeviceTaintSlice slice, Predicate<DeviceName> published, OptionalLong generation,
            Function<DeviceName, ? extends Collection<ResourceClaim>> claims,
            Function<ResourceClaim, Collection<Pod>> pods) {
        SortedSet<String> unknown = new TreeSet<>();
        SortedSet<String> known = new TreeSet<>();
        slice.taints().forEach(entry -> (published.test(slice.name(entry)) ? known : unknown).add(entry.device()));
        Collection<ObjectKey> evicted = evicted(
                ListedTaints.evicting(slice, any -> Instant.EPOCH), claims, pods);
        return new ListedDevices(known.size(), generation, List.copyOf(unknown),
                Sample.of(evicted.stream().map(ObjectKey::toString).toList()),
                (int) evicted.stream().map(ObjectKey::namespace).distinct().count());
    }

    /** Returns the fields of the status. */
    Tree tree() {
        Map<String, Object> fields =
                new HashMap<>(Map.of("devices", published, "unknown", unknown, "pods", evicted.count()));
        generation.ifPresent(newest -> fields.put("poolGeneration", newest));
        return Tree.of(fields);
    }

    private static Collection<ObjectKey> evicted(
            Map<DeviceName, Map<String, DeviceTaintRule>> taints,
            Function<DeviceName, ? extends Collection<ResourceClaim>> find,
            Function<ResourceClaim, Collection<Pod>> pods) {
        Map<ObjectKey, ResourceClaim> claims = new HashMap<>();
        taints.keySet().forEach(device -> find.apply(device).forEach(claim -> claims.put(claim.key(), claim)));
        return claims.values().stream().flatMap(claim -> pods.apply(claim).stream()).distinct()
                .filter(pod -> evicts(pod, claims.values(), taints)).map(Pod::key).collect(Collectors.toSet());
    }

    private static boolean evicts(
            Pod pod, Collection<ResourceClaim> claims, Map<DeviceName, Map<String, DeviceTaintRule>> taints) {
        return !EvictionCauses.of(pod, claims, device -> taints.getOrDefault(device, Map.of())).causes().isEmpty();
    }
}
