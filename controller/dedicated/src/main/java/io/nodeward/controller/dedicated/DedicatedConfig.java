package io.nodeward.controller.dedicated;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Flags of the dedicated controller. */
public final class DedicatedConfig {
    @Option(names = "--dedicated-concurrency", paramLabel = "N", defaultValue = "16", description = "Nodes of DedicatedNodes that are changed at the same time (default: ${DEFAULT-VALUE})")
    int concurrency = 16;

    @Option(names = "--dedicated-noexecute-nodes-per-minute", paramLabel = "N", defaultValue = "10", description = "Nodes that newly get a taint with effect NoExecute, per minute (default: ${DEFAULT-VALUE})")
    int noExecutePerMinute = 10;

    @Option(names = "--dedicated-system-namespaces", paramLabel = "NAMESPACE", split = ",", defaultValue = "kube-system,kube-node-lease,kube-public,nodeward-system", description = "Namespaces of the system: their DaemonSets are to tolerate the taints of all groups"
            + " (default: ${DEFAULT-VALUE})")
    List<String> systemNamespaces =
            new ArrayList<>(List.of("kube-system", "kube-node-lease", "kube-public", "nodeward-system"));

    Set<String> systemNamespaces() {
        return Set.copyOf(systemNamespaces);
    }
}
