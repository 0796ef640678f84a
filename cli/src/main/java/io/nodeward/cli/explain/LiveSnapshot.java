package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.WorkloadOptions.ClusterPair;
import io.nodeward.cli.origin.Ancestry;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.snapshot.Snapshot;
import io.nodeward.cli.snapshot.Trim;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Fetches from both clusters what an explanation needs, as if it stood in files. */
public final class LiveSnapshot {
    private static final List<String> VERSIONS = List.of("v1beta2", "v1beta1");
    private static final String MACHINES = "machines";
    /** By kind, what is not known without it. */
    private static final Map<String, String> BESIDE_MACHINES = new LinkedHashMap<>();

    static {
        BESIDE_MACHINES.put("machinesets", "who declares a taint for a Machine of a MachineSet is not known");
        BESIDE_MACHINES.put("machinedeployments",
                "who declares a taint for a Machine of a MachineDeployment is not known");
        BESIDE_MACHINES.put("machinepools", "Nodes of MachinePools are told as nobody's");
    }

    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final String CONFIGS = "kubeadmconfigs";
    private static final int FEW = 5;
    private static final Resource NODES = LiveCluster.NODES;

    private final ClusterPair clusters;
    private final UnaryOperator<ObjectNode> kept;
    private final Refining refining = new Refining();
    private final List<Manifest> manifests = new ArrayList<>();

    private LiveSnapshot(ClusterPair clusters) {
        this(clusters, UnaryOperator.identity());
    }

    /** @param kept of each object, as soon as it has arrived */
    private LiveSnapshot(ClusterPair clusters, UnaryOperator<ObjectNode> kept) {
        this.clusters = clusters;
        this.kept = kept;
    }

    /** One Node, and who declares what for it. */
    public static Snapshot ofNode(ClusterPair clusters, String node) throws NoSuchObjectException {
        LiveSnapshot live = new LiveSnapshot(clusters);
        live.add(clusters.workload(), clusters.workload().find(NODES, ObjectKey.clusterScoped(node))
                .orElseThrow(() -> new NoSuchObjectException("there is no Node " + node + live.where())));
        return live.withOwners();
    }

    /**
     * A pod and Nodes, and who declares what for them.
     *
     * @param on the only Node that is asked about, besides the pod's own; empty for all
     */
    public static Snapshot ofPod(ClusterPair clusters, ObjectKey pod, String on) throws NoSuchObjectException {
        LiveSnapshot live = new LiveSnapshot(clusters);
        ObjectNode found = clusters.workload().find(LiveCluster.PODS, pod)
                .orElseThrow(() -> new NoSuchObjectException("there is no pod " + pod + live.where()
                        + "; is it in another namespace (-n)?"));
        live.add(clusters.workload(), found);
        if (on.isEmpty()) {
            clusters.workload().list(NODES, "", "").forEach(node -> live.add(clusters.workload(), node));
        } else {
            live.add(clusters.workload(), clusters.workload().find(NODES, ObjectKey.clusterScoped(on))
                    .orElseThrow(() -> new NoSuchObjectException("there is no Node " + on + live.where())));
            String own = found.at("/spec/nodeName").asText();
            if (!own.isEmpty() && !own.equals(on)) {
                clusters.workload().find(NODES, ObjectKey.clusterScoped(own))
                        .ifPresent(node -> live.add(clusters.workload(), node));
            }
        }
        live.groups().fetch(pod.namespace(), found.at("/spec/resourceClaims").size() > 0, List.of());
        return live.withOwners();
    }

    private LiveGroups groups() {
        LiveCluster from = clusters.workload();
        return new LiveGroups(from, refining, (kind, namespace) -> list(from, kind, namespace),
                object -> add(from, object));
    }

    /** A Cluster with all that belongs to it, and all Nodes. */
    public static Snapshot ofCluster(ClusterPair clusters) {
        LiveSnapshot live = new LiveSnapshot(clusters);
        clusters.workload().list(NODES, "", "").forEach(node -> live.add(clusters.workload(), node));
        return live.withOwners();
    }

    /**
     * All that a plan follows, with all Nodes, pods and budgets: what of it may not be read is an error, as a plan without
     * it may be wrong. A ClusterClass matters to edits of Clusters alone, which cannot do without it; a control plane only
     * tells more of those of its Machines.
     */
    public static Snapshot forPlan(ClusterPair clusters, List<Manifest> edited) {
        LiveSnapshot live = new LiveSnapshot(clusters, new Trim());
        for (Resource kind : List.of(NODES, LiveCluster.PODS, LiveCluster.BUDGETS)) {
            live.list(clusters.workload(), kind, "").forEach(object -> live.add(clusters.workload(), object));
        }
        live.groups().fetch("", true, edited);
        clusters.cluster().ifPresent(key -> {
            ObjectNode cluster = live.cluster(key);
            live.machines(key);
            BESIDE_MACHINES.keySet().forEach(plural -> live.owners(plural, key));
            if (edited.stream().anyMatch(manifest -> manifest.id().kind().equals("Machine"))) {
                live.controlPlane(cluster, key);
            }
            live.clusterClass(cluster);
        });
        return live.snapshot();
    }

    private Snapshot withOwners() {
        clusters.cluster().ifPresent(this::owners);
        return snapshot();
    }

