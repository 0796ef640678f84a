package io.nodeward.autoscaler.adapter;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** MachineDeployments, MachineSets and MachinePools of the management cluster, as last seen. */
final class NodeGroupCaches {
    private static final Index<NodeGroup> BY_CLUSTER = Index.of("cluster", group -> group.cluster().toString());

    private final Map<NodeGroupKind, ObjectCache<NodeGroup>> caches = new EnumMap<>(NodeGroupKind.class);

    @Inject
    NodeGroupCaches(ManagementCluster management) {
        for (NodeGroupKind kind : NodeGroupKind.values()) {
            caches.put(kind, management.watch(kind.plural(), Projection.NODE_GROUP, BY_CLUSTER));
        }
    }

    ObjectCache<NodeGroup> of(NodeGroupKind kind) {
        ObjectCache<NodeGroup> cache = caches.get(kind);
        if (cache == null) {
            throw new IllegalStateException("every kind has a cache, but " + kind);
        }
        return cache;
    }

    Optional<NodeGroup> get(NodeGroupKey key) {
        return of(key.kind()).get(key.object());
    }

    /**
     * No plan is made from what was there before an own write, however late the watch brings that back.
     *
     * @param before what the change of its annotations was planned from
     * @param reply of the server, which has metadata alone
     */
    void hold(NodeGroupKind kind, NodeGroup before, byte[] reply) throws IOException {
        NodeGroup after = before.withMetadataOf(Projection.NODE_GROUP.read(reply));
        if (!after.key().equals(before.key()) || after.metadata().resourceVersion().isEmpty()) {
            throw new IOException("not of " + kind.text() + " " + before.key());
        }
        of(kind).recordOwnWrite(before, after, after);
    }

    /** Those of one Cluster. */
    List<NodeGroupKey> in(ObjectKey cluster) {
        return Stream.of(NodeGroupKind.values())
                .flatMap(kind -> of(kind).find(BY_CLUSTER, cluster.toString()).stream()
                        .map(group -> new NodeGroupKey(kind, group.key())))
                .toList();
    }
}
