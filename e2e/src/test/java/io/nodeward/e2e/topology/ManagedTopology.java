package io.nodeward.e2e.topology;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * A ClusterClass {@code k} and a Cluster {@code c} of it that Cluster API's manager makes objects of: a KubeadmControlPlane
 * and one MachineDeployment, of a provider that provides nothing.
 */
final class ManagedTopology {
    private static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final Map<String, String> KUBEADM_CONFIG = Map.of("format", "cloud-config");
    private static final int REPLICAS = 2;

    private final MachineSuite suite;

    ManagedTopology(MachineSuite suite) {
        this.suite = suite;
        List<JsonNode> definitions = new ArrayList<>(ClusterApiCrds.kubeadmControlPlane());
        definitions.add(definition(INFRASTRUCTURE, "GenericInfrastructureCluster"));
        definitions.add(definition(INFRASTRUCTURE, "GenericInfrastructureClusterTemplate"));
        definitions.add(definition(BOOTSTRAP, "GenericBootstrapConfig"));
        definitions.add(definition(BOOTSTRAP, "GenericBootstrapConfigTemplate"));
        ClusterApiCrds.install(suite.admin(), definitions);
    }

    private static JsonNode definition(String group, String kind) {
        String plural = plural(kind);
        Map<String, Object> any = Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
        Map<String, Object> version = Map.of("name", "v1beta1", "served", true, "storage", true, "subresources",
                Map.of("status", Map.of()), "schema", Map.of("openAPIV3Schema",
                        Map.of("type", "object", "properties", Map.of("spec", any, "status", any))));
        return Json.tree(Map.of(
                "apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition",
                "metadata", Map.of("name", plural + "." + group,
                        "labels", Map.of("cluster.x-k8s.io/v1beta2", "v1beta1")),
                "spec", Map.of("group", group, "scope", "Namespaced", "versions", List.of(version), "names", Map.of(
                        "kind", kind, "listKind", kind + "List", "plural", plural,
                        "singular", kind.toLowerCase(Locale.ROOT)))));
    }

    private static String plural(String kind) {
        return kind.toLowerCase(Locale.ROOT) + "s";
    }

    /** Both declare these taints for the control plane and for the workers. */
    void create(List<String> ofClass, List<String> ofCluster) {
        template(INFRASTRUCTURE, "v1beta1", "GenericInfrastructureClusterTemplate", Map.of("x", "y"));
        template(INFRASTRUCTURE, "v1beta1", "GenericInfrastructureMachineTemplate", Map.of("x", "y"));
        template(BOOTSTRAP, "v1beta1", "GenericBootstrapConfigTemplate", Map.of("x", "y"));
        template(CONTROL_PLANE, "v1beta2", "KubeadmControlPlaneTemplate",
                Map.of("kubeadmConfigSpec", KUBEADM_CONFIG));
        createClass(ofClass);
        createCluster(Map.of("topology", topology(ofCluster)));
    }

    /** As above with a control plane, and no templates: without these the manager makes nothing and changes no taint. */
    void createWithoutTemplates() {
        suite.admin().create(pathOf(Topologies.KUBEADM), Json.tree(Map.of(
                "apiVersion", CONTROL_PLANE + "/v1beta2", "kind", "KubeadmControlPlane", "metadata",
                Map.of("name", "c"),
                "spec", Map.of("version", "v1.36.3", "kubeadmConfigSpec", KUBEADM_CONFIG,
                        "machineTemplate",
                        Map.of("spec", Map.of("infrastructureRef", MachineOwners.INFRASTRUCTURE))))));
        createClass(List.of());
        createCluster(Map.of("topology", topology(List.of()), "controlPlaneRef",
                Map.of("apiGroup", CONTROL_PLANE, "kind", "KubeadmControlPlane", "name", "c")));
    }

