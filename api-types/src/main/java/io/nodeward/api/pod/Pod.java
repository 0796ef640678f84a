package io.nodeward.api.pod;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A Pod, as far as taints are concerned.
 *
 * @param nodeName empty until it is scheduled
 * @param tolerations in the server's order, which decides how long a taint is tolerated
 * @param qosClass {@code Guaranteed}, {@code Burstable} or {@code BestEffort}; empty if the status does not say it
 * @param phase as {@code Pending} or {@code Running}; empty if the status does not say it
 * @param member its place in a PodGroup; empty if it has none, or if the reader of the pod leaves it out
 * @param truncatedFields the fields that have more than is kept of one pod; what the pod tolerates is not known if there are any
 */
public record Pod(
        Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase,
        Optional<PodGroupMember> member, List<String> truncatedFields) implements KubernetesObject {
    /** Distinct tolerations that are kept of a pod. */
    public static final int MOST_TOLERATIONS = 64;

    /** Annotation of a pod that shows a static pod. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    public Pod {
        tolerations = List.copyOf(tolerations);
        truncatedFields = List.copyOf(truncatedFields);
    }

    /** Makes a pod without a PodGroup. */
    public Pod(Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase,
            List<String> truncatedFields) {
        this(metadata, nodeName, tolerations, qosClass, phase, Optional.empty(), truncatedFields);
    }

    /** Makes a pod without a PodGroup, of which all is known. */
    public Pod(Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase) {
        this(metadata, nodeName, tolerations, qosClass, phase, List.of());
    }

    /**
     * Returns the keys by which claims name their consumers: the UID of this pod, without a namespace, and the key of its PodGroup. A
     * ResourceClaim has {@linkplain io.nodeward.api.device.ResourceClaim#consumers() keys of the same form}.
     */
    public Stream<ObjectKey> consumers() {
        return Stream.concat(Stream.of(ObjectKey.clusterScoped(metadata.uid())), podGroup().stream());
    }

    /** Returns the key of its PodGroup; empty if it has none. */
    public Optional<ObjectKey> podGroup() {
        return member.map(found -> new ObjectKey(key().namespace(), found.group()));
    }

    /** Whether it has more than is kept of one pod, so that nobody may say what it tolerates. */
    public boolean isTruncated() {
        return !truncatedFields.isEmpty();
    }

    /** Whether this shows a static pod of a kubelet, which starts it whatever taints there are. */
    public boolean isMirror() {
        return metadata.annotations().containsKey(MIRROR);
    }

    /** Whether it has come to its end. */
    public boolean isFinished() {
        return phase.equals("Succeeded") || phase.equals("Failed");
    }

    @Override
    public long heapBytes() {
        return KubernetesObject.super.heapBytes() + member.map(PodGroupMember::heapBytes).orElse(0L);
    }

    @Override
    public Pod withResourceVersion(String resourceVersion) {
        return new Pod(metadata.withResourceVersion(resourceVersion), nodeName, tolerations, qosClass, phase,
                member, truncatedFields);
    }
}
