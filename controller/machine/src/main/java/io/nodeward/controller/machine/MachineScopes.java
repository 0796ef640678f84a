package io.nodeward.controller.machine;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.fleet.Ambiguous;
import io.nodeward.core.rules.fleet.MachineMatch;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.OwnerCluster;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.status.Blocked;
import jakarta.inject.Inject;
import java.util.Optional;

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
        Optional<String> missing = OwnerCluster.missing(machine, cluster);
        if (missing.isPresent()) {
            return new MachineScope.Stuck(machine, new Blocked(Reason.CLUSTER_NOT_FOUND, missing.get()));
        }
        Optional<String> awaited = OwnerCluster.awaited(machine.cluster(), cluster, machine.metadata());
        if (awaited.isPresent()) {
            return new MachineScope.Waiting(machine, awaited.get());
        }
        return workloads.find(machine.cluster()).map(workload -> matched(machine, workload))
                .orElseGet(() -> new MachineScope.Waiting(machine, NodeListers.awaited(machine.cluster())));
    }

    private MachineScope matched(Machine machine, NodeView workload) {
        return switch (NodeMatcher.match(machine, management, workload)) {
            case MachineMatch.Matched matched -> new MachineScope.Ready(machine, matched.node());
            case MachineMatch.NotJoined missing -> new MachineScope.NodeNotJoined(machine, missing.message());
            case MachineMatch.Waiting waiting -> new MachineScope.Waiting(machine, waiting.reason());
            case Ambiguous by -> new MachineScope.Stuck(machine, new Blocked(by.reason(), by.message()));
        };
    }
}
