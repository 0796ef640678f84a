package io.nodeward.api.node;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * A Node of a workload cluster, without its status.
 *
 * @param providerId empty until the cloud provider has set it
 * @param taints in the server's order
 * @param created as the server writes it, in RFC 3339; empty if it is not known
 */
public record Node(Metadata metadata, String providerId, List<Taint> taints, String created)
        implements KubernetesObject {
    private static final int PER_TAINT = 100;

    public Node {
        taints = List.copyOf(taints);
    }

    public Node(Metadata metadata, String providerId, List<Taint> taints) {
        this(metadata, providerId, taints, "");
    }

    @Override
    public long heapBytes() {
        long tainted = taints.stream().mapToLong(taint -> PER_TAINT + taint.json().length()).sum();
        return KubernetesObject.super.heapBytes() + providerId.length() + created.length() + tainted;
    }

    @Override
    public Node withResourceVersion(String resourceVersion) {
        return new Node(metadata.withResourceVersion(resourceVersion), providerId, taints, created);
    }
}
