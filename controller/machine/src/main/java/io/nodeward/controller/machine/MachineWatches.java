package io.nodeward.controller.machine;

import io.nodeward.api.machine.NoExecuteCount;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.rules.fleet.Pause;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.MapFunction;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.status.ObjectId;
import jakarta.inject.Inject;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Which Machines a change concerns: the Machine itself, all of a Cluster, or the one whose Node changed. */
final class MachineWatches {
    private final ManagementCluster management;
    private final NodeListers workloads;
    private final NoExecuteLimit<ObjectId, ObjectKey> limit;

    @Inject
    MachineWatches(
            ManagementCluster management, NodeListers workloads, NoExecuteLimit<ObjectId, ObjectKey> limit) {
        this.management = management;
        this.workloads = workloads;
        this.limit = limit;
    }

    /** A cluster that does not answer holds up its own Machines and no others. */
    String lane(ObjectKey machine) {
        return management.machines().get(machine).map(found -> found.cluster().toString()).orElse("");
    }

    Set<ObjectKey> mapMachine(@Nullable Machine before, @Nullable Machine after) {
        if (!MapFunction.differs(before, after, Machine::declaration)) {
            return Set.of(); // a condition of ours is new: a report of a refused write must not repeat the write
        }
        Set<ObjectKey> machines = new LinkedHashSet<>();
        MapFunction.both(before, after).forEach(machine -> {
            machines.add(machine.key());
            if (MapFunction.differs(before, after, Machine::claim)) {
                // What blocks one of several Machines that claim the same Node comes and goes with the others.
                NodeView nodes = workloads.find(machine.cluster()).<NodeView>map(found -> found).orElse(NodeView.NONE);
                machines.addAll(NodeMatcher.rivals(machine, management, nodes));
            }
        });
        return machines;
    }

    Set<ObjectKey> mapCluster(@Nullable Cluster before, @Nullable Cluster after) {
        return Pause.changed(before, after).map(this::mapAvailable)
                .orElseGet(() -> MapFunction.differs(before, after, MachineWatches::confirmed)
                        ? limit.waiting(NodeOwners.cluster(MapFunction.latest(before, after).key()))
                        : Set.of());
    }

    /** All Machines of a Cluster. */
    Set<ObjectKey> mapAvailable(ObjectKey cluster) {
        return management.machines().find(ManagementCluster.BY_CLUSTER, cluster.toString()).stream()
                .map(Machine::key).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Machines whose Nodes wait for a confirmation of their owner, or get another owner. */
    Set<ObjectKey> mapDeployment(@Nullable TaintHolder before, @Nullable TaintHolder after) {
        ObjectId owner = NodeOwners.id(MapFunction.latest(before, after).key());
        if (before == null && after != null) {
            return limit.nodes(NodeOwners.cluster(after.cluster()));
        }
        if (after == null) {
            return limit.nodes(owner);
        }
        return MapFunction.differs(before, after, MachineWatches::confirmed) ? limit.waiting(owner) : Set.of();
    }

    private static long confirmed(KubernetesObject owner) {
        return NoExecuteCount.confirmed(owner.metadata().annotations());
    }

    Set<ObjectKey> mapNode(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        return MapFunction.both(before, after)
                .flatMap(node -> NodeMatcher.machinesClaiming(cluster, node, management).stream())
                .map(Machine::key).collect(Collectors.toCollection(LinkedHashSet::new));
    }
}
