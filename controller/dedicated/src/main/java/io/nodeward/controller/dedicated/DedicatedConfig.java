package io.nodeward.controller.dedicated;

import io.nodeward.core.runtime.time.Pacer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Option;

/** Flags of the dedicated controller. */
public final class DedicatedConfig {
    @Option(names = "--dedicated-concurrency", paramLabel = "N", defaultValue = "16", description = "Nodes of DedicatedNodes that are changed at the same time (default: ${DEFAULT-VALUE})")
    int concurrency = 16;

    @Option(names = "--dedicated-noexecute-nodes-per-minute", paramLabel = "N", defaultValue = "10", description = "Nodes that newly get a taint with effect NoExecute and evict pods, per minute (default: ${DEFAULT-VALUE})")
    int noExecutePerMinute = 10;

    /** Those of Antrea, and of Cilium unless it is installed otherwise, are in kube-system. */
    private static final String SYSTEM =
            "kube-system,kube-node-lease,kube-public,calico-system,tigera-operator,kube-flannel,cilium,nodeward-system";

    @Option(names = "--dedicated-system-namespaces", paramLabel = "NAMESPACE", split = ",", defaultValue = SYSTEM, description = "Namespaces of the system: their pods may tolerate the taints of all groups"
            + " (default: ${DEFAULT-VALUE})")
    List<String> systemNamespaces = new ArrayList<>(List.of(SYSTEM.split(",", -1)));

    Pacer.Limit noExecuteLimit() {
        if (noExecutePerMinute < 1) {
            throw new IllegalArgumentException(
                    "--dedicated-noexecute-nodes-per-minute: must be 1 or more, and is " + noExecutePerMinute);
        }
        return Pacer.Limit.perMinute("NoExecute", noExecutePerMinute);
    }

    Set<String> systemNamespaces() {
        return Set.copyOf(systemNamespaces);
    }
}
