package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.cli.fleet.Trim;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.WorkloadOptions.Sides;
import io.nodeward.cli.origin.Ancestry;
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
public final class LiveFleet {
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

    private final Sides sides;
    private final UnaryOperator<ObjectNode> kept;
    private final Refining refining = new Refining();
    private final List<Document> documents = new ArrayList<>();

    private LiveFleet(Sides sides) {
        this(sides, UnaryOperator.identity());
    }

    /** @param kept of each object, as soon as it has arrived */
    private LiveFleet(Sides sides, UnaryOperator<ObjectNode> kept) {
        this.sides = sides;
        this.kept = kept;
    }

    /** One Node, and who declares what for it. */
    public static Fleet ofNode(Sides sides, String node) throws NoSuchObjectException {
        LiveFleet live = new LiveFleet(sides);
        live.add(sides.workload(), sides.workload().find(NODES, ObjectKey.clusterScoped(node))
                .orElseThrow(() -> new NoSuchObjectException("there is no Node " + node + live.where())));
        return live.withOwners();
    }

    /**
     * A pod and Nodes, and who declares what for them.
     *
     * @param on the only Node that is asked about, besides the pod's own; empty for all
     */
    public static Fleet ofPod(Sides sides, ObjectKey pod, String on) throws NoSuchObjectException {
        LiveFleet live = new LiveFleet(sides);
        ObjectNode found = sides.workload().find(LiveCluster.PODS, pod)
                .orElseThrow(() -> new NoSuchObjectException("there is no pod " + pod + live.where()
                        + "; is it in another namespace (-n)?"));
        live.add(sides.workload(), found);
        if (on.isEmpty()) {
            sides.workload().list(NODES, "", "").forEach(node -> live.add(sides.workload(), node));
        } else {
            live.add(sides.workload(), sides.workload().find(NODES, ObjectKey.clusterScoped(on))
                    .orElseThrow(() -> new NoSuchObjectException("there is no Node " + on + live.where())));
            String own = found.at("/spec/nodeName").asText();
            if (!own.isEmpty() && !own.equals(on)) {
                sides.workload().find(NODES, ObjectKey.clusterScoped(own))
                        .ifPresent(node -> live.add(sides.workload(), node));
            }
        }
        return live.withOwners();
    }

    /** A Cluster with all that belongs to it, and all Nodes. */
    public static Fleet ofCluster(Sides sides) {
        LiveFleet live = new LiveFleet(sides);
        sides.workload().list(NODES, "", "").forEach(node -> live.add(sides.workload(), node));
        return live.withOwners();
    }

    /**
     * All that a plan follows, with all Nodes, pods and budgets: what of it may not be read is an error, as a plan without
     * it may be wrong. A ClusterClass matters to edits of Clusters alone, which cannot do without it; a control plane only
     * tells more of those of its Machines.
     *
     * @param machinesEdited whether any Machine is
     */
    public static Fleet forPlan(Sides sides, boolean machinesEdited) {
        LiveFleet live = new LiveFleet(sides, new Trim());
        for (Resource kind : List.of(NODES, LiveCluster.PODS, LiveCluster.BUDGETS)) {
            live.list(sides.workload(), kind, "").forEach(object -> live.add(sides.workload(), object));
        }
        sides.cluster().ifPresent(key -> {
            ObjectNode cluster = live.cluster(key);
            live.machines(key);
            BESIDE_MACHINES.keySet().forEach(plural -> live.owners(plural, key));
            if (machinesEdited) {
                live.controlPlane(cluster, key);
            }
            live.clusterClass(cluster);
        });
        return live.fleet();
    }

    private Fleet withOwners() {
        sides.cluster().ifPresent(this::owners);
        return fleet();
    }

