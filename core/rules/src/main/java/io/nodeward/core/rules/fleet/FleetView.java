package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.MachineView;
import io.nodeward.api.machine.PoolView;
import io.nodeward.api.node.NodeView;

/**
 * What is known of one Cluster.
 *
 * @param nodes of its workload cluster
 */
public record FleetView(MachineView machines, PoolView pools, NodeView nodes) {}
