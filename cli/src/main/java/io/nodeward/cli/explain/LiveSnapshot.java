package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.ServedDefinitions;
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
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** Fetches from both clusters what an explanation needs, as if it stood in files. */
public final class LiveSnapshot {
    private static final List<String> VERSIONS = LiveCluster.CLUSTER_API_VERSIONS;
    private static final String MACHINES = "machines";
    /** What is not known without objects of a kind. */
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
    private static final Resource NAMESPACES = new Resource("", "v1", "namespaces", false);
    private static final Resource DAEMON_SETS = new Resource("apps", "v1", "daemonsets", true);
    private static final List<String> CLAIMS = List.of("resourceclaims", "resourceclaimtemplates");
    private static final String NO_MEMBERS = "which pods are members of DedicatedNodes is not known";

    private final ClusterPair clusters;
    private final LiveObjects objects;

    private LiveSnapshot(ClusterPair clusters) {
        this(clusters, UnaryOperator.identity());
    }

    /** @param kept of each object, as soon as it has arrived */
    private LiveSnapshot(ClusterPair clusters, UnaryOperator<ObjectNode> kept) {
        this.clusters = clusters;
        this.objects = new LiveObjects(kept);
    }

    /** Fetches one Node, and who declares what for it. */
    public static Snapshot ofNode(ClusterPair clusters, String node) throws NoSuchObjectException {
        LiveSnapshot live = new LiveSnapshot(clusters);
        live.objects.add(clusters.workload(), clusters.workload().find(NODES, ObjectKey.clusterScoped(node))
                .orElseThrow(() -> new NoSuchObjectException("there is no Node " + node + live.where())));
        return live.withOwners();
    }

    /**
     * Fetches a pod and Nodes, and who declares what for them.
     *
     * @param on the only Node that is asked about, besides the pod's own; empty for all
     */
    public static Snapshot ofPod(ClusterPair clusters, ObjectKey pod, String on) throws NoSuchObjectException {
        LiveSnapshot live = new LiveSnapshot(clusters);
        ObjectNode found = clusters.workload().find(LiveCluster.PODS, pod)
                .orElseThrow(() -> new NoSuchObjectException("there is no pod " + pod + live.where()
                        + "; is it in another namespace (-n)?"));
        live.objects.add(clusters.workload(), found);
        if (on.isEmpty()) {
            live.objects.list(clusters.workload(), NODES, "");
        } else {
            live.objects.add(clusters.workload(), clusters.workload().find(NODES, ObjectKey.clusterScoped(on))
                    .orElseThrow(() -> new NoSuchObjectException("there is no Node " + on + live.where())));
            String own = found.at("/spec/nodeName").asText();
            if (!own.isEmpty() && !own.equals(on)) {
                clusters.workload().find(NODES, ObjectKey.clusterScoped(own))
                        .ifPresent(node -> live.objects.add(clusters.workload(), node));
            }
        }
        live.groups(pod.namespace(), found.at("/spec/resourceClaims").size() > 0, List.of());
        return live.withOwners();
    }

    /**
     * Fetches DedicatedNodes, and what besides pods decides whether these are their members: of that, what groups ask for.
     *
     * @param namespace of the only pod that is asked about; empty for all
     * @param claiming whether any pod has claims of devices
     * @param edited objects as they are to be, groups among them
     */
    private void groups(String namespace, boolean claiming, List<Manifest> edited) {
        LiveCluster from = clusters.workload();
        Resource kind = Resource.of(DedicatedNodes.DEFINITION);
        List<ObjectNode> groups = new ArrayList<>();
        objects.attempt(kind.plural(), "list " + kind.plural() + "." + kind.group(),
                "what DedicatedNodes do is not known",
                () -> from.served(kind.group(), kind.plural(), List.of(kind.version()))
                        .ifPresent(served -> groups.addAll(objects.list(from, kind, ""))));
        edited.stream().filter(manifest -> manifest.id().kind().equals(DedicatedNodes.DEFINITION.kind()))
                .map(Manifest::json).forEach(groups::add); // a new group may be the only one that asks
        if (ask(groups, "namespaceSelector")) {
            namespaces(namespace);
        }
        if (claiming && ask(groups, "deviceClasses")) {
            CLAIMS.forEach(plural -> claims(plural, namespace));
        }
        if (namespace.isEmpty() && !groups.isEmpty()) {
            objects.refine(from, DAEMON_SETS,
                    "which pods DedicatedNodes drive off by the templates of their DaemonSets is not known");
        }
    }

    private static boolean ask(List<ObjectNode> groups, String how) {
        return groups.stream().anyMatch(
                group -> group.at("/spec/who").has(how) || group.at("/status/applied/who").has(how));
    }

    private void namespaces(String only) {
        LiveCluster from = clusters.workload();
        if (only.isEmpty()) {
            objects.attempt(NAMESPACES.plural(), "list namespaces", NO_MEMBERS,
                    () -> objects.list(from, NAMESPACES, ""));
        } else {
            objects.attempt(NAMESPACES.plural(), "get namespace " + only, NO_MEMBERS, () -> from
                    .find(NAMESPACES, ObjectKey.clusterScoped(only)).ifPresent(found -> objects.add(from, found)));
        }
    }

