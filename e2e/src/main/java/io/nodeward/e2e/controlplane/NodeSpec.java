package io.nodeward.e2e.controlplane;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a kubelet registers its Node.
 *
 * @param providerId empty for a kubelet that waits for a cloud provider to tell it
 * @param taints what {@code --register-with-taints} would say
 * @param notReady whether to keep the {@code node.kubernetes.io/not-ready} taint that admission puts on every new Node
 */
public record NodeSpec(
        String name,
        String providerId,
        Map<String, String> labels,
        List<Map<String, String>> taints,
        boolean notReady) {
    public NodeSpec {
        labels = Map.copyOf(labels);
        taints = List.copyOf(taints);
    }

    /** A ready Node without taints. */
    public static NodeSpec named(String name) {
        return new NodeSpec(name, Fleet.providerId(name), Map.of(), List.of(), false);
    }

    public NodeSpec withProviderId(String id) {
        return new NodeSpec(name, id, labels, taints, notReady);
    }

    public NodeSpec withLabels(Map<String, String> all) {
        return new NodeSpec(name, providerId, all, taints, notReady);
    }

    /** One more taint; an empty value is left out. */
    public NodeSpec withTaint(String key, String value, String effect) {
        List<Map<String, String>> more = new ArrayList<>(taints);
        more.add(value.isEmpty()
                ? Map.of("key", key, "effect", effect)
                : Map.of("key", key, "value", value, "effect", effect));
        return new NodeSpec(name, providerId, labels, more, notReady);
    }

    /** As workers of Cluster API register: nothing may run there until the Machine's labels and taints are on it. */
    public NodeSpec uninitialized() {
        return withTaint("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule");
    }

    /** With the taint of a Node whose kubelet has not reported yet. */
    public NodeSpec keepingNotReady() {
        return new NodeSpec(name, providerId, labels, taints, true);
    }
}
