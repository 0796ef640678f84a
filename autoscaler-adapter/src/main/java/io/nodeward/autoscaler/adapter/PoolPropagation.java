package io.nodeward.autoscaler.adapter;

import io.nodeward.api.machine.NodeGroup;
import io.nodeward.autoscaler.adapter.Propagation.State;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import java.util.function.Function;

/**
 * Which parts of what a MachinePool declares are propagated to its Nodes. Where it has Machines, these have labels and
 * annotations of the template from Cluster API, and their Nodes have them from the machine controller, whatever the gates.
 *
 * @param taints whether Nodes get the taints of a pool, and Machines, if it makes them, those of its spec
 * @param labels whether Nodes get the labels of a pool without Machines
 * @param machines whether a pool has Machines, or comes to have them; asked only where it matters
 */
record PoolPropagation(boolean taints, boolean labels, Function<NodeGroup, Makes> machines) {
    /** @param withLabels whether labels matter at all */
    Propagation of(NodeGroup pool, boolean withLabels) {
        if (taints && (labels || !withLabels)) {
            return Propagation.ALL;
        }
        Makes makes = machines.apply(pool);
        return new Propagation(taints, is(taints, makes), is(labels, makes));
    }

    private static State is(boolean withoutMachines, Makes makes) {
        if (withoutMachines) {
            return State.PROPAGATED;
        }
        return switch (makes) {
            case MACHINES -> State.PROPAGATED;
            case NONE -> State.NOT_PROPAGATED;
            case UNKNOWN -> State.UNKNOWN;
            case UNREAD -> State.UNREAD;
        };
    }
}
