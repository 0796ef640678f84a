package io.nodeward.controller.machinepool;

import picocli.CommandLine.Option;

/** Flags of the machinepool controller. */
public final class MachinePoolConfig {
    @Option(names = "--machinepool-concurrency", paramLabel = "N", defaultValue = "48", description = "Nodes of MachinePools reconciled at the same time, per workload cluster (default: ${DEFAULT-VALUE})")
    int concurrency = 48;

    @Option(names = "--sync-machinepool-labels", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Carry labels and annotations of a MachinePool's template to its Nodes, of the domains that are"
            + " carried from Machines")
    boolean labels;

    @Option(names = "--initialize-machinepool-nodes", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Remove node.cluster.x-k8s.io/uninitialized from Nodes of MachinePools; only where nobody else"
            + " does, as the Cluster API manager is expected to")
    boolean initialize;

    /** Whether labels of a MachinePool are carried to its Nodes. */
    public boolean labels() {
        return labels;
    }
}
