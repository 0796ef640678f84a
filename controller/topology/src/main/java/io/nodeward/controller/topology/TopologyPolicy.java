package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.TopologyMode;

/**
 * Which steps are made.
 *
 * @param topologies whether taints of Clusters and MachineDeployments are carried
 * @param pools whether taints are carried to MachinePools, and from them to their Machines
 * @param mode how much of what Clusters declare, and whether MachineDeployments are left to Cluster API
 */
record TopologyPolicy(boolean topologies, boolean pools, TopologyMode mode) {
    /** Whether anything is to be carried to objects of the level. */
    boolean carriesTo(Level level) {
        return switch (level) {
            case CLUSTER -> false;
            case CONTROL_PLANE, MACHINE_DEPLOYMENT -> topologies;
            case MACHINE_POOL -> topologies && pools;
            case MACHINE_SET -> topologies && mode == TopologyMode.FULL;
            case MACHINE -> pools || carriesTo(Level.MACHINE_SET);
        };
    }

    /** Whether objects of the level are looked at, as they are carried to or declare for others. */
    boolean reads(Level level) {
        return switch (level) {
            case CLUSTER -> topologies;
            case MACHINE_POOL -> pools;
            case CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_SET, MACHINE -> carriesTo(level);
        };
    }
}
