package io.nodeward.controller.topology;

import java.util.Arrays;

/** Where an object stands between a Cluster and its Machines. */
enum Level {
    CLUSTER("Cluster", "clusters"),
    /** Known by its Cluster's key: its kind is the provider's. */
    CONTROL_PLANE("control plane", ""),
    MACHINE_DEPLOYMENT("MachineDeployment", "machinedeployments"),
    MACHINE_POOL("MachinePool", "machinepools"),
    MACHINE_SET("MachineSet", "machinesets"),
    MACHINE("Machine", "machines");

    private final String kind;
    private final String plural;

    Level(String kind, String plural) {
        this.kind = kind;
        this.plural = plural;
    }

    static Level of(String kind) {
        return Arrays.stream(values()).filter(level -> level.kind.equals(kind)).findFirst().orElseThrow();
    }

    String kind() {
        return kind;
    }

    /** As in paths. */
    String plural() {
        return plural;
    }
}
