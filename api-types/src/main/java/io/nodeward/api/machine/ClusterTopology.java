package io.nodeward.api.machine;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;

/**
 * The taints that a Cluster's {@code spec.topology} declares, from v1beta2 or v1beta1.
 *
 * @param classNamespace of the ClusterClass; the Cluster's own unless it names another
 * @param className of the ClusterClass; empty if the Cluster has no topology
 * @param controlPlaneRef {@code spec.controlPlaneRef}
 */
public record ClusterTopology(
        Metadata metadata,
        String classNamespace,
        String className,
        ControlPlaneRef controlPlaneRef,
        List<MachineTaint> controlPlane,
        List<Workers> machineDeployments,
        List<Workers> machinePools)
        implements KubernetesObject {
    public ClusterTopology {
        controlPlane = List.copyOf(controlPlane);
        machineDeployments = List.copyOf(machineDeployments);
        machinePools = List.copyOf(machinePools);
    }

    /** The object that makes the control plane, its group without a version; empty texts if the Cluster names none. */
    public record ControlPlaneRef(String group, String kind, String name) {
        public static final ControlPlaneRef NONE = new ControlPlaneRef("", "", "");
    }

    /**
     * One group of workers.
     *
     * @param name within the topology
     * @param className the class of workers it is made of
     */
    public record Workers(String name, String className, List<MachineTaint> taints) {
        public Workers {
            taints = List.copyOf(taints);
        }
    }

    @Override
    public ClusterTopology withResourceVersion(String resourceVersion) {
        return new ClusterTopology(metadata.withResourceVersion(resourceVersion), classNamespace, className,
                controlPlaneRef, controlPlane, machineDeployments, machinePools);
    }
}
