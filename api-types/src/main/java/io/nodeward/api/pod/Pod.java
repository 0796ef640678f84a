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
 */
public record Pod(Metadata metadata, String nodeName, List<Toleration> tolerations, String qosClass, String phase)
        implements KubernetesObject {
    /** Annotation of a pod that shows a static pod. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    public Pod {
        tolerations = List.copyOf(tolerations);
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
    public List<String> truncatedFields() {
        return tolerations.size() <= MOST_ELEMENTS ? List.of() : List.of("spec.tolerations");
    }

    @Override
    public Pod withResourceVersion(String resourceVersion) {
        return new Pod(metadata.withResourceVersion(resourceVersion), nodeName, tolerations, qosClass, phase);
    }
}
