package io.nodeward.api.machine;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/** MachinePools, found in constant time: in a cache, or in files. */
public interface PoolView {
    /** Those of a Cluster that list this providerID, ordered by key. */
    List<MachinePool> poolsByProviderId(ObjectKey cluster, String providerId);

    /**
     * Those of a Cluster with exactly this reference in {@code status.nodeRefs}, ordered by key.
     *
     * @param uid empty for references that name no uid
     */
    List<MachinePool> poolsByNodeRef(ObjectKey cluster, String node, String uid);

    /** Whether the pool has Machines, or is known to come to have them. */
    boolean hasMachines(MachinePool pool);
}
