package io.nodeward.api.device;

import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.Projection;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Pod;
import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A ResourceClaim: which devices it has, and who uses them.
 *
 * @param allocated none while it has none; a device may be there several times, each time with tolerations of its own
 * @param reservedFor the pods that may use the devices
 * @param podGroups names of the PodGroups whose pods may use them, if they name the claim
 */
public record ResourceClaim(
        Metadata metadata, List<Allocated> allocated, List<PodReference> reservedFor, List<String> podGroups)
        implements KubernetesObject {
    private static final Shape STATUS = Shape.of(List.of(
            List.of("allocation", "devices", "results", "driver"), List.of("allocation", "devices", "results", "pool"),
            List.of("allocation", "devices", "results", "device"),
            List.of("allocation", "devices", "results", "tolerations"), List.of("reservedFor")));
    public static final Projection<ResourceClaim> PROJECTION =
            Projection.parts(Shape.of(List.of()), STATUS, (metadata, spec, status) -> of(metadata, status));

    /** A copy of what is given. */
    public ResourceClaim {
        allocated = List.copyOf(allocated);
        reservedFor = List.copyOf(reservedFor);
        podGroups = List.copyOf(podGroups);
    }

    /** @param tolerations of the request, as they were when it got the device: those in the spec do not count */
    public record Allocated(DeviceName device, List<Toleration> tolerations) {
        /** A copy of what is given. */
        public Allocated {
            tolerations = List.copyOf(tolerations);
        }

        private long heapBytes() {
            return 4L * Metadata.PER_TEXT + device.driver().length() + device.pool().length() + device.device().length()
                    + tolerations.stream().mapToLong(Toleration::heapBytes).sum();
        }

        private static Allocated of(Tree result) {
            return new Allocated(
                    new DeviceName(result.at("driver").string(), result.at("pool").string(),
                            result.at("device").string()),
                    result.at("tolerations").elements().stream().map(Toleration::of).toList());
        }
    }

    /**
     * A pod in the namespace of the claim.
     *
     * @param uid of the pod that is meant; another one of the same name is not
     */
    public record PodReference(String name, String uid) {}

    /** Of a status, whatever it holds: what does not name a device or a pod is left out. */
    public static ResourceClaim of(Metadata metadata, Tree status) {
        List<Allocated> allocated = status.at(List.of("allocation", "devices", "results")).elements().stream()
                .map(Allocated::of).filter(result -> result.device().isComplete()).toList();
        List<PodReference> pods = consumers(status, "", "pods")
                .map(consumer -> new PodReference(consumer.at("name").string(), consumer.at("uid").string()))
                .filter(pod -> !pod.name().isEmpty() && !pod.uid().isEmpty()).toList();
        List<String> groups = consumers(status, "scheduling.k8s.io", "podgroups")
                .map(consumer -> consumer.at("name").string()).filter(name -> !name.isEmpty()).toList();
        return new ResourceClaim(metadata, allocated, pods, groups);
    }

    private static Stream<Tree> consumers(Tree status, String group, String resource) {
        return status.at("reservedFor").elements().stream()
                .filter(consumer -> consumer.at("apiGroup").string().equals(group)
                        && consumer.at("resource").string().equals(resource));
    }

    /** Returns the keys of its consumers, as {@link Pod#consumers} has them. */
    public Set<ObjectKey> consumers() {
        return Stream.concat(reservedFor.stream().map(pod -> ObjectKey.clusterScoped(pod.uid())),
                podGroups.stream().map(group -> new ObjectKey(key().namespace(), group))).collect(Collectors.toSet());
    }

    /**
     * Returns whether this very pod may use the devices, and not another one of its name. Of a PodGroup only those pods do that name the
     * claim. A pod does not know the UID of its PodGroup: a claim that is reserved for a former group of the same name counts, as it does
     * for Kubernetes.
     */
    public boolean isReservedFor(Pod pod) {
        return key().namespace().equals(pod.key().namespace())
                && (reservedFor.contains(new PodReference(pod.key().name(), pod.metadata().uid()))
                        || pod.member().filter(member -> podGroups.contains(member.group())
                                && member.claims().contains(key().name())).isPresent());
    }

    /** API servers store at most 32 devices and 256 consumers of a claim. */
    @Override
    public List<String> truncatedFields() {
        List<String> fields = new ArrayList<>();
        if (allocated.size() > Projection.MOST_PARTS) {
            fields.add("status.allocation.devices.results");
        }
        if (reservedFor.size() + podGroups.size() > Projection.MOST_PARTS) {
            fields.add("status.reservedFor");
        }
        return fields;
    }

    /** All of it counts, and none of it is given up: a device that a claim has must not look as if nobody used it. */
    @Override
    public long heapBytes() {
        return KubernetesObject.super.heapBytes()
                + allocated.stream().mapToLong(Allocated::heapBytes).sum()
                + reservedFor.stream().mapToLong(
                        pod -> 2L * Metadata.PER_TEXT + pod.name().length() + pod.uid().length()).sum()
                + podGroups.stream().mapToLong(group -> Metadata.PER_TEXT + group.length()).sum();
    }

    @Override
    public ResourceClaim withResourceVersion(String resourceVersion) {
        return new ResourceClaim(metadata.withResourceVersion(resourceVersion), allocated, reservedFor, podGroups);
    }
}
