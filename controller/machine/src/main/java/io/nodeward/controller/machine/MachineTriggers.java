package io.nodeward.controller.machine;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadClusters;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which Machines a change concerns: the Machine itself, all of a Cluster, or the one whose Node changed. */
final class MachineTriggers {
    private final ManagementCluster management;
    private final WorkQueue<ObjectKey> queue;

    MachineTriggers(ManagementCluster management, WorkQueue<ObjectKey> queue) {
        this.management = management;
        this.queue = queue;
    }

    void subscribe(WorkloadClusters workloads) {
        management.machines().subscribe(this::machineChanged);
        management.clusters().subscribe(this::clusterChanged);
        workloads.subscribe(this::nodeChanged);
    }

    private void machineChanged(@Nullable Machine before, @Nullable Machine after) {
        add(before);
        add(after);
        // Machines that claim the same Node: what blocks one may be gone with the other.
        if (before != null && (after == null || !before.providerId().equals(after.providerId()))) {
            claimants(before.cluster(), before.providerId()).forEach(this::add);
        }
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null) {
            management.machines().find(ManagementCluster.BY_CLUSTER, any.key().toString()).forEach(this::add);
        }
    }

    private void nodeChanged(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        nodeChanged(cluster, before);
        if (before == null || after == null || !before.providerId().equals(after.providerId())) {
            nodeChanged(cluster, after);
        }
    }

    private void nodeChanged(ObjectKey cluster, @Nullable Node node) {
        if (node == null) {
            return;
        }
        claimants(cluster, node.providerId()).forEach(this::add);
        management.machines()
                .find(ManagementCluster.BY_NODE_NAME, ManagementCluster.inCluster(cluster, node.key().name()))
                .forEach(this::add);
    }

    private List<Machine> claimants(ObjectKey cluster, String providerId) {
        return management.machines()
                .find(ManagementCluster.BY_PROVIDER_ID, ManagementCluster.inCluster(cluster, providerId));
    }

    private void add(@Nullable KubernetesObject machine) {
        if (machine != null) {
            queue.add(machine.key());
        }
    }
}
