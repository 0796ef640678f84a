package io.nodeward.cli.explain;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.cli.fleet.Document;
import io.nodeward.cli.fleet.Fleet;
import io.nodeward.cli.live.LiveCluster;
import io.nodeward.cli.live.LiveFailure;
import io.nodeward.cli.live.WorkloadOptions.Sides;
import io.nodeward.cli.origin.Ancestry;
import io.nodeward.core.spi.Resource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Fetches from both clusters what an explanation needs, as if it stood in files. */
public final class LiveFleet {
    private static final List<String> OWNERS =
            List.of("machines", "machinesets", "machinedeployments", "machinepools");
    private static final List<String> VERSIONS =
            List.of("v1beta2", "v1beta1", "v1", "v1alpha3", "v1alpha2", "v1alpha1");
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final int FEW = 5;
    private static final Resource NODES = LiveCluster.NODES;

    private final Sides sides;
    private final List<Document> documents = new ArrayList<>();

    private LiveFleet(Sides sides) {
        this.sides = sides;
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

    /** The same with all pods and budgets. */
    public static Fleet withPods(Sides sides) {
        LiveFleet live = new LiveFleet(sides);
        for (Resource kind : List.of(NODES, LiveCluster.PODS, LiveCluster.BUDGETS)) {
            sides.workload().list(kind, "", "").forEach(object -> live.add(sides.workload(), object));
        }
        return live.withOwners();
    }

    private Fleet withOwners() {
        sides.cluster().ifPresent(this::owners);
        return new Fleet(documents, sides.cluster().map(ObjectKey::name).orElse(""));
    }

    private void owners(ObjectKey cluster) {
        LiveCluster management = sides.management();
        Optional<ObjectNode> found = management.find(management.clusterApi("clusters"), cluster);
        if (found.isEmpty()) {
            throw LiveFailure.unusable("error: there is no Cluster " + cluster, "What is led to by " + management.route()
                    + " is to lead to the management cluster; 'kubectl get clusters -A' shows what is there.");
        }
        add(management, found.get());
        for (String plural : OWNERS) {
            served(ClusterApi.GROUP, plural).ifPresent(kind -> management.list(kind, cluster.namespace(), "").stream()
                    .filter(object -> object.at("/spec/clusterName").asText().equals(cluster.name()))
                    .forEach(object -> add(management, object)));
        }
        controlPlane(found.get(), cluster);
        clusterClass(found.get());
        served(BOOTSTRAP, "kubeadmconfigs").ifPresent(kind -> configs(kind, cluster));
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
                .filter(document -> nodes.contains(document.json().at("/status/nodeRef/name").asText()))
                .map(document -> document.json().at("/spec/bootstrap/configRef"))
                .filter(ref -> ref.path("kind").asText().equals("KubeadmConfig"))
                .map(ref -> ref.path("name").asText())
                .distinct().toList();
        names.forEach(name -> sides.management().find(kind, new ObjectKey(cluster.namespace(), name))
                .ifPresent(object -> add(sides.management(), object)));
    }

    private void controlPlane(ObjectNode cluster, ObjectKey key) {
        JsonNode ref = cluster.at("/spec/controlPlaneRef");
        String group = ref.path("apiGroup").asText(ref.path("apiVersion").asText().split("/")[0]);
        if (!ref.path("kind").asText().isEmpty()) {
            // Cluster API asks providers to name their kinds so.
            served(group, ref.path("kind").asText().toLowerCase(Locale.ROOT) + "s")
                    .flatMap(kind -> sides.management().find(
                            kind, new ObjectKey(key.namespace(), ref.path("name").asText())))
                    .ifPresent(object -> add(sides.management(), object));
        }
    }

    private void clusterClass(ObjectNode cluster) {
        Document document = document(sides.management(), cluster);
        Ancestry.classOf(new Fleet(List.of(document), "").topology(document))
                .flatMap(key -> sides.management().find(sides.management().clusterApi("clusterclasses"), key))
                .ifPresent(object -> add(sides.management(), object));
    }

    private Optional<Resource> served(String group, String plural) {
        return sides.management().served(group, plural, VERSIONS);
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
