package io.nodeward.controller.devices;

import io.nodeward.api.device.DeviceClass;
import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.api.device.ResourceClaim;
import io.nodeward.api.device.ResourceSlice;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.device.DeviceKey.Kind;
import io.nodeward.core.rules.device.DeviceView;
import io.nodeward.core.rules.device.TaintSource;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.controller.MapFunction;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The objects that decide what rules select, which devices have taints of DeviceTaintSlices, and whom that concerns.
 *
 * @param taintSlices a cluster may lack the kind
 */
record DeviceCaches(
        ObjectCache<CustomResource<DeviceTaintRule>> rules,
        ObjectCache<CustomResource<DeviceTaintSlice>> taintSlices,
        ObjectCache<DeviceClass> classes,
        ObjectCache<ResourceSlice> slices,
        ObjectCache<ResourceClaim> claims,
        ObjectCache<Pod> pods) {
    /** The plurals of resource.k8s.io. */
    private static final Set<String> DEVICE_KINDS = Set.of("deviceclasses", "resourceslices", "resourceclaims");
    /** Claims by the devices that they have. */
    static final Index<ResourceClaim> OF_DEVICE = new Index<>("device",
            claim -> claim.allocated().stream().map(each -> each.device().toString()).distinct().toList());
    /** Claims by the keys of the pods and PodGroups for which they are reserved. */
    static final Index<ResourceClaim> OF_CONSUMER = new Index<>("consumer",
            claim -> claim.consumers().stream().map(ObjectKey::toString).toList());
    /** Pods by the keys of their PodGroups. */
    static final Index<Pod> OF_GROUP =
            new Index<>("podgroup", pod -> pod.podGroup().stream().map(ObjectKey::toString).toList());

    /** Slices whose devices are not known. */
    static final Index<ResourceSlice> UNKNOWN =
            new Index<>("unknown devices", slice -> slice.known() ? List.of() : List.of(""));

    /** Returns the objects as they are at each moment. */
    DeviceView view() {
        return new DeviceView(rules::get, taintSlices::get, classes::get, slices::get, claims::get, this::claims,
                consumer -> claims.find(OF_CONSUMER, consumer.toString()), this::users);
    }

    /** Returns how many slices there are whose devices are not known. */
    int unknownSlices() {
        return slices.count(UNKNOWN, "");
    }

    /** Returns all rules if it becomes known or unknown which devices a slice has: their status counts the unknown slices. */
    Set<ObjectKey> mapUnknown(@Nullable ResourceSlice before, @Nullable ResourceSlice after) {
        return MapFunction.differs(before, after, UNKNOWN.values())
                && MapFunction.both(before, after).anyMatch(slice -> !slice.known())
                        ? rules.all().stream().map(CustomResource::key).collect(Collectors.toSet())
                        : Set.of();
    }

    Collection<ResourceClaim> claims(DeviceName device) {
        return claims.find(OF_DEVICE, device.toString());
    }

    /** Returns all claims that are reserved for a pod, by itself or as one of its PodGroup. */
    Collection<ResourceClaim> claims(Pod pod) {
        return pod.consumers().flatMap(consumer -> claims.find(OF_CONSUMER, consumer.toString()).stream()).distinct()
                .toList();
    }

    /** Returns the pods for which a claim is reserved, as far as they have been seen. */
    Collection<Pod> users(ResourceClaim claim) {
        String namespace = claim.key().namespace();
        return Stream.concat(
                claim.reservedFor().stream().flatMap(pod -> pods.get(new ObjectKey(namespace, pod.name())).stream()),
                claim.podGroups().stream()
                        .flatMap(group -> pods.find(OF_GROUP, new ObjectKey(namespace, group).toString()).stream()))
                .filter(claim::isReservedFor).distinct().toList();
    }

    /** Returns the objects of a kind that declares taints. */
    ObjectCache<? extends CustomResource<?>> declared(Kind kind) {
        return kind == Kind.RULE ? rules : taintSlices;
    }

    /** Returns whether the object is there at this moment and declares what was seen. */
    boolean isDeclared(TaintSource seen) {
        CustomResource<?> object = seen.object();
        return declared(seen.key().kind()).get(object.key()).filter(now -> !now.metadata().deleting()
                && now.metadata().uid().equals(object.metadata().uid())
                && now.generation() == object.generation() && now.spec().equals(object.spec())).isPresent();
    }

    /** Returns all caches without which nothing can be counted, by the plurals of their kinds. */
    Map<String, ObjectCache<?>> all() {
        Map<String, ObjectCache<?>> all = new LinkedHashMap<>();
        all.put("devicetaintrules", rules);
        all.put("deviceclasses", classes);
        all.put("resourceslices", slices);
        all.put("resourceclaims", claims);
        all.put("pods", pods);
        return all;
    }

    /** Returns what has to be seen before anything can be counted, as a status says it; empty if all has been. */
    Optional<String> awaited() {
        List<String> kinds = unseen();
        return kinds.isEmpty() ? Optional.empty()
                : Optional.of("all " + String.join(", ", kinds)
                        + " of the cluster. The controller needs the right to list and watch them"
                        + (kinds.stream().anyMatch(DEVICE_KINDS::contains)
                                ? "; Kubernetes serves resource.k8s.io/v1 from 1.34 on"
                                : ""));
    }

    /** Returns the plurals of the kinds that have not been seen yet. */
    List<String> unseen() {
        return all().entrySet().stream().filter(kind -> !kind.getValue().synced()).map(Map.Entry::getKey).toList();
    }
}
