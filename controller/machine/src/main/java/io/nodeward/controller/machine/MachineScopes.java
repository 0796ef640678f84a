package io.nodeward.controller.machine;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeLister;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** Loads what is known of a Machine, its Cluster and its Node, from caches alone. */
final class MachineScopes {
    private final ManagementCluster management;
    private final NodeListers workloads;

    @Inject
    MachineScopes(ManagementCluster management, NodeListers workloads) {
        this.management = management;
        this.workloads = workloads;
    }

    MachineScope load(ObjectKey key) {
        Optional<Machine> found = management.machines().get(key);
        if (found.isEmpty()) {
            return new MachineScope.Gone();
        }
        Machine machine = found.get();
        Optional<Cluster> cluster = management.clusters().get(machine.cluster());
        if (cluster.isEmpty() && machine.providerId().isEmpty() && machine.nodeName().isEmpty()) {
            // As new as its Cluster, which is on its way on a watch of its own.
            return new MachineScope.Waiting(machine, "Cluster " + machine.cluster());
        }
        if (cluster.isEmpty()) {
            return blocked(machine, "ClusterNotFound",
                    "Cluster " + machine.cluster() + " does not exist or is not watched");
        }
        if (cluster.get().paused() || isPaused(machine)) {
            return new MachineScope.Waiting(machine, "the end of the pause");
        }
        Optional<? extends NodeLister> workload = workloads.find(machine.cluster());
        if (workload.isEmpty()) {
            return new MachineScope.Waiting(machine,
                    "Cluster " + machine.cluster() + " to be connected and answer");
        }
        return machine.providerId().isEmpty() ? byName(machine, workload.get()) : byProviderId(machine, workload.get());
    }

    private static boolean isPaused(Machine machine) {
        return machine.metadata().annotations().containsKey(ClusterApi.PAUSED_ANNOTATION);
    }

    private MachineScope byProviderId(Machine machine, NodeLister workload) {
        List<Machine> claimants = management.machines()
                .find(
                        ManagementCluster.BY_PROVIDER_ID,
                        ManagementCluster.inCluster(machine.cluster(), machine.providerId()));
        if (claimants.size() > 1) {
            return blocked(
                    machine,
                    "ProviderIDNotUnique",
                    "several Machines have providerID " + machine.providerId() + ": "
                            + names(claimants.stream().map(Machine::key).toList()) + "; none of them is propagated");
        }
        List<Node> nodes = workload.nodesByProviderId(machine.providerId());
        if (nodes.size() > 1) {
            return blocked(
                    machine,
                    "ProviderIDNotUnique",
                    "several Nodes have providerID " + machine.providerId() + ": "
                            + names(nodes.stream().map(Node::key).toList()) + "; none of them is changed");
        }
        return nodes.isEmpty()
                ? new MachineScope.NodeNotJoined(machine, "no Node has providerID " + machine.providerId())
                : new MachineScope.Ready(machine, nodes.get(0));
    }

    // Without a providerID nothing but the name ties Machine and Node, and a name may be claimed by others.
    private MachineScope byName(Machine machine, NodeLister workload) {
        if (machine.nodeName().isEmpty()) {
            return new MachineScope.Waiting(machine, "spec.providerID");
        }
        Optional<Node> node = workload.node(machine.nodeName());
        if (node.isEmpty()) {
            return new MachineScope.NodeNotJoined(machine, "there is no Node " + machine.nodeName());
        }
        List<ObjectKey> others = management.machinesClaiming(machine.cluster(), node.get())
                .map(Machine::key)
                .filter(key -> !key.equals(machine.key()))
                .distinct()
                .toList();
        return others.isEmpty()
                ? new MachineScope.Ready(machine, node.get())
                : blocked(
                        machine,
                        "NodeClaimedTwice",
                        "Node " + machine.nodeName() + " is also the Node of " + names(others)
                                + "; this Machine has no providerID and is not propagated");
    }

    private static String names(List<ObjectKey> keys) {
        return keys.stream().map(ObjectKey::name).collect(Collectors.joining(", "));
    }

    private static MachineScope blocked(Machine machine, String reason, String message) {
        return new MachineScope.Stuck(machine, new Blocked(reason, message));
    }
}
