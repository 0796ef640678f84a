package io.nodeward.core.rules.fleet;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import java.util.List;

/** Whose a Node is. */
public sealed interface NodeOwner {
    record OfMachine(Machine machine) implements NodeOwner {}

    record OfPool(MachinePool pool) implements NodeOwner {}

    /**
     * It is claimed by several, or by one while other Nodes have its providerID.
     *
     * @param machines that claim it
     * @param pools that claim it; none if a Machine does
     * @param twins whether other Nodes have its providerID
     */
    record Contested(List<Machine> machines, List<MachinePool> pools, boolean twins) implements NodeOwner {
        public Contested {
            machines = List.copyOf(machines);
            pools = List.copyOf(pools);
        }
    }

    /** Machines name it in {@code status.nodeRef}, and each has the providerID of something else. */
    record OnlyNamed(List<Machine> machines) implements NodeOwner {
        public OnlyNamed {
            machines = List.copyOf(machines);
        }
    }

    record Nobody() implements NodeOwner {}
}
