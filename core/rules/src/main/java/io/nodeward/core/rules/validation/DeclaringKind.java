package io.nodeward.core.rules.validation;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A kind whose objects declare taints, and where they do it. Versions of a kind differ in some places; each is looked
 * for in all of them.
 */
public enum DeclaringKind {
    MACHINE("Machine", "machines",
            List.of("spec.taints"),
            List.of("metadata.annotations")),
    MACHINE_SET("MachineSet", "machinesets",
            List.of("spec.template.spec.taints"),
            List.of("spec.template.metadata.annotations")),
    MACHINE_DEPLOYMENT("MachineDeployment", "machinedeployments",
            List.of("spec.template.spec.taints"),
            List.of("spec.template.metadata.annotations")),
    MACHINE_POOL("MachinePool", "machinepools",
            List.of("spec.template.spec.taints"),
            List.of("spec.template.metadata.annotations")),
    CLUSTER("Cluster", "clusters",
            List.of("spec.topology.controlPlane.taints",
                    "spec.topology.workers.machineDeployments[name].taints",
                    "spec.topology.workers.machinePools[name].taints"),
            List.of("spec.topology.controlPlane.metadata.annotations",
                    "spec.topology.workers.machineDeployments[name].metadata.annotations",
                    "spec.topology.workers.machinePools[name].metadata.annotations")),
    CLUSTER_CLASS("ClusterClass", "clusterclasses",
            List.of("spec.controlPlane.taints",
                    "spec.workers.machineDeployments[class].taints",
                    "spec.workers.machinePools[class].taints"),
            List.of("spec.controlPlane.metadata.annotations",
                    "spec.workers.machineDeployments[class].metadata.annotations",
                    "spec.workers.machineDeployments[class].template.metadata.annotations",
                    "spec.workers.machinePools[class].metadata.annotations",
                    "spec.workers.machinePools[class].template.metadata.annotations")),
    KUBEADM_CONTROL_PLANE("KubeadmControlPlane", "kubeadmcontrolplanes",
            List.of("spec.machineTemplate.spec.taints",
                    "spec.machineTemplate.taints"),
            List.of("spec.machineTemplate.metadata.annotations")),
    KUBEADM_CONTROL_PLANE_TEMPLATE("KubeadmControlPlaneTemplate", "kubeadmcontrolplanetemplates",
            List.of("spec.template.spec.machineTemplate.spec.taints",
                    "spec.template.spec.machineTemplate.taints"),
            List.of("spec.template.spec.machineTemplate.metadata.annotations"));

    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final String CORE = "cluster.x-k8s.io";

    private final String kind;
    private final String plural;
    private final List<DeclaringPlace> taints;
    private final List<DeclaringPlace> annotations;

    DeclaringKind(String kind, String plural, List<String> taints, List<String> annotations) {
        this.kind = kind;
        this.plural = plural;
        this.taints = taints.stream().map(DeclaringPlace::parse).toList();
        this.annotations = annotations.stream().map(DeclaringPlace::parse).toList();
    }

    /** As in an object's {@code kind}. */
    public String kind() {
        return kind;
    }

    /** As in paths of the API. */
    public String plural() {
        return plural;
    }

    public String group() {
        return kind.startsWith("Kubeadm") ? CONTROL_PLANE : CORE;
    }

    /** Where its lists of taints are. */
    public List<DeclaringPlace> taints() {
        return taints;
    }

    /** Where annotations are that declare taints. */
    public List<DeclaringPlace> annotations() {
        return annotations;
    }

    /** Empty for a kind whose objects declare no taints. */
    public static Optional<DeclaringKind> of(String group, String kind) {
        return Arrays.stream(values()).filter(k -> k.kind.equals(kind) && k.group().equals(group)).findFirst();
    }
}
