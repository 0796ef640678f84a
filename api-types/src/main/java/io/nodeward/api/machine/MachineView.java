package io.nodeward.api.machine;

import io.nodeward.api.meta.ObjectKey;
import java.util.List;

/** Machines, found in constant time: in a cache, or in files. */
public interface MachineView {
    /** Those of a Cluster with this providerID, ordered by key. */
    List<Machine> machinesByProviderId(ObjectKey cluster, String providerId);

    /** Those of a Cluster whose {@code status.nodeRef} names this Node, ordered by key. */
    List<Machine> machinesByNodeName(ObjectKey cluster, String node);

    /** Whether any Machine is one of this MachinePool. */
    boolean hasMachines(ObjectKey pool);
}
