package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.NodeGroup;
import io.nodeward.autoscaler.adapter.Reach.Is;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import java.util.function.Function;

/**
 * What of a MachinePool's declaration reaches its Nodes. Where it has Machines, these have labels and annotations of the
 * template from Cluster API, and their Nodes have them from the machine controller, whatever the gates.
 */
final class PoolReach {
    private final boolean taints;
    private final boolean labels;
    private final Function<NodeGroup, Makes> machines;

    /**
     * @param taints whether Nodes get the taints of a pool, and Machines, if it makes them, those of its spec
     * @param labels whether Nodes get the labels of a pool without Machines
     * @param machines whether a pool has Machines, or comes to have them; asked only where it matters
     */
    PoolReach(boolean taints, boolean labels, Function<NodeGroup, Makes> machines) {
        this.taints = taints;
        this.labels = labels;
        this.machines = machines;
    }

    /** @param withLabels whether labels matter at all */
    Reach of(NodeGroup pool, boolean withLabels) {
        if (taints && (labels || !withLabels)) {
            return Reach.ALL;
        }
        Makes makes = machines.apply(pool);
        return new Reach(taints, is(taints, makes), is(labels, makes));
    }

    private static Is is(boolean withoutMachines, Makes makes) {
        if (withoutMachines) {
            return Is.PROPAGATED;
        }
        return switch (makes) {
            case MACHINES -> Is.PROPAGATED;
            case NONE -> Is.LEFT;
            case UNKNOWN -> Is.UNKNOWN;
            case UNREAD -> Is.UNREAD;
        };
    }
}
