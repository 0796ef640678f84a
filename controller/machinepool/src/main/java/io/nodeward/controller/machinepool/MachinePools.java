package io.nodeward.controller.machinepool;

import com.google.inject.Inject;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.runtime.cache.ChangeListener;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.WorkloadCluster;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The MachinePools of the management cluster, and which Nodes are theirs: as many look-ups as there are Nodes. */
final class MachinePools {
    private static final Index<MachinePool> BY_CLUSTER = Index.of("cluster", pool -> pool.cluster().toString());
    private static final Index<MachinePool> BY_PROVIDER_ID = new Index<>("providerID",
            pool -> pool.providerIds().stream().map(id -> inCluster(pool.cluster(), id)).toList());
    private static final Index<MachinePool> BY_NODE = new Index<>("node",
            pool -> pool.nodes().stream().map(ref -> inCluster(pool.cluster(), text(ref.name(), ref.uid()))).toList());

    private final ObjectCache<MachinePool> pools;

    @Inject
    MachinePools(ManagementCluster management) {
        pools = management.watch("machinepools", Projection.MACHINE_POOL, BY_CLUSTER, BY_PROVIDER_ID, BY_NODE);
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

    /** Names of the Nodes that a pool lists and that have joined, in its order. */
    static Collection<String> joined(MachinePool pool, WorkloadCluster workload) {
        Stream<String> byProviderId = pool.providerIds().stream()
                .flatMap(id -> workload.nodesByProviderId(id).stream()).map(node -> node.key().name());
        Stream<String> byReference = pool.nodes().stream().map(NodeRef::name)
                .filter(name -> workload.node(name).isPresent());
        return Stream.concat(byProviderId, byReference).distinct().toList();
    }

    private static String inCluster(ObjectKey cluster, String value) {
        return ManagementCluster.inCluster(cluster, value);
    }

    private static String text(String name, String uid) {
        return name + " " + uid;
    }
}
