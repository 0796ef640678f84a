package io.nodeward.core.rules.origin;

import io.nodeward.core.rules.origin.DeclaringObject.Declared;
import io.nodeward.core.rules.origin.DeclaringObject.Obstacle;
import io.nodeward.core.rules.origin.Missing.Reason;
import io.nodeward.core.rules.origin.NodeScope.Gates;
import java.util.List;

/**
 * Finds why a declaration has not come from one object down to the next. Lists of taints are carried by Cluster API's
 * manager or the controller, as its gates say; annotations by the manager alone.
 */
record PropagationObstacles(List<DeclaringObject> levels, Gates gates) {
    Obstacle obstacle(Declared declared, DeclaringObject at, DeclaringObject below) {
        if (!declared.annotation().isEmpty()) {
            return notPropagated(below, "Cluster API's manager has not carried it down");
        }
        if (below.source() == Source.MACHINE_POOL && gates.merges()) {
            return gates.poolsOn() ? due(below) : new Obstacle(Reason.POOL_GATE, "the controller carries taints of"
                    + " topologies to MachinePools only with its gate MachinePoolTaintPropagation as well");
        }
        if (isReplaced(declared, at)) {
            return gates.merges() ? due(below) : replaced();
        }
        return at.source() == Source.MACHINE_POOL ? ofPool(at, below) : notPropagated(below, propagator(at));
    }

    static Obstacle gateOff() {
        return new Obstacle(Reason.GATE_OFF, "the gate MachineTaintPropagation is off");
    }

    /** Whether Cluster API's manager leaves it out, for what the Cluster itself declares. */
    boolean isReplaced(Declared declared, DeclaringObject at) {
        return declared.annotation().isEmpty() && at.source() == Source.CLUSTER_CLASS
                && levels.stream().anyMatch(level -> level.source() == Source.CLUSTER && !level.taints().isEmpty());
    }

    private Obstacle replaced() {
        return gates.topologies().orElse(false) ? gateOff() : new Obstacle(Reason.REPLACED,
                "Cluster API lets the Cluster's list of taints replace that of its class;"
                        + " the controller's gate TopologyTaintPropagation merges them");
    }

    private Obstacle ofPool(DeclaringObject pool, DeclaringObject below) {
        if (gates.poolsOn()) {
            return gates.propagates() ? pool.ofList().orElseGet(() -> due(below)) : gateOff();
        }
        return new Obstacle(Reason.POOL_GATE,
                "Cluster API carries no taints from a MachinePool to its Machines; the"
                        + " controller's gate MachinePoolTaintPropagation does");
    }

    /** Nothing is written to what is paused. */
    private static Obstacle due(DeclaringObject below) {
        return below.obstacle().filter(obstacle -> obstacle.reason() == Reason.PAUSED)
                .orElseGet(() -> new Obstacle(Reason.DUE,
                        "the controller's next write brings it to " + below.name()));
    }

    /** The mode is not said; of control planes it does not matter, as their provider carries. */
    private String propagator(DeclaringObject at) {
        return gates.merges() && at.source() != Source.CONTROL_PLANE
                ? "neither Cluster API's manager has carried it down, nor the controller, which does so with"
                        + " --topology-mode=full"
                : "Cluster API's manager has not carried it down";
    }

    private static Obstacle notPropagated(DeclaringObject below, String why) {
        return new Obstacle(Reason.NOT_PROPAGATED, below.name() + " does not declare it: " + why);
    }
}
