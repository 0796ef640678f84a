package io.nodeward.controller.machinepool;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeLister;
import jakarta.inject.Inject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The MachinePools of the management cluster, and which Nodes are theirs: as many look-ups as there are Nodes. */
final class MachinePools {
    static final Index<MachinePool> BY_CLUSTER = Index.of("cluster", pool -> pool.cluster().toString());
    static final Index<MachinePool> BY_PROVIDER_ID =
            new Index<>("providerID", pool -> inCluster(pool, pool.providerIds().stream()));
    static final Index<MachinePool> BY_NODE =
            new Index<>("node", pool -> inCluster(pool, pool.nodes().stream().map(ref -> text(ref.name(), ref.uid()))));

    private final ObjectCache<MachinePool> pools;

    @Inject
    MachinePools(ManagementCluster management) {
        this(management.watch("machinepools", Projection.MACHINE_POOL, BY_CLUSTER, BY_PROVIDER_ID, BY_NODE));
    }

    /** @param pools with the three indexes */
    MachinePools(ObjectCache<MachinePool> pools) {
        this.pools = pools;
    }

    void subscribe(ChangeListener<MachinePool> listener) {
        pools.subscribe(listener);
    }

    Optional<MachinePool> get(ObjectKey key) {
        return pools.get(key);
    }

    List<MachinePool> of(ObjectKey cluster) {
        return pools.find(BY_CLUSTER, cluster.toString());
    }

    /** Those a Node belongs to by providerID or by reference; more than one is somebody's fault. */
    Collection<MachinePool> claiming(ObjectKey cluster, Node node) {
        Map<ObjectKey, MachinePool> claiming = new LinkedHashMap<>();
        String name = node.key().name();
        // A reference without a uid is to whatever Node has the name; one with another uid to a Node that is gone.
        Stream.of(
                node.providerId().isEmpty()
                        ? List.<MachinePool>of()
                        : pools.find(BY_PROVIDER_ID, inCluster(cluster, node.providerId())),
                pools.find(BY_NODE, inCluster(cluster, text(name, node.metadata().uid()))),
                pools.find(BY_NODE, inCluster(cluster, text(name, ""))))
                .flatMap(List::stream).forEach(pool -> claiming.put(pool.key(), pool));
        return claiming.values();
    }

    /** The Nodes that a pool lists and that have joined, by name. */
    static Map<String, Node> joined(MachinePool pool, NodeLister workload) {
        Map<String, Node> joined = new LinkedHashMap<>();
        pool.providerIds().stream().flatMap(id -> workload.nodesByProviderId(id).stream())
                .forEach(node -> joined.put(node.key().name(), node));
        for (NodeRef ref : pool.nodes()) {
            workload.node(ref.name())
                    .filter(node -> ref.uid().isEmpty() || ref.uid().equals(node.metadata().uid()))
                    .ifPresent(node -> joined.put(ref.name(), node));
        }
        return joined;
    }

    private static List<String> inCluster(MachinePool pool, Stream<String> values) {
        ObjectKey cluster = pool.cluster();
        return values.map(value -> inCluster(cluster, value)).toList();
    }

    private static String inCluster(ObjectKey cluster, String value) {
        return ManagementCluster.inCluster(cluster, value);
    }

    private static String text(String name, String uid) {
        return name + " " + uid;
    }
}
