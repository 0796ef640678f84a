package io.nodeward.autoscaler.adapter;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.controller.AnnotatedObjects;
import jakarta.inject.Inject;
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

    /** For changes of their annotations. */
    AnnotatedObjects<NodeGroup> annotated(NodeGroupKind kind) {
        return new AnnotatedObjects<>(of(kind), Projection.NODE_GROUP, NodeGroup::withMetadataOf);
    }

    /** Those of one Cluster. */
    List<NodeGroupKey> in(ObjectKey cluster) {
        return Stream.of(NodeGroupKind.values())
                .flatMap(kind -> of(kind).find(BY_CLUSTER, cluster.toString()).stream()
                        .map(group -> new NodeGroupKey(kind, group.key())))
                .toList();
    }
}
