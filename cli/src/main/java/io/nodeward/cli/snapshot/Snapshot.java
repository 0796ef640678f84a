package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.ClaimedClasses;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.LabeledNamespace;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.json.Projection;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.ClusterTopology;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.KubernetesObject;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Pod;
import io.nodeward.core.rules.dedicated.ListedCluster;
import io.nodeward.core.rules.dedicated.MemberFacts;
import io.nodeward.core.rules.dedicated.NodeSets;
import io.nodeward.core.rules.impact.Budget;
import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Objects of one workload cluster and of those that declare taints for it, by what they are. */
public final class Snapshot {
    /** The group of ResourceClaims and their templates. */
    public static final String DEVICES = "resource.k8s.io";
    static final String APPS = "apps";
    static final String DAEMON_SET = "DaemonSet";
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
     * Creates a snapshot that lacks objects.
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

    /** Returns what could not be read, and what is not known without it. */
    public List<String> gaps() {
        return gaps.stream().map(Gap::text).toList();
    }

    /** Returns why objects of this kind could not be read, if that is so. */
    public Optional<String> gap(String kind) {
        return gaps.stream().filter(gap -> gap.kind().equals(kind)).map(Gap::text).findFirst();
    }

    public Optional<Manifest> find(Manifest.Id id) {
        return Optional.ofNullable(of(id).get(id));
    }

    public void put(Manifest manifest) {
        of(manifest.id()).put(manifest.id(), manifest);
    }

    /** Returns all of one kind, in their order. */
    public List<Manifest> all(String group, String kind) {
        return of(group, kind).toList();
    }

    /** Returns the CRDs of the cluster, as far as they are there. */
    public List<Manifest> definitions() {
        return all(Manifest.DEFINITIONS, Manifest.DEFINITION);
    }

    /** Returns what a Cluster declares by its topology: nothing if it has none. */
    public ClusterTopology topology(Manifest cluster) {
        return read(cluster, Projection.CLUSTER_TOPOLOGY);
    }

    /** Returns the objects of a kind of Cluster API. */
    public List<Manifest> clusterApi(String kind) {
        return of(ClusterApi.GROUP, kind).toList();
    }

    public List<Node> nodes() {
        return each("", "Node", Projection.NODE).toList();
    }

    public List<Pod> pods() {
        return each("", "Pod", Projection.POD).toList();
    }

    public List<Machine> machines() {
        return each(ClusterApi.GROUP, "Machine", Projection.MACHINE).filter(machine -> isMeant(machine.cluster()))
                .toList();
    }

    public List<MachinePool> pools() {
        return each(ClusterApi.GROUP, "MachinePool", Projection.MACHINE_POOL).filter(pool -> isMeant(pool.cluster()))
                .toList();
    }

    /** Returns the groups of dedicated Nodes. */
    public List<CustomResource<DedicatedNodes>> groups() {
        return each(DedicatedNodes.DEFINITION.group(), DedicatedNodes.DEFINITION.kind(), DedicatedNodes.PROJECTION)
                .toList();
    }

    /** Returns the cluster with these Nodes, as groups see it. */
    public ListedCluster listedCluster(Collection<Node> nodes) {
        return new ListedCluster(new NodeSets(nodes), each("", "Pod", CandidatePod.PROJECTION).toList(), members(),
                each(APPS, DAEMON_SET, DaemonTemplate.PROJECTION)
                        .collect(Collectors.toMap(DaemonTemplate::key, daemon -> daemon)));
    }

    /** Returns who is a member of groups. The command knows no flags, so the namespaces of the system are those by default. */
    public MemberFacts members() {
        return MemberFacts.of(each("", "Namespace", LabeledNamespace.PROJECTION).toList(), this::requests,
                Set.of((MemberFacts.SYSTEM_NAMESPACES + ",nodeward-system").split(",")));
    }

    private Optional<Set<Set<String>>> requests(PodClaim claim) {
        return find(new Manifest.Id(DEVICES, claim.template() ? "ResourceClaimTemplate" : "ResourceClaim", claim.key()))
                .map(manifest -> read(
                        manifest, claim.template() ? ClaimedClasses.OF_TEMPLATE : ClaimedClasses.OF_CLAIM).requests());
    }

    /** Returns the PodDisruptionBudgets that select pods. */
    public List<Budget> budgets() {
        return of("policy", "PodDisruptionBudget")
                .filter(manifest -> manifest.json().at("/spec/selector").isObject()) // without one it selects nothing
                .map(manifest -> new Budget(manifest.id().key(), Selectors.of(manifest),
                        manifest.json().at("/status/disruptionsAllowed").asLong()))
                .toList();
    }

    /** Returns in words whose Nodes are meant. */
    public String whose() {
        return cluster.isEmpty() ? "any Cluster" : "Cluster " + (namespace.isEmpty() ? "" : namespace + '/') + cluster;
    }

    /** Returns whether one Cluster was named. */
    public boolean namesCluster() {
        return !cluster.isEmpty();
    }

    /** Returns the Clusters that were named and that are there: several may have a name without a namespace. */
    public List<ObjectKey> named() {
        return clusterApi("Cluster").stream().map(manifest -> manifest.id().key())
                .filter(key -> namesCluster() && isMeant(key)).sorted().toList();
    }

    /** Returns whether this Cluster is the one, or one of those, that were named. */
    public boolean isMeant(ObjectKey other) {
        return cluster.isEmpty()
                || cluster.equals(other.name()) && (namespace.isEmpty() || namespace.equals(other.namespace()));
    }

    /** Returns a Cluster, as rules see it. Files may leave it out: in a fleet without any it is there, and not paused. */
    public Optional<Cluster> cluster(ObjectKey key) {
        if (clusterApi("Cluster").isEmpty()) {
            Metadata metadata = new Metadata(key, "", "", Map.of(), Map.of(), List.of(), false);
            return Optional.of(new Cluster(metadata, false, Cluster.ControlPlaneRef.NONE,
                    Cluster.Initialization.NOT_REPORTED, List.of()));
        }
        return find(new Manifest.Id(ClusterApi.GROUP, "Cluster", key))
                .map(manifest -> read(manifest, Projection.CLUSTER));
    }

    private <T extends KubernetesObject> Stream<T> each(String group, String kind, Projection<T> projection) {
        return of(group, kind).map(manifest -> read(manifest, projection));
    }

    private Stream<Manifest> of(String group, String kind) {
        return manifests.getOrDefault(new Kind(group, kind), Map.of()).values().stream();
    }

    private Map<Manifest.Id, Manifest> of(Manifest.Id id) {
        return manifests.computeIfAbsent(new Kind(id.group(), id.kind()), kind -> new LinkedHashMap<>());
    }

    /** Returns an object as rules see it. */
    public static <T extends KubernetesObject> T read(Manifest manifest, Projection<T> projection) {
        try {
            return projection.read(JSON.writeValueAsBytes((JsonNode) manifest.json()));
        } catch (IOException e) {
            throw manifest.error(String.valueOf(e.getMessage()));
        }
    }
}
