package io.nodeward.controller.machine;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.rules.fleet.NodeMatcher;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.WorkloadListener;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which Machines a change concerns: the Machine itself, all of a Cluster, or the one whose Node changed. A change adds
 * each of them once: added a second time, one that is being worked on already would be worked on again for nothing.
 */
final class MachineTriggers implements WorkloadListener {
    private final ManagementCluster management;
    private final WorkQueue<ObjectKey> queue;

    MachineTriggers(ManagementCluster management, WorkQueue<ObjectKey> queue) {
        this.management = management;
        this.queue = queue;
    }

    void subscribe(NodeListers workloads) {
        management.machines().subscribe((before, after) -> machineChanged(workloads, before, after));
        management.clusters().subscribe(this::clusterChanged);
        workloads.subscribe(this);
    }

    private void machineChanged(NodeListers workloads, @Nullable Machine before, @Nullable Machine after) {
        if (before != null && after != null && isOwnWord(before, after)) {
            return;
        }
        Set<ObjectKey> concerned = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after)).forEach(machine -> {
            concerned.add(machine.key());
            if (before == null || after == null || !claim(before).equals(claim(after))) {
                // What blocks one of several Machines that claim the same Node comes and goes with the others.
                NodeView nodes = workloads.find(machine.cluster()).<NodeView>map(found -> found).orElse(NodeView.NONE);
                concerned.addAll(NodeMatcher.rivals(machine, management, nodes));
            }
        });
        concerned.forEach(queue::add);
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null && (before == null || after == null || before.paused() != after.paused())) {
            available(any.key());
        }
    }

    @Override
    public void available(ObjectKey cluster) {
        management.machines()
                .find(ManagementCluster.BY_CLUSTER, cluster.toString())
                .forEach(machine -> queue.add(machine.key()));
    }

    @Override
    public void nodeChanged(ObjectKey cluster, @Nullable Node before, @Nullable Node after) {
        Set<ObjectKey> concerned = new LinkedHashSet<>();
        Stream.concat(Stream.ofNullable(before), Stream.ofNullable(after))
                .flatMap(node -> NodeMatcher.machinesClaiming(cluster, node, management).stream())
                .forEach(machine -> concerned.add(machine.key()));
        concerned.forEach(queue::add);
    }

    /** Whether nothing is new but a condition of ours: what is said of a refused write must not repeat it. */
    private static boolean isOwnWord(Machine before, Machine after) {
        return before.declaration().equals(after.declaration());
    }

    private static List<String> claim(Machine machine) {
        return List.of(machine.clusterName(), machine.providerId(), machine.nodeName());
    }
}