    private void claims(String plural, String namespace) {
        objects.attempt(plural, "list " + plural + (namespace.isEmpty() ? "" : " in namespace " + namespace),
                NO_MEMBERS, () -> clusters.workload().served(Snapshot.DEVICES, plural, List.of("v1"))
                        .ifPresent(kind -> objects.list(clusters.workload(), kind, namespace)));
    }

    /** Fetches a Cluster with all that belongs to it, and all Nodes. */
    public static Snapshot ofCluster(ClusterPair clusters) {
        LiveSnapshot live = new LiveSnapshot(clusters);
        live.objects.list(clusters.workload(), NODES, "");
        return live.withOwners();
    }

    /**
     * Fetches all that a plan follows, with all Nodes, pods and budgets: what of it may not be read is an error, as a plan without
     * it may be wrong. A ClusterClass matters to edits of Clusters alone, which cannot do without it; a control plane only
     * tells more of those of its Machines.
     */
    public static Snapshot forPlan(ClusterPair clusters, List<Manifest> edited) {
        LiveSnapshot live = new LiveSnapshot(clusters, Trim.keeping(edited));
        for (Resource kind : List.of(NODES, LiveCluster.PODS, LiveCluster.BUDGETS)) {
            live.objects.list(clusters.workload(), kind, "");
        }
        live.groups("", true, edited);
        live.definitions(edited);
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

    /** Fetches what the servers say of edited kinds. */
    private void definitions(List<Manifest> edited) {
        Map<String, Set<String>> versions = edited.stream().filter(Manifest::hasKnownGroup).collect(
                Collectors.groupingBy(manifest -> manifest.id().group(), TreeMap::new,
                        Collectors.mapping(Manifest::version, Collectors.toSet())));
        versions.forEach((group, named) -> {
            LiveCluster from = group.equals(DedicatedNodes.DEFINITION.group())
                    ? clusters.workload()
                    : clusters.management();
            ServedDefinitions.of(from, group, named).forEach(crd -> objects.add(from, crd));
        });
    }

    private Snapshot withOwners() {
        clusters.cluster().ifPresent(this::owners);
        return snapshot();
    }

    private Snapshot snapshot() {
        return objects.snapshot(clusters.cluster().map(ObjectKey::toString).orElse(""));
    }

    private void owners(ObjectKey key) {
        ObjectNode cluster = cluster(key);
        machines(key);
        BESIDE_MACHINES.forEach((plural, lost) -> objects.attempt(
                plural, listing(plural + "." + ClusterApi.GROUP, key), lost, () -> owners(plural, key)));
        controlPlane(cluster, key);
        clusterClass(cluster);
        objects.attempt(CONFIGS, listing(CONFIGS + "." + BOOTSTRAP, key),
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
        objects.add(management, found);
        return found;
    }

    private void machines(ObjectKey cluster) {
        owners(clusters.management().clusterApi(MACHINES), cluster);
    }

    /** Adds objects of a kind that the server may not have. */
    private void owners(String plural, ObjectKey cluster) {
        clusters.management().served(ClusterApi.GROUP, plural, VERSIONS).ifPresent(kind -> owners(kind, cluster));
    }

    private void owners(Resource kind, ObjectKey cluster) {
        objects.list(clusters.management(), kind, cluster.namespace(),
                object -> object.at("/spec/clusterName").asText().equals(cluster.name()));
    }

    /** Adds configurations. They hold whole files: for few Nodes only theirs are fetched. */
    private void configs(Resource kind, ObjectKey cluster) {
        List<Manifest> manifests = objects.manifests();
        Set<String> nodes = manifests.stream().filter(manifest -> manifest.id().kind().equals("Node"))
                .map(manifest -> manifest.id().key().name()).collect(Collectors.toSet());
        if (nodes.size() > FEW) {
            clusters.management().list(kind, cluster.namespace(), ClusterApi.CLUSTER_NAME_LABEL + "=" + cluster.name())
                    .forEach(object -> objects.add(clusters.management(), object));
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
                .ifPresent(object -> objects.add(clusters.management(), object)));
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
        Manifest manifest = new Manifest(cluster, clusters.management().route());
        Ancestry.classOf(new Snapshot(List.of(manifest), "").topology(manifest))
                .ifPresent(key -> refine("ClusterClass", key, "what it declares is not known",
                        () -> clusters.management().served(ClusterApi.GROUP, "clusterclasses", VERSIONS)));
    }

    /** Adds an object that another one names, so that it should be there. */
    private void refine(String kind, ObjectKey key, String lost, Supplier<Optional<Resource>> served) {
        objects.attempt(kind, getting(kind, key), lost, () -> served.get()
                .flatMap(resource -> clusters.management().find(resource, key))
                .ifPresentOrElse(object -> objects.add(clusters.management(), object),
                        () -> objects.missing(kind, key, lost)));
    }

    private String where() {
        return clusters.cluster().map(cluster -> " in the workload cluster of Cluster " + cluster
                + "; --cluster names another").orElse("");
    }
}
