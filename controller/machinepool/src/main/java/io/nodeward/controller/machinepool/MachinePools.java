package io.nodeward.controller.machinepool;

import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.PoolView;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The MachinePools of the management cluster, found by what ties them to Nodes. */
final class MachinePools implements PoolView {
    static final Index<MachinePool> BY_CLUSTER = Index.of("cluster", pool -> pool.cluster().toString());
    static final Index<MachinePool> BY_PROVIDER_ID =
            new Index<>("providerID", pool -> inCluster(pool, pool.providerIds().stream()));
    static final Index<MachinePool> BY_NODE =
            new Index<>("node", pool -> inCluster(pool, pool.nodes().stream().map(ref -> text(ref.name(), ref.uid()))));

    private final ManagementCluster management;
    private final PoolInfrastructure infrastructure;
    private final ObjectCache<MachinePool> pools;

    @Inject
    MachinePools(ManagementCluster management, PoolInfrastructure infrastructure) {
        this(management, infrastructure,
                management.watch("machinepools", Projection.MACHINE_POOL, BY_CLUSTER, BY_PROVIDER_ID, BY_NODE));
    }

    /** @param pools with the three indexes */
    MachinePools(ManagementCluster management, PoolInfrastructure infrastructure, ObjectCache<MachinePool> pools) {
        this.management = management;
        this.infrastructure = infrastructure;
        this.pools = pools;
        // What the infrastructure makes may be something else from then on.
        management.machines().subscribeToChanges(
                (before, after) -> withFirstOrWithoutLast(before, after).forEach(infrastructure::forget));
    }

    ObjectCache<MachinePool> cache() {
        return pools;
    }

    /** Pools of which a Machine is the first with this change, or was the last before it. */
    Stream<ObjectKey> withFirstOrWithoutLast(@Nullable Machine before, @Nullable Machine after) {
        Optional<ObjectKey> was = Optional.ofNullable(before).flatMap(Machine::pool);
        Optional<ObjectKey> is = Optional.ofNullable(after).flatMap(Machine::pool);
        return was.equals(is)
                ? Stream.empty()
                : Stream.concat(was.filter(pool -> management.countMachines(pool) == 0).stream(),
                        is.filter(pool -> management.countMachines(pool) == 1).stream());
    }

    Optional<MachinePool> get(ObjectKey key) {
        return pools.get(key);
    }

    List<MachinePool> of(ObjectKey cluster) {
        return pools.find(BY_CLUSTER, cluster.toString());
    }

    @Override
    public List<MachinePool> poolsByProviderId(ObjectKey cluster, String providerId) {
        return pools.find(BY_PROVIDER_ID, inCluster(cluster, providerId));
    }

    @Override
    public List<MachinePool> poolsByNodeRef(ObjectKey cluster, String node, String uid) {
        return pools.find(BY_NODE, inCluster(cluster, text(node, uid)));
    }

    @Override
    public boolean hasMachines(MachinePool pool) {
        return management.hasMachines(pool.key()) || infrastructure.makesMachines(pool);
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