    private Fleet fleet() {
        return new Fleet(documents, sides.cluster().map(ObjectKey::toString).orElse(""), refining.gaps());
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
                () -> sides.management().served(BOOTSTRAP, CONFIGS, VERSIONS).ifPresent(kind -> configs(kind, key)));
    }

    private static String listing(String kind, ObjectKey cluster) {
        return "list " + kind + " in namespace " + cluster.namespace();
    }

    private static String getting(String kind, ObjectKey object) {
        return "get " + kind + " " + object.name() + " in namespace " + object.namespace();
    }

    private ObjectNode cluster(ObjectKey cluster) {
        LiveCluster management = sides.management();
        ObjectNode found = management.find(management.clusterApi("clusters"), cluster)
                .orElseThrow(() -> LiveFailure.unusable("error: there is no Cluster " + cluster, "Is "
                        + management.route() + " the one that leads to the management cluster (--context)?"
                        + " 'kubectl get clusters -A' shows what is there."));
        add(management, found);
        return found;
    }

    private void machines(ObjectKey cluster) {
        owners(sides.management().clusterApi(MACHINES), cluster);
    }

    /** Of a kind that a server without it has no objects of. */
    private void owners(String plural, ObjectKey cluster) {
        sides.management().served(ClusterApi.GROUP, plural, VERSIONS).ifPresent(kind -> owners(kind, cluster));
    }

    private void owners(Resource kind, ObjectKey cluster) {
        list(sides.management(), kind, cluster.namespace()).stream()
                .filter(object -> object.at("/spec/clusterName").asText().equals(cluster.name()))
                .forEach(object -> add(sides.management(), object));
    }

    /** They hold whole files: of few Nodes only theirs are fetched. */
    private void configs(Resource kind, ObjectKey cluster) {
        Set<String> nodes = documents.stream().filter(document -> document.id().kind().equals("Node"))
                .map(document -> document.id().key().name()).collect(Collectors.toSet());
        if (nodes.size() > FEW) {
            sides.management().list(kind, cluster.namespace(), ClusterApi.CLUSTER_NAME_LABEL + "=" + cluster.name())
                    .forEach(object -> add(sides.management(), object));
            return;
        }
        List<String> names = documents.stream()
                .filter(document -> nodes.contains(document.json().at("/status/nodeRef/name").asText())
                        || document.json().at("/status/nodeRefs").findValuesAsText("name").stream()
                                .anyMatch(nodes::contains))
                .map(document -> document.json().at(document.id().kind().equals("MachinePool")
                        ? "/spec/template/spec/bootstrap/configRef"
                        : "/spec/bootstrap/configRef"))
                .filter(ref -> ref.path("kind").asText().equals("KubeadmConfig"))
                .map(ref -> ref.path("name").asText())
                .distinct().toList();
        names.forEach(name -> sides.management().find(kind, new ObjectKey(cluster.namespace(), name))
                .ifPresent(object -> add(sides.management(), object)));
    }

    private void controlPlane(ObjectNode cluster, ObjectKey key) {
        JsonNode ref = cluster.at("/spec/controlPlaneRef");
        String kind = ref.path("kind").asText();
        ObjectKey object = new ObjectKey(key.namespace(), ref.path("name").asText());
        if (!kind.isEmpty()) {
            refine(kind, object, "what it declares for its Machines is not known",
                    () -> sides.management().kindOf(ref));
        }
    }

    private void clusterClass(ObjectNode cluster) {
        Document document = document(sides.management(), cluster);
        Ancestry.classOf(new Fleet(List.of(document), "").topology(document))
                .ifPresent(key -> refine("ClusterClass", key, "what it declares is not known",
                        () -> sides.management().served(ClusterApi.GROUP, "clusterclasses", VERSIONS)));
    }

    /** An object that is named, and so should be there. */
    private void refine(String kind, ObjectKey key, String lost, Supplier<Optional<Resource>> served) {
        refining.attempt(kind, getting(kind, key), lost, () -> served.get()
                .flatMap(resource -> sides.management().find(resource, key))
                .ifPresentOrElse(object -> add(sides.management(), object),
                        () -> refining.missing(kind, key, lost)));
    }

    private void add(LiveCluster from, ObjectNode object) {
        documents.add(document(from, object));
    }

    private static Document document(LiveCluster from, ObjectNode object) {
        return new Document(object, from.route());
    }

    private String where() {
        return sides.cluster().map(cluster -> " in the workload cluster of Cluster " + cluster
                + "; --cluster names another").orElse("");
    }
}
