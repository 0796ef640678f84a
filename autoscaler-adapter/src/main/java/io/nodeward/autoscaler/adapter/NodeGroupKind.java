package io.nodeward.autoscaler.adapter;

/** The kinds of node groups. */
enum NodeGroupKind {
    MACHINE_DEPLOYMENT("MachineDeployment", "machinedeployments"),
    MACHINE_SET("MachineSet", "machinesets"),
    MACHINE_POOL("MachinePool", "machinepools");

    private final String text;
    private final String plural;

    NodeGroupKind(String text, String plural) {
        this.text = text;
        this.plural = plural;
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
