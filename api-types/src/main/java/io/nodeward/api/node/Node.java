package io.nodeward.api.node;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A Node of a workload cluster, without its status.
 *
 * @param providerId empty until the cloud provider has set it
 * @param taints in the server's order
 */
public record Node(Metadata metadata, String providerId, List<Taint> taints) implements KubernetesObject {
    public Node {
        taints = List.copyOf(taints);
    }

    @Override
    public Node withResourceVersion(String resourceVersion) {
        return new Node(metadata.withResourceVersion(resourceVersion), providerId, taints);
    }
}
