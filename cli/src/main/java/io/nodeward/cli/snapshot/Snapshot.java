package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterClass;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.impact.Budget;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Objects of one workload cluster and of those that declare taints for it, by what they are. */
public final class Snapshot {
    private static final ObjectMapper JSON = new JsonMapper();

    private final Map<Kind, Map<Manifest.Id, Manifest>> manifests = new HashMap<>();
    private final String namespace;
    private final String cluster;
    private final List<Gap> gaps;

    private record Kind(String group, String name) {}

    /** @param cluster whose Machines and pools are meant, as {@code [NAMESPACE/]NAME}; empty for all */
    public Snapshot(List<Manifest> manifests, String cluster) {
        this(manifests, cluster, List.of());
    }

    /**
     * Says besides what is missing.
     *
     * @param gaps what could not be read
     */
    public Snapshot(List<Manifest> manifests, String cluster, List<Gap> gaps) {
        int slash = cluster.indexOf('/');
        this.namespace = cluster.substring(0, Math.max(0, slash));
        this.cluster = cluster.substring(slash + 1);
        this.gaps = List.copyOf(gaps);
        for (Manifest manifest : manifests) {
            Manifest other = of(manifest.id()).putIfAbsent(manifest.id(), manifest);
            if (other != null) {
                throw manifest.error("is in " + other.source() + " already");
            }
        }
    }

    /** What could not be read, and what is not known without it. */
    public List<String> gaps() {
        return gaps.stream().map(Gap::text).toList();
    }

    /** Likewise of one kind. */
    public Optional<String> gap(String kind) {
        return gaps.stream().filter(gap -> gap.kind().equals(kind)).map(Gap::text).findFirst();
    }

    public Optional<Manifest> find(Manifest.Id id) {
        return Optional.ofNullable(of(id).get(id));
    }

    public void put(Manifest manifest) {
        of(manifest.id()).put(manifest.id(), manifest);
    }

    /** All of one kind, in their order. */
    public List<Manifest> all(String group, String kind) {
        return of(group, kind).toList();
    }

    /** A Node, as rules see it. */
    public Node node(Manifest manifest) {
        return read(manifest, Projection.NODE);
    }

    /** A Pod, as rules see it. */
    public Pod pod(Manifest manifest) {
        return read(manifest, Projection.POD);
    }

    /** What a Cluster declares by its topology; of one without, nothing. */
    public ClusterTopology topology(Manifest cluster) {
        return read(cluster, Projection.CLUSTER_TOPOLOGY);
    }

    /** What a ClusterClass declares. */
    public ClusterClass clusterClass(Manifest manifest) {
        return read(manifest, Projection.CLUSTER_CLASS);
    }

    /** Of a kind of Cluster API. */
    public List<Manifest> clusterApi(String kind) {
        return of(ClusterApi.GROUP, kind).toList();
    }

    public List<Node> nodes() {
        return of("", "Node").map(this::node).toList();
    }

    public List<Pod> pods() {
        return of("", "Pod").map(this::pod).toList();
    }

    public List<Machine> machines() {
        return clusterApi("Machine").stream().map(manifest -> read(manifest, Projection.MACHINE))
                .filter(machine -> isMeant(machine.cluster())).toList();
    }

    public List<MachinePool> pools() {
        return clusterApi("MachinePool").stream().map(manifest -> read(manifest, Projection.MACHINE_POOL))
                .filter(pool -> isMeant(pool.cluster())).toList();
    }

    public List<Budget> budgets() {
        return of("policy", "PodDisruptionBudget")
                .filter(manifest -> manifest.json().at("/spec/selector").isObject()) // without one it selects nothing
                .map(manifest -> new Budget(manifest.id().key(), Selectors.of(manifest))).toList();
    }

    /** In words. */
    public String whose() {
        return cluster.isEmpty() ? "any Cluster" : "Cluster " + (namespace.isEmpty() ? "" : namespace + '/') + cluster;
    }

    /** Whether one Cluster was named. */
    public boolean namesCluster() {
        return !cluster.isEmpty();
    }

    /** Those that are there of the Clusters that were named: a name without a namespace may be that of several. */
    public List<ObjectKey> named() {
        return clusterApi("Cluster").stream().map(manifest -> manifest.id().key())
                .filter(key -> namesCluster() && isMeant(key)).sorted().toList();
    }

    /** Whether this Cluster is the one, or one of those, that were named. */
    public boolean isMeant(ObjectKey other) {
        return cluster.isEmpty()
                || cluster.equals(other.name()) && (namespace.isEmpty() || namespace.equals(other.namespace()));
    }

    /** A Cluster, as rules see it. Files may leave it out: of a fleet without any it is there, and not paused. */
    public Optional<Cluster> cluster(ObjectKey key) {
        if (clusterApi("Cluster").isEmpty()) {
            Metadata metadata = new Metadata(key, "", "", Map.of(), Map.of(), List.of(), false);
            return Optional.of(new Cluster(metadata, false, Cluster.ControlPlaneRef.NONE,
                    Cluster.Initialization.NOT_REPORTED, List.of()));
        }
        return find(new Manifest.Id(ClusterApi.GROUP, "Cluster", key)).map(this::cluster);
    }

    /** Likewise of its document. */
    public Cluster cluster(Manifest manifest) {
        return read(manifest, Projection.CLUSTER);
    }

    private Stream<Manifest> of(String group, String kind) {
        return manifests.getOrDefault(new Kind(group, kind), Map.of()).values().stream();
    }

    private Map<Manifest.Id, Manifest> of(Manifest.Id id) {
        return manifests.computeIfAbsent(new Kind(id.group(), id.kind()), kind -> new LinkedHashMap<>());
    }

    /** An object as rules see it. */
    public static <T extends KubernetesObject> T read(Manifest manifest, Projection<T> projection) {
        try {
            return projection.read(JSON.writeValueAsBytes((JsonNode) manifest.json()));
        } catch (IOException e) {
            throw manifest.error(String.valueOf(e.getMessage()));
        }
    }
}
