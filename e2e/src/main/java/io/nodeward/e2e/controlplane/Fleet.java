package io.nodeward.e2e.controlplane;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;

/**
 * Clusters, Machines and Nodes of one suite, in one namespace; one API server is management and workload cluster.
 * Nodes are cluster-wide: their names should start with the namespace. Safe for many threads.
 */
public final class Fleet implements AutoCloseable {
    private static final String CLUSTER_API = "/apis/cluster.x-k8s.io/v1beta2";
    private static final String NOT_READY = "node.kubernetes.io/not-ready";
    private static final int TRIES = 20;
    private static final String CLUSTER_NAME = "cluster.x-k8s.io/cluster-name";

    private final AdminClient admin;
    private final String namespace;
    private final FakeProvider provider;
    private final ConcurrentLinkedQueue<String> nodes = new ConcurrentLinkedQueue<>();

    private Fleet(AdminClient admin, String namespace) {
        this.admin = admin;
        this.namespace = namespace;
        this.provider = new FakeProvider(admin, namespace);
    }

    /** In a namespace that is created if it is not there. */
    public static Fleet in(AdminClient admin, String namespace) {
        admin.createIfAbsent("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", namespace))));
        return new Fleet(admin, namespace);
    }

    /** The same for the infrastructure, the Machine and the Node of one name. */
    public static String providerId(String name) {
        return "e2e://zone-a/" + name;
    }

    public String namespace() {
        return namespace;
    }

    /** As {@link #cluster(String)}, and the Secret with which its Nodes are reached. */
    public void cluster(String name, Kubeconfig workload) {
        cluster(name);
        kubeconfigSecret(name, workload);
    }

    /** A Cluster with a control plane that says it is initialized; its own status says nothing. */
    public void cluster(String name) {
        provider.controlPlane(name);
        admin.create(path("clusters"), Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2",
                "kind", "Cluster",
                "metadata", Map.of("name", name),
                "spec", Map.of(
                        "controlPlaneEndpoint", Map.of("host", "127.0.0.1", "port", 6443),
                        "controlPlaneRef", FakeProvider.controlPlaneRef(name)))));
    }

    /** Creates {@code <cluster>-kubeconfig}, or changes the one that is there in place. */
    public void kubeconfigSecret(String cluster, Kubeconfig workload) {
        kubeconfigSecret(cluster, workload.toYaml());
    }

    /** As {@link #kubeconfigSecret(String, Kubeconfig)}, with any text. */
    public void kubeconfigSecret(String cluster, String text) {
        String secrets = "/api/v1/namespaces/" + namespace + "/secrets";
        String value = Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
        JsonNode secret = Json.tree(Map.of(
                "type", "cluster.x-k8s.io/secret",
                "metadata", Map.of("name", cluster + "-kubeconfig", "labels", Map.of(CLUSTER_NAME, cluster)),
                "data", Map.of("value", value)));
        admin.createIfAbsent(secrets, secret);
        admin.mergePatch(secrets + "/" + cluster + "-kubeconfig", secret.toString());
    }

    /** With its infrastructure, which says it is provisioned if the Machine has a providerID. */
    public JsonNode machine(MachineSpec machine) {
        provider.infrastructure(machine.name(), machine.providerId());
        Map<String, String> labels = new LinkedHashMap<>(machine.labels());
        labels.put(CLUSTER_NAME, machine.cluster());
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", machine.name());
        metadata.put("labels", labels);
        metadata.put("annotations", machine.annotations());
        if (machine.controlled()) {
            metadata.put("ownerReferences", List.of(provider.controlPlaneOwner(machine.cluster())));
        }
        return admin.create(path("machines"), Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2",
                "kind", "Machine",
                "metadata", metadata,
                "spec", spec(machine))));
    }

    /** Path of a Machine for requests of the suite's own. */
    public String machinePath(String name) {
        return path("machines") + "/" + name;
    }

    /** Path of a Node for requests of the suite's own. */
    public static String nodePath(String name) {
        return "/api/v1/nodes/" + name;
    }

    /** Registers a Node as its kubelet does and reports it ready. */
    public JsonNode node(NodeSpec node) {
        nodes.add(node.name());
        admin.create("/api/v1/nodes", KubeletObjects.registration(node));
        admin.mergePatch(nodePath(node.name()) + "/status", KubeletObjects.ready(node.name()).toString());
        return node.notReady() ? admin.get(nodePath(node.name())) : removeNotReady(node.name());
    }

    /** A Machine and its Node, which registers {@code uninitialized}. */
    public void pair(MachineSpec machine) {
        node(NodeSpec.named(machine.name()).withProviderId(machine.providerId()).uninitialized());
        machine(machine);
    }

    /** Takes off what admission puts on every new Node: the controller that does it in a whole cluster is not here. */
    public JsonNode removeNotReady(String node) {
        for (int tries = 1;; tries++) {
            JsonNode current = admin.get(nodePath(node));
            OptionalInt place = placeOfNotReady(current);
            if (place.isEmpty()) {
                return current;
            }
            String taint = "/spec/taints/" + place.getAsInt();
            AdminClient.Reply reply = admin.send("PATCH", nodePath(node), AdminClient.JSON_PATCH, """
                    [{"op":"test","path":"%s/key","value":"%s"}, {"op":"remove","path":"%s"}]"""
                    .formatted(taint, NOT_READY, taint));
            if (reply.isOk()) {
                return reply.body();
            }
            if (reply.code() != 422 || tries == TRIES) { // else a controller has changed the list meanwhile
                throw new IllegalStateException(node + " stays not ready: " + reply.body());
            }
        }
    }

    private static OptionalInt placeOfNotReady(JsonNode node) {
        JsonNode taints = node.path("spec").path("taints");
        return IntStream.range(0, taints.size())
                .filter(i -> taints.path(i).path("key").asText().equals(NOT_READY)).findFirst();
    }

    /** The Machines, Clusters and Nodes of this fleet as they are now. */
    public List<JsonNode> objects() {
        List<JsonNode> objects = new ArrayList<>();
        for (String kind : List.of("Machine", "Cluster")) {
            JsonNode list = admin.get(path(kind.toLowerCase(Locale.ROOT) + "s"));
            list.path("items").forEach(item -> objects.add(((ObjectNode) item).put("kind", kind)));
        }
        nodes.forEach(node -> admin.find(nodePath(node)).ifPresent(objects::add));
        return objects;
    }

    /** Deletes the Nodes and, finalizers or not, the objects of the namespace, so that no controller finds them. */
    @Override
    public void close() {
        deleteAll(path("machines"));
        deleteAll(path("clusters"));
        provider.collections().forEach(this::deleteAll);
        admin.delete("/api/v1/namespaces/" + namespace + "/secrets");
        admin.delete("/api/v1/namespaces/" + namespace + "/events");
        nodes.forEach(node -> admin.delete(nodePath(node)));
    }

    private void deleteAll(String collection) {
        // A suite without CRDs has a fleet of Nodes only.
        JsonNode list = admin.find(collection).orElseGet(() -> Json.parse("{}"));
        for (JsonNode object : list.path("items")) {
            String path = collection + "/" + object.path("metadata").path("name").asText();
            admin.delete(path);
            if (object.path("metadata").has("finalizers")) {
                admin.send("PATCH", path, AdminClient.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}");
            }
        }
    }

    private static Map<String, Object> spec(MachineSpec machine) {
        Map<String, Object> spec = new LinkedHashMap<>();
        spec.put("clusterName", machine.cluster());
        spec.put("version", "v1.36.3");
        spec.put("bootstrap", Map.of("dataSecretName", "bootstrap"));
        spec.put("infrastructureRef", FakeProvider.infrastructureRef(machine.name()));
        if (!machine.providerId().isEmpty()) {
            spec.put("providerID", machine.providerId());
        }
        if (!machine.taints().isEmpty()) {
            spec.put("taints", machine.taints());
        }
        return spec;
    }

    private String path(String plural) {
        return CLUSTER_API + "/namespaces/" + namespace + "/" + plural;
    }
}
