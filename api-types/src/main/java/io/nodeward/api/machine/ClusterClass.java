package io.nodeward.api.machine;

import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import java.util.List;
import java.util.Map;

/**
 * The taints that a ClusterClass declares, from v1beta2 or v1beta1.
 *
 * @param machineDeployments by class of workers; one that declares no taints is there with an empty list
 * @param machinePools likewise
 */
public record ClusterClass(
        Metadata metadata,
        List<MachineTaint> controlPlane,
        Map<String, List<MachineTaint>> machineDeployments,
        Map<String, List<MachineTaint>> machinePools)
        implements KubernetesObject {
    public ClusterClass {
        controlPlane = List.copyOf(controlPlane);
        machineDeployments = Map.copyOf(machineDeployments);
        machinePools = Map.copyOf(machinePools);
    }

    @Override
    public ClusterClass withResourceVersion(String resourceVersion) {
        return new ClusterClass(
                metadata.withResourceVersion(resourceVersion), controlPlane, machineDeployments, machinePools);
    }
}