    private Snapshot snapshot() {
        return new Snapshot(manifests, clusters.cluster().map(ObjectKey::toString).orElse(""), refining.gaps());
    }

    private List<ObjectNode> list(LiveCluster from, Resource kind, String namespace) {
        return from.list(kind, namespace, "", "", kept::apply);
    }

    private void owners(ObjectKey key) {
        ObjectNode cluster = cluster(key);
        machines(key);
        BESIDE_MACHINES.forEach((plural, lost) -> refining.attempt(
                plural, listing(plural + "." + ClusterApi.GROUP, key), lost, () -> owners(plural, key)));
        controlPlane(cluster, key);
        clusterClass(cluster);
        refining.attempt(CONFIGS, listing(CONFIGS + "." + BOOTSTRAP, key),
                "which taints kubeadm was told to set is not known",
                () -> clusters.management().served(BOOTSTRAP, CONFIGS, VERSIONS).ifPresent(kind -> configs(kind, key)));
    }

    private static String listing(String kind, ObjectKey cluster) {
        return "list " + kind + " in namespace " + cluster.namespace();
    }

    private static String getting(String kind, ObjectKey object) {
        return "get " + kind + " " + object.name() + " in namespace " + object.namespace();
    }

    private ObjectNode cluster(ObjectKey cluster) {
        LiveCluster management = clusters.management();
        ObjectNode found = management.find(management.clusterApi("clusters"), cluster)
                .orElseThrow(() -> LiveFailure.unusable("error: there is no Cluster " + cluster, "Is "
                        + management.route() + " the one that leads to the management cluster (--context)?"
                        + " 'kubectl get clusters -A' shows what is there."));
        add(management, found);
        return found;
    }

    private void machines(ObjectKey cluster) {
        owners(clusters.management().clusterApi(MACHINES), cluster);
    }

    /** Of a kind that a server without it has no objects of. */
    private void owners(String plural, ObjectKey cluster) {
        clusters.management().served(ClusterApi.GROUP, plural, VERSIONS).ifPresent(kind -> owners(kind, cluster));
    }

    private void owners(Resource kind, ObjectKey cluster) {
        list(clusters.management(), kind, cluster.namespace()).stream()
                .filter(object -> object.at("/spec/clusterName").asText().equals(cluster.name()))
                .forEach(object -> add(clusters.management(), object));
    }

    /** They hold whole files: of few Nodes only theirs are fetched. */
    private void configs(Resource kind, ObjectKey cluster) {
        Set<String> nodes = manifests.stream().filter(manifest -> manifest.id().kind().equals("Node"))
                .map(manifest -> manifest.id().key().name()).collect(Collectors.toSet());
        if (nodes.size() > FEW) {
            clusters.management().list(kind, cluster.namespace(), ClusterApi.CLUSTER_NAME_LABEL + "=" + cluster.name())
                    .forEach(object -> add(clusters.management(), object));
            return;
        }
        List<String> names = manifests.stream()
                .filter(manifest -> nodes.contains(manifest.json().at("/status/nodeRef/name").asText())
                        || manifest.json().at("/status/nodeRefs").findValuesAsText("name").stream()
                                .anyMatch(nodes::contains))
                .map(manifest -> manifest.json().at(manifest.id().kind().equals("MachinePool")
                        ? "/spec/template/spec/bootstrap/configRef"
                        : "/spec/bootstrap/configRef"))
                .filter(ref -> ref.path("kind").asText().equals("KubeadmConfig"))
                .map(ref -> ref.path("name").asText())
                .distinct().toList();
        names.forEach(name -> clusters.management().find(kind, new ObjectKey(cluster.namespace(), name))
                .ifPresent(object -> add(clusters.management(), object)));
    }

    private void controlPlane(ObjectNode cluster, ObjectKey key) {
        JsonNode ref = cluster.at("/spec/controlPlaneRef");
        String kind = ref.path("kind").asText();
        ObjectKey object = new ObjectKey(key.namespace(), ref.path("name").asText());
        if (!kind.isEmpty()) {
            refine(kind, object, "what it declares for its Machines is not known",
                    () -> clusters.management().kindOf(ref));
        }
    }

    private void clusterClass(ObjectNode cluster) {
        Manifest manifest = manifest(clusters.management(), cluster);
        Ancestry.classOf(new Snapshot(List.of(manifest), "").topology(manifest))
                .ifPresent(key -> refine("ClusterClass", key, "what it declares is not known",
                        () -> clusters.management().served(ClusterApi.GROUP, "clusterclasses", VERSIONS)));
    }

    /** An object that is named, and so should be there. */
    private void refine(String kind, ObjectKey key, String lost, Supplier<Optional<Resource>> served) {
        refining.attempt(kind, getting(kind, key), lost, () -> served.get()
                .flatMap(resource -> clusters.management().find(resource, key))
                .ifPresentOrElse(object -> add(clusters.management(), object),
                        () -> refining.missing(kind, key, lost)));
    }

    private void add(LiveCluster from, ObjectNode object) {
        manifests.add(manifest(from, object));
    }

    private static Manifest manifest(LiveCluster from, ObjectNode object) {
        return new Manifest(object, from.route());
    }

    private String where() {
        return clusters.cluster().map(cluster -> " in the workload cluster of Cluster " + cluster
                + "; --cluster names another").orElse("");
    }
}
