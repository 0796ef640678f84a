package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.queue.WorkQueue;
import org.jspecify.annotations.Nullable;

/** Which node groups a change concerns: the one that has changed, and those of a Cluster that is paused no more. */
final class GroupTriggers {
    private final ManagementCluster management;
    private final GroupCaches groups;
    private final WorkQueue<GroupKey> queue;

    GroupTriggers(ManagementCluster management, GroupCaches groups, WorkQueue<GroupKey> queue) {
        this.management = management;
        this.groups = groups;
        this.queue = queue;
    }

    void subscribe() {
        for (GroupKind kind : GroupKind.values()) {
            groups.of(kind).subscribe((before, after) -> changed(kind, before, after));
        }
        management.clusters().subscribe(this::clusterChanged);
    }

    private void changed(GroupKind kind, @Nullable NodeGroup before, @Nullable NodeGroup after) {
        NodeGroup any = after != null ? after : before;
        if (any == null || before != null && after != null && before.declaration().equals(after.declaration())) {
            return; // what is said of a refused write must not repeat it
        }
        queue.add(new GroupKey(kind, any.key()));
    }

    private void clusterChanged(@Nullable Cluster before, @Nullable Cluster after) {
        Cluster any = after != null ? after : before;
        if (any != null && (before == null || after == null || before.paused() != after.paused())) {
            groups.in(any.key()).forEach(queue::add);
        }
    }
}
