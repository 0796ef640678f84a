package io.nodeward.e2e.controlplane;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A Machine to create.
 *
 * @param providerId empty for one whose infrastructure is not there yet
 * @param controlled whether the cluster's GenericControlPlane is its controller owner; else it stands alone
 */
public record MachineSpec(
        String name,
        String cluster,
        String providerId,
        Map<String, String> labels,
        Map<String, String> annotations,
        List<Map<String, String>> taints,
        boolean controlled) {
    public MachineSpec {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        taints = List.copyOf(taints);
    }

    /** A Machine whose Node is called the same. */
    public static MachineSpec named(String name, String cluster) {
        return new MachineSpec(name, cluster, Fleet.providerId(name), Map.of(), Map.of(), List.of(), true);
    }

    public MachineSpec withProviderId(String id) {
        return new MachineSpec(name, cluster, id, labels, annotations, taints, controlled);
    }

    public MachineSpec withLabels(Map<String, String> all) {
        return new MachineSpec(name, cluster, providerId, all, annotations, taints, controlled);
    }

    public MachineSpec withAnnotations(Map<String, String> all) {
        return new MachineSpec(name, cluster, providerId, labels, all, taints, controlled);
    }

    /** One more taint; an empty value is left out. */
    public MachineSpec withTaint(String key, String value, String effect, String propagation) {
        List<Map<String, String>> more = new ArrayList<>(taints);
        more.add(value.isEmpty()
                ? Map.of("key", key, "effect", effect, "propagation", propagation)
                : Map.of("key", key, "value", value, "effect", effect, "propagation", propagation));
        return new MachineSpec(name, cluster, providerId, labels, annotations, more, controlled);
    }

    /** Without controller owner. */
    public MachineSpec standingAlone() {
        return new MachineSpec(name, cluster, providerId, labels, annotations, taints, false);
    }
}
