package io.nodeward.core.rules.origin;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * To whom the key of a taint belongs by custom. Anybody may set it all the same.
 *
 * @param registers whether Nodes get it from them as they register
 * @param dates whether they write down when they added it
 */
record KeyOwner(Source source, String by, String because, boolean registers, boolean dates) {
    private static final String LIFECYCLE = "node.kubernetes.io/";
    private static final String CLOUD = "node.cloudprovider.kubernetes.io/";
    private static final String NO_SCHEDULE = "NoSchedule";
    private static final Map<String, String> CONDITIONS = Map.of(
            "not-ready", "the Node is not ready, or has not been yet",
            "unreachable", "its kubelet has not been heard of",
            "memory-pressure", "its kubelet reports that memory runs out",
            "disk-pressure", "its kubelet reports that disk runs out",
            "pid-pressure", "its kubelet reports that process IDs run out",
            "network-unavailable", "its network is not set up");
    /** Those for which the node lifecycle controller evicts as well. */
    private static final List<String> EVICTING = List.of("not-ready", "unreachable");
    private static final Set<String> AUTOSCALER =
            Set.of("ToBeDeletedByClusterAutoscaler", "DeletionCandidateOfClusterAutoscaler");

    static Optional<KeyOwner> of(NodeScope scope, Taint taint) {
        String key = taint.key();
        if (key.equals(ClusterApi.UNINITIALIZED_TAINT)) {
            return Optional.of(new KeyOwner(Source.BOOTSTRAP, "the bootstrap provider",
                    "Nodes register with it, and lose it once labels and taints of the Machine are there", true,
                    false));
        }
        if (key.equals(ClusterApi.OUTDATED_REVISION_TAINT)) {
            return later(Source.CLUSTER_API, "Cluster API's manager",
                    "the Machine is of an older revision than its MachineDeployment");
        }
        if (AUTOSCALER.contains(key)) {
            return later(Source.AUTOSCALER, "cluster-autoscaler", "it removes the Node, or thinks of it");
        }
        if (key.startsWith("karpenter.sh/")) {
            return later(Source.AUTOSCALER, "karpenter", "the domain of the key is its own");
        }
        return key.startsWith(CLOUD)
                ? ofCloud(key.substring(CLOUD.length()))
                : key.startsWith(LIFECYCLE) ? ofLifecycle(scope, taint) : Optional.empty();
    }

    private static Optional<KeyOwner> ofCloud(String name) {
        return name.equals("uninitialized")
                ? Optional.of(new KeyOwner(Source.CLOUD_PROVIDER, "kubelet --cloud-provider=external",
                        "the cloud controller manager has not initialized the Node yet", true, false))
                : later(Source.CLOUD_PROVIDER, "cloud-controller-manager", "the cloud provider says so of the Node");
    }

    /** With another effect than the controller uses, the taint is not its. */
    private static Optional<KeyOwner> ofLifecycle(NodeScope scope, Taint taint) {
        String name = taint.key().substring(LIFECYCLE.length());
        boolean schedules = taint.effect().equals(NO_SCHEDULE);
        if (!schedules && !(taint.effect().equals("NoExecute") && EVICTING.contains(name))) {
            return Optional.empty();
        }
        String condition = CONDITIONS.get(name);
        if (condition != null) { // admission gives the first to a Node that registers
            return lifecycle(condition, schedules && name.equals("not-ready"));
        }
        return name.equals("unschedulable") ? lifecycle(cordon(scope), false) : Optional.empty();
    }

    private static String cordon(NodeScope scope) {
        if (!scope.unschedulable()) {
            return "the Node was cordoned, and is no longer";
        }
        return "the Node is cordoned" + ManagedFieldsEntry.by(
                scope.writers().stream().filter(ManagedFieldsEntry::unschedulable).toList());
    }

    private static Optional<KeyOwner> lifecycle(String because, boolean registers) {
        return Optional.of(
                new KeyOwner(Source.NODE_LIFECYCLE, "node lifecycle controller", because, registers, true));
    }

    private static Optional<KeyOwner> later(Source source, String by, String because) {
        return Optional.of(new KeyOwner(source, by, because, false, false));
    }
}
