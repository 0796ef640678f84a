package io.nodeward.controller.app;

import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** Flags about workload clusters. */
final class ClusterOptions {
    @Option(names = "--cluster-servers", paramLabel = "HOST", split = ",", description = "Hosts that kubeconfigs of Clusters may point to: names, *.domain, addresses, networks like"
            + " 10.0.0.0/8 (default: any that lead to no loopback, link-local, multicast or metadata address)")
    List<String> servers = new ArrayList<>();

    @Option(names = "--cluster-insecure-tls", arity = "0..1", fallbackValue = "true", paramLabel = "BOOL", description = "Accept kubeconfigs of Clusters with insecure-skip-tls-verify, or with http to another"
            + " machine")
    boolean insecureTls;

    @Option(names = "--cluster-in-flight", paramLabel = "N", defaultValue = "64", description = "Requests to one workload cluster at a time, at most 90 (default: ${DEFAULT-VALUE})")
    int inFlight = 64;

    @Option(names = "--cluster-reads-per-second", paramLabel = "N", defaultValue = "20", description = "Reads of one workload cluster, on average; 0 for no limit (default: ${DEFAULT-VALUE})")
    int readsPerSecond = 20;

    @Option(names = "--cluster-largest-state", paramLabel = "MIB", defaultValue = "64", description = "Memory that the Nodes of one workload cluster may take (default: ${DEFAULT-VALUE})")
    int largestState = 64;

    @Option(names = "--cluster-probe-period", paramLabel = "DURATION", defaultValue = "10s", description = "A workload cluster that sent nothing for this long is probed (default: ${DEFAULT-VALUE})")
    Duration probePeriod = Duration.ofSeconds(10);

    @Option(names = "--blocked-after", paramLabel = "DURATION", defaultValue = "30s", description = "How long something is blocked before its Cluster or Machine gets a condition"
            + " (default: ${DEFAULT-VALUE})")
    Duration blockedAfter = Duration.ofSeconds(30);

    @Option(names = "--noexecute-nodes-per-minute", paramLabel = "N", defaultValue = "10", description = "Nodes of one MachineDeployment, MachinePool or Cluster that newly get a NoExecute taint of"
            + " their Machines or pool per minute; 0 for no limit (default: ${DEFAULT-VALUE})")
    int noExecutePerMinute = 10;

    @Option(names = "--noexecute-unconfirmed-percent", paramLabel = "N", defaultValue = "10", description = "Percent of the Nodes of one of these that may wait for that before the annotation"
            + " nodeward.io/confirmed-noexecute-nodes has to confirm their number; ten may always, 0 for no limit"
            + " (default: ${DEFAULT-VALUE})")
    int noExecutePercent = 10;

    /** @throws IllegalArgumentException naming the flag that cannot be used */
    NoExecuteLimit.Settings noExecute() {
        require(noExecutePerMinute >= 0, "--noexecute-nodes-per-minute is below 0");
        require(noExecutePercent >= 0 && noExecutePercent <= 100,
                "--noexecute-unconfirmed-percent is not between 0 and 100");
        return new NoExecuteLimit.Settings(noExecutePerMinute, noExecutePercent);
    }

    /** @throws IllegalArgumentException naming the flag that cannot be used */
    ClusterSettings settings() {
        require(inFlight >= 1 && inFlight <= 90, "--cluster-in-flight is not between 1 and 90");
        require(readsPerSecond >= 0, "--cluster-reads-per-second is below 0");
        require(largestState >= 1, "--cluster-largest-state is below 1");
        require(probePeriod.toMillis() >= 1000, "--cluster-probe-period is below 1s");
        return new ClusterSettings(
                new KubeconfigPolicy(insecureTls, allowed()), inFlight, readsPerSecond, (long) largestState << 20,
                probePeriod, blockedAfter);
    }

    private AllowedServers allowed() {
        try {
            return AllowedServers.of(servers);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--cluster-servers: " + e.getMessage(), e);
        }
    }

    private static void require(boolean good, String defect) {
        if (!good) {
            throw new IllegalArgumentException(defect);
        }
    }
}
