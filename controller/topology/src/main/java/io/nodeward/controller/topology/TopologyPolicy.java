package io.nodeward.controller.topology;

import io.nodeward.core.rules.topology.TopologyMode;

/**
 * Which steps are made.
 *
 * @param topologies whether taints of Clusters and MachineDeployments are carried; else of MachinePools alone
 * @param mode how much of what Clusters declare, and whether MachineDeployments are left to Cluster API
 */
record TopologyPolicy(boolean topologies, TopologyMode mode) {
    /** Whether anything is to be carried to objects of the level. */
    boolean carriesTo(Level level) {
        return switch (level) {
            case CLUSTER -> false;
            case CONTROL_PLANE, MACHINE_DEPLOYMENT, MACHINE_POOL -> topologies;
            case MACHINE_SET -> topologies && mode == TopologyMode.FULL;
            case MACHINE -> true;
        };
    }

    /** Whether objects of the level are looked at, as they are carried to or declare for others. */
    boolean reads(Level level) {
        return level == Level.CLUSTER ? topologies : level == Level.MACHINE_POOL || carriesTo(level);
    }
}
