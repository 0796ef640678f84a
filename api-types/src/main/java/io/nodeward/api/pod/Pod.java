package io.nodeward.api.pod;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A Pod, as far as taints are concerned.
 *
 * @param nodeName empty until it is scheduled
 * @param tolerations in the server's order, which decides how long a taint is tolerated
 * @param qosClass {@code Guaranteed}, {@code Burstable} or {@code BestEffort}; empty if the status does not say it
 * @param phase as {@code Pending} or {@code Running}; empty if the status does not say it
 * @param truncatedFields the fields that have more than is kept of one pod; what the pod tolerates is not known if there are any
 */
public record Pod(
        Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase,
        List<String> truncatedFields) implements KubernetesObject {
    /** Distinct tolerations that are kept of a pod. */
    public static final int MOST_TOLERATIONS = 64;

    /** Annotation of a pod that shows a static pod. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    public Pod {
        tolerations = List.copyOf(tolerations);
        truncatedFields = List.copyOf(truncatedFields);
    }

    /** Makes one of which all is known. */
    public Pod(Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase) {
        this(metadata, nodeName, tolerations, qosClass, phase, List.of());
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
    public Pod withResourceVersion(String resourceVersion) {
        return new Pod(metadata.withResourceVersion(resourceVersion), nodeName, tolerations, qosClass, phase,
                truncatedFields);
    }
}
