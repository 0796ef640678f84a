package io.nodeward.controller.topology;

import java.util.Arrays;

/** The kinds of a topology, from the Cluster down to its Machines. */
enum TopologyKind {
    CLUSTER("Cluster", "clusters"),
    /** Known by its Cluster's key: its kind is the provider's. */
    CONTROL_PLANE("control plane", ""),
    MACHINE_DEPLOYMENT("MachineDeployment", "machinedeployments"),
    MACHINE_POOL("MachinePool", "machinepools"),
    MACHINE_SET("MachineSet", "machinesets"),
    MACHINE("Machine", "machines");

    private final String text;
    private final String plural;

    TopologyKind(String text, String plural) {
        this.text = text;
        this.plural = plural;
    }

    /** @param text as in objects */
    static TopologyKind of(String text) {
        return Arrays.stream(values()).filter(kind -> kind.text.equals(text)).findFirst().orElseThrow();
    }

    /** As in objects. */
    String text() {
        return text;
    }

    /** As in paths. */
    String plural() {
        return plural;
    }
}
