package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import java.util.Optional;

/** What the Cluster of an object says about writing anything for it. */
public final class OwnerCluster {
    private OwnerCluster() {}

    /**
     * What must come before anything is written; empty if nothing.
     *
     * @param key of the Cluster
     * @param cluster empty if there is none
     * @param object that belongs to it
     */
    public static Optional<String> awaited(ObjectKey key, Optional<Cluster> cluster, Metadata object) {
        if (cluster.isEmpty()) {
            return Optional.of("Cluster " + key);
        }
        return Pause.isPaused(cluster.get(), object) ? Optional.of("the end of the pause") : Optional.empty();
    }

    /** That a Machine has no Cluster. One without a Node may be as new as its Cluster, which is on its way. */
    public static Optional<String> missing(Machine machine, Optional<Cluster> cluster) {
        boolean isNew = machine.providerId().isEmpty() && machine.nodeName().isEmpty();
        return cluster.isPresent() || isNew ? Optional.empty() : missing(machine.cluster());
    }

    /** Likewise of a MachinePool. */
    public static Optional<String> missing(MachinePool pool, Optional<Cluster> cluster) {
        boolean isNew = pool.providerIds().isEmpty() && pool.nodes().isEmpty();
        return cluster.isPresent() || isNew ? Optional.empty() : missing(pool.cluster());
    }

    private static Optional<String> missing(ObjectKey key) {
        return Optional.of("Cluster " + key + " does not exist or is not watched");
    }
}
