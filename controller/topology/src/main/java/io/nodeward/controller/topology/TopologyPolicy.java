package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.TopologyMode;
import io.nodeward.core.runtime.controller.NoExecuteLimit;

/**
 * Which steps are made.
 *
 * @param topologies whether taints of Clusters and MachineDeployments are propagated
 * @param pools whether taints are propagated to MachinePools, and from them to their Machines
 * @param mode how much of what Clusters declare, and whether MachineDeployments are left to Cluster API
 * @param noExecute how many Nodes may newly get {@code NoExecute} without a confirmation
 */
record TopologyPolicy(boolean topologies, boolean pools, TopologyMode mode, NoExecuteLimit.Settings noExecute) {
    /** Whether anything is propagated to objects of the kind. */
    boolean propagatesTo(TopologyKind kind) {
        return switch (kind) {
            case CLUSTER -> false;
            case CONTROL_PLANE, MACHINE_DEPLOYMENT -> topologies;
            case MACHINE_POOL -> topologies && pools;
            case MACHINE_SET -> topologies && mode == TopologyMode.FULL;
            case MACHINE -> pools || propagatesTo(TopologyKind.MACHINE_SET);
        };
    }

    /** Whether objects of the kind are looked at, as they get taints or declare them for others. */
    boolean reads(TopologyKind kind) {
        return switch (kind) {
            case CLUSTER -> topologies;
            case MACHINE_POOL -> pools;
            case CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE -> propagatesTo(kind);
        };
    }
}
