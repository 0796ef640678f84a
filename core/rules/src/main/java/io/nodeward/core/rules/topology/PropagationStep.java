package io.nodeward.core.rules.topology;

import io.nodeward.api.machine.TaintOwner;
import java.util.List;
import java.util.Optional;

/**
 * One step down, from an object that declares taints to those it declares them for. Cluster API's managers make most of
 * these steps themselves where they run; then Nodeward leaves the step to them, as two who write the same list would
 * each keep what the other takes away.
 */
public enum PropagationStep {
    /** From a Cluster and its ClusterClass to the control plane, MachineDeployments and MachinePools. */
    TOPOLOGY("nodeward-topology", "capi-topology", Rival.PRESENT),
    /** The same beside Cluster API's manager: see {@link TopologyMode#COMPLETE}. */
    COMPLETED_TOPOLOGY("nodeward-topology", "", Rival.NEVER),
    /** From a MachineDeployment to all its MachineSets, old ones too: in place, so that no Machine is replaced. */
    MACHINE_SETS("nodeward-topology", "capi-machinedeployment", Rival.PRESENT),
    /** From a MachineSet to its Machines, in place. */
    MACHINES("nodeward-topology", "capi-machineset", Rival.PRESENT),
    /** From a MachinePool to its Machines: Cluster API's manager carries labels there, and no taints. */
    POOL_MACHINES("nodeward-machinepool", "machinepool-controller", Rival.OWNS_TAINTS);

    private enum Rival {
        NEVER,
        PRESENT,
        OWNS_TAINTS
    }

    private final String manager;
    private final String other;
    private final Rival rival;

    PropagationStep(String manager, String other, Rival rival) {
        this.manager = manager;
        this.other = other;
        this.rival = rival;
    }

    /** The field manager Nodeward writes as. */
    public String manager() {
        return manager;
    }

    /**
     * Whether the object above has made those below. Who created one then only passed on what stood above; objects of a
     * topology are for users to write to.
     */
    public boolean makes() {
        return this == MACHINE_SETS || this == MACHINES || this == POOL_MACHINES;
    }

    /** Who makes this step for an object already; empty if nobody does. */
    public Optional<String> rival(List<TaintOwner> owners) {
        return owners.stream()
                .filter(owner -> owner.applied() && owner.manager().equals(other))
                .filter(owner -> rival == Rival.PRESENT || rival == Rival.OWNS_TAINTS && owner.hasShare())
                .map(TaintOwner::manager)
                .findFirst();
    }
}
