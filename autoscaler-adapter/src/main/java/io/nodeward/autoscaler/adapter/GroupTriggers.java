package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.queue.WorkQueue;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Which node groups a change concerns: the one that has changed, those of a Cluster that is paused no more, and the pool
 * that gets or loses a Machine, or of whose infrastructure more is known.
 */
final class GroupTriggers {
    private final ManagementCluster management;
    private final GroupCaches groups;
    private final PoolInfrastructure infrastructure;
    private final WorkQueue<GroupKey> queue;

    GroupTriggers(
            ManagementCluster management,
            GroupCaches groups,
            PoolInfrastructure infrastructure,
            WorkQueue<GroupKey> queue) {
        this.management = management;
        this.groups = groups;
        this.infrastructure = infrastructure;
        this.queue = queue;
    }

    void subscribe() {
        for (GroupKind kind : GroupKind.values()) {
            groups.of(kind).subscribe((before, after) -> changed(kind, before, after));
        }
        management.clusters().subscribe(this::clusterChanged);
        management.machines().subscribe(this::machineChanged);
        infrastructure.subscribe(this::poolChanged);
    }

    private void changed(GroupKind kind, @Nullable NodeGroup before, @Nullable NodeGroup after) {
        NodeGroup any = after != null ? after : before;
        if (any == null || before != null && after != null && before.declaration().equals(after.declaration())) {
            return; // what is said of a refused write must not repeat it
        }
        queue.add(new GroupKey(kind, any.key()));
    }

    private void machineChanged(@Nullable Machine before, @Nullable Machine after) {
        Optional<ObjectKey> was = Optional.ofNullable(before).flatMap(Machine::pool);
        Optional<ObjectKey> is = Optional.ofNullable(after).flatMap(Machine::pool);
        if (!was.equals(is)) {
            Stream.of(was, is).flatMap(Optional::stream).forEach(this::poolChanged);
        }
    }

    private void poolChanged(ObjectKey pool) {
        GroupKey key = new GroupKey(GroupKind.MACHINE_POOL, pool);
        if (groups.get(key).isPresent()) {
            queue.add(key);
        }
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null && (before == null || after == null || before.paused() != after.paused())) {
            groups.in(any.key()).forEach(queue::add);
        }
    }
}
