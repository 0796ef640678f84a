package io.nodeward.core.runtime;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import io.nodeward.core.spi.Backend;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of the runtime at start.
 *
 * @param kubeconfig text of the management cluster's kubeconfig
 * @param kubeconfigFile where it was read from
 * @param clusters how workload clusters are treated
 * @param watchFilter only Clusters and Machines whose watch-filter label has this value; empty for all
 * @param namespaces of Cluster API's objects and of the kubeconfigs; one empty name for all
 * @param dryRun plan, log and measure, but write nothing
 * @param pause the ConfigMap that pauses all writes; empty if none does
 * @param lease by which processes elect the one that writes; empty if all write
 * @param version of Nodeward, for the User-Agent
 */
public record RuntimeConfig(
        Backend backend,
        String kubeconfig,
        Optional<Path> kubeconfigFile,
        ClusterSettings clusters,
        String watchFilter,
        List<String> namespaces,
        boolean dryRun,
        Optional<ObjectKey> pause,
        Optional<ObjectKey> lease,
        String version) {
    /** Never shows the kubeconfig. */
    @Override
    public String toString() {
        return "RuntimeConfig[backend=" + backend.name() + ", watchFilter=" + watchFilter + ", dryRun=" + dryRun
                + "]";
    }
}
