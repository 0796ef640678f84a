package io.nodeward.cli.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.spi.Resource;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import picocli.CommandLine.Option;

/** How a workload cluster is reached: a mixin beside {@link ClusterOptions}, which lead to the management cluster. */
public final class WorkloadOptions {
    private static final String ADVICE = "Name a kubeconfig of the workload cluster with --workload-kubeconfig.";

    @Option(names = "--workload-kubeconfig", paramLabel = "FILE", defaultValue = "", description = "Leads to the workload"
            + " cluster (default: the Secret NAME-kubeconfig of the Cluster; without Clusters, as --kubeconfig)")
    String kubeconfig = "";

    @Option(names = "--workload-context", paramLabel = "NAME", defaultValue = "", description = "Of"
            + " --workload-kubeconfig (default: its current one)")
    String context = "";

    /**
     * Both clusters.
     *
     * @param workload the same as {@code management} where there is no Cluster
     * @param cluster whose Nodes are in the workload cluster; empty if there is none, or it is not known
     */
    public record ClusterPair(LiveCluster management, LiveCluster workload, Optional<ObjectKey> cluster)
            implements AutoCloseable {
        @Override
        public void close() {
            workload.close();
            if (workload != management) {
                management.close();
            }
        }
    }

    /**
     * Finds the Cluster and connects to both sides.
     *
     * @param cluster as {@code [NAMESPACE/]NAME}; empty if there is but one, or the Node tells it
     * @param node that is asked about; empty if none is
     * @throws LiveFailure saying what to name, if it is not clear which cluster is meant
     */
    public ClusterPair connect(ClusterOptions options, String cluster, String node) {
        return connect(options, management -> find(management, cluster, node));
    }

    /** Connects to the Cluster of this name in the namespace that the options name. */
    public ClusterPair connectTo(ClusterOptions options, String name) {
        return connect(options, management -> Optional.of(new ObjectKey(management.namespace(), name)));
    }

    /**
     * Connects to the cluster that the options lead to, as controllers of its own Nodes and devices run in it; or that of a Cluster, or
     * of --workload-kubeconfig, if one is named.
     *
     * @param cluster as {@code [NAMESPACE/]NAME}; empty if none is meant
     */
    public ClusterPair connectHome(ClusterOptions options, String cluster) {
        if (!cluster.isEmpty()) {
            return connect(options, cluster, "");
        }
        LiveCluster home = kubeconfig.isEmpty() ? options.connect() : options.connect(Path.of(kubeconfig), context);
        return new ClusterPair(home, home, Optional.empty());
    }

    private ClusterPair connect(ClusterOptions options, Function<LiveCluster, Optional<ObjectKey>> finding) {
        LiveCluster management = options.connect();
        try {
            Optional<ObjectKey> found = finding.apply(management);
            return new ClusterPair(management, workload(options, management, found), found);
        } catch (LiveFailure | IllegalArgumentException failure) {
            management.close();
            throw failure;
        }
    }

    private LiveCluster workload(ClusterOptions options, LiveCluster management, Optional<ObjectKey> found) {
        if (!kubeconfig.isEmpty()) {
            return options.connect(Path.of(kubeconfig), context);
        }
        return found.map(key -> options.workload(management, key, ADVICE)).orElse(management);
    }

    private static Optional<ObjectKey> find(LiveCluster management, String cluster, String node) {
        int slash = cluster.indexOf('/');
        if (slash >= 0) {
            return Optional.of(new ObjectKey(cluster.substring(0, slash), cluster.substring(slash + 1)));
        }
        Optional<Resource> kind = management.served("cluster.x-k8s.io", "clusters", LiveCluster.CLUSTER_API_VERSIONS);
        if (kind.isEmpty() && cluster.isEmpty()) {
            return Optional.empty();
        }
        List<ObjectKey> all = list(management, kind.orElseGet(() -> management.clusterApi("clusters"))).stream()
                .map(WorkloadOptions::key)
                .filter(key -> cluster.isEmpty() || key.name().equals(cluster))
                .sorted()
                .toList();
        if (all.isEmpty() && !cluster.isEmpty()) {
            throw LiveFailure.unusable("error: there is no Cluster " + cluster,
                    "Is " + management.route() + " the one that leads to the management cluster (--context)?"
                            + " 'kubectl get clusters -A' shows what is there.");
        }
        return all.size() > 1 ? Optional.of(ofNode(management, node, all)) : all.stream().findFirst();
    }

    /** Lists the objects of all namespaces, or of the one that is meant if the user may not list all. */
    private static List<ObjectNode> list(LiveCluster management, Resource kind) {
        try {
            return management.list(kind, "", "");
        } catch (LiveFailure failure) {
            if (failure.isForbidden()) {
                List<ObjectNode> own = management.list(kind, management.namespace(), "");
                if (own.isEmpty() && kind.plural().equals("clusters")) { // not "there is none": it may not be asked
                    throw LiveFailure.unusable(
                            "error: Clusters of all namespaces may not be listed, and there is none in "
                                    + management.namespace(),
                            "Name the one that is meant with --cluster NAMESPACE/NAME.");
                }
                return own;
            }
            throw failure;
        }
    }

    private static ObjectKey ofNode(LiveCluster management, String node, List<ObjectKey> all) {
        Set<ObjectKey> found = new TreeSet<>();
        if (!node.isEmpty()) {
            for (JsonNode machine : list(management, management.clusterApi("machines"))) {
                if (machine.at("/status/nodeRef/name").asText().equals(node)) {
                    found.add(new ObjectKey(machine.at("/metadata/namespace").asText(),
                            machine.at("/spec/clusterName").asText()));
                }
            }
        }
        found.retainAll(Set.copyOf(all));
        if (found.size() == 1) {
            return found.iterator().next();
        }
        throw LiveFailure.unusable("error: there are several Clusters: "
                + all.stream().map(ObjectKey::toString).collect(Collectors.joining(", ")),
                "Name the one that is meant with --cluster NAMESPACE/NAME.");
    }

    private static ObjectKey key(ObjectNode object) {
        return new ObjectKey(object.at("/metadata/namespace").asText(), object.at("/metadata/name").asText());
    }
}
