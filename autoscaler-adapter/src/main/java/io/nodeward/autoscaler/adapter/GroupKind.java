package io.nodeward.autoscaler.adapter;

import java.util.stream.Stream;

/** The kinds of node groups. */
enum GroupKind {
    MACHINE_DEPLOYMENT("MachineDeployment", "machinedeployments"),
    MACHINE_SET("MachineSet", "machinesets"),
    MACHINE_POOL("MachinePool", "machinepools");

    private final String text;
    private final String plural;

    GroupKind(String text, String plural) {
        this.text = text;
        this.plural = plural;
    }

    /** By its {@link #text}. */
    static GroupKind of(String text) {
        return Stream.of(values()).filter(kind -> kind.text.equals(text)).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no kind of node groups: " + text));
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