    private void createClass(List<String> taints) {
        Object machines = ref(INFRASTRUCTURE, "v1beta1", "GenericInfrastructureMachineTemplate");
        Map<String, Object> controlPlane = declaring(taints);
        controlPlane.putAll(ref(CONTROL_PLANE, "v1beta2", "KubeadmControlPlaneTemplate"));
        controlPlane.put("machineInfrastructure", machines);
        Map<String, Object> workers = declaring(taints);
        workers.putAll(Map.of("class", "w", "infrastructure", machines,
                "bootstrap", ref(BOOTSTRAP, "v1beta1", "GenericBootstrapConfigTemplate")));
        suite.admin().create(suite.clusterApi() + "/clusterclasses", Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "ClusterClass", "metadata", Map.of("name", "k"),
                "spec", Map.of(
                        "infrastructure", ref(INFRASTRUCTURE, "v1beta1", "GenericInfrastructureClusterTemplate"),
                        "controlPlane", controlPlane, "workers", Map.of("machineDeployments", List.of(workers))))));
    }

    private void createCluster(Map<String, Object> spec) {
        suite.admin().create(suite.clusterApi() + "/clusters", Json.tree(Map.of("apiVersion",
                "cluster.x-k8s.io/v1beta2", "kind", "Cluster", "metadata", Map.of("name", "c"), "spec", spec)));
    }

    private void template(String group, String version, String kind, Map<String, Object> spec) {
        suite.admin().create(path(group, version, kind), Json.tree(Map.of(
                "apiVersion", group + "/" + version, "kind", kind, "metadata", Map.of("name", "t"),
                "spec", Map.of("template", Map.of("spec", spec)))));
    }

    private String path(String group, String version, String kind) {
        return "/apis/" + group + "/" + version + "/namespaces/" + suite.fleet().namespace() + "/" + plural(kind);
    }

    private static Map<String, Object> ref(String group, String version, String kind) {
        return Map.of("templateRef", Map.of("apiVersion", group + "/" + version, "kind", kind, "name", "t"));
    }

    private static Map<String, Object> topology(List<String> taints) {
        Map<String, Object> workers = declaring(taints);
        workers.putAll(Map.of("name", "w", "class", "w", "replicas", REPLICAS));
        Map<String, Object> topology = new TreeMap<>(Map.of("classRef", Map.of("name", "k"), "version", "v1.36.3",
                "workers", Map.of("machineDeployments", List.of(workers))));
        if (!taints.isEmpty()) {
            topology.put("controlPlane", declaring(taints));
        }
        return topology;
    }

    private static Map<String, Object> declaring(List<String> taints) {
        Map<String, Object> object = new TreeMap<>();
        if (!taints.isEmpty()) {
            object.put("taints", Taints.json(taints.toArray(String[]::new)));
        }
        return object;
    }

    void declareByCluster(List<String> taints) {
        ObjectNode patch = (ObjectNode) Json.tree(Map.of("spec", Map.of("topology", topology(taints))));
        if (taints.isEmpty()) {
            patch.withObject("/spec/topology").putNull("controlPlane");
        }
        suite.admin().mergePatch(suite.clusterApi() + "/clusters/c", patch.toString());
    }

    void declareByClass(List<String> taints) {
        String path = suite.clusterApi() + "/clusterclasses/k";
        ObjectNode patch = (ObjectNode) Json.parse("{\"spec\":{\"controlPlane\":{}}}");
        JsonNode list = taints.isEmpty() ? null : Taints.json(taints.toArray(String[]::new));
        ((ObjectNode) patch.at("/spec/controlPlane")).set("taints", list);
        ((ObjectNode) patch.path("spec")).set("workers", suite.admin().get(path).at("/spec/workers"));
        ObjectNode workers = (ObjectNode) patch.at("/spec/workers/machineDeployments/0");
        workers.remove("taints");
        if (list != null) {
            workers.set("taints", list);
        }
        suite.admin().mergePatch(path, patch.toString());
    }

    /** What providers say once they are done, without which the manager makes no Machines. */
    void initialize() {
        for (String path : List.of(path(INFRASTRUCTURE, "v1beta1", "GenericInfrastructureCluster"),
                path(CONTROL_PLANE, "v1beta2", "KubeadmControlPlane"))) {
            for (JsonNode object : suite.admin().get(path).path("items")) {
                suite.admin().send("PATCH", path + "/" + object.at("/metadata/name").asText() + "/status",
                        AdminClient.MERGE_PATCH, "{\"status\":{\"version\":\"v1.36.3\",\"initialization\":{"
                                + "\"provisioned\":true,\"controlPlaneInitialized\":true}}}");
            }
        }
    }

    JsonNode controlPlane() {
        return suite.admin().get(pathOf(Topologies.KUBEADM) + "/c");
    }

    /** All of a kind that the manager has made. */
    List<JsonNode> made(String plural) {
        return suite.admin().get(pathOf(plural)).path("items").valueStream().toList();
    }

    /** The resourceVersion of all of a kind that the manager has made. */
    String version(String plural) {
        return suite.admin().get(pathOf(plural)).at("/metadata/resourceVersion").asText();
    }

    /** Every version that objects of a kind have had since. */
    List<JsonNode> versionsSince(String plural, String version) {
        return suite.admin().versionsSince(pathOf(plural), version);
    }

    private String pathOf(String plural) {
        return plural.equals(Topologies.KUBEADM)
                ? path(CONTROL_PLANE, "v1beta2", "KubeadmControlPlane")
                : suite.clusterApi() + "/" + plural;
    }

    /** {@code key=value:Effect} of those one of them declares, or has declared for it. */
    static List<String> taints(JsonNode object) {
        String place = switch (object.path("kind").asText()) {
            case "KubeadmControlPlane" -> "/spec/machineTemplate";
            case "Machine" -> "";
            default -> "/spec/template";
        };
        return Taints.on(object.at(place));
    }
}
