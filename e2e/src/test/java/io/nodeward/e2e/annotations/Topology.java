package io.nodeward.e2e.annotations;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** A ClusterClass and a Cluster of it: a control plane of kubeadm, a MachineDeployment and a MachinePool. */
final class Topology {
    private static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io/v1beta1";
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io/v1beta2";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io/v1beta2";
    private static final String CLUSTER_API = "cluster.x-k8s.io/v1beta2";
    /** Where metadata of Machines is declared, below the class's spec and the Cluster's topology. */
    private static final List<String> PLACES = List.of(
            "/controlPlane/metadata", "/workers/machineDeployments/0/metadata", "/workers/machinePools/0/metadata");
    /** Something that has nothing to do with taints, so that the metadata is never empty, which is refused. */
    private static final Map<String, String> ANY = Map.of("example.com/note", "any");
    private static final JsonNode TAINTS = Taints.json("example.com/any:NoSchedule:Always");
    private static final String VERSION = "v1.36.3";

    private final MachineSuite suite;

    Topology(MachineSuite suite) {
        this.suite = suite;
    }

    void createClass() {
        template("genericinfrastructureclustertemplates", INFRASTRUCTURE, "GenericInfrastructureClusterTemplate",
                Map.of("controlPlaneEndpoint", Map.of("host", "127.0.0.1", "port", 6443)));
        template("genericinfrastructuremachinetemplates", INFRASTRUCTURE, "GenericInfrastructureMachineTemplate",
                Map.of());
        template("genericinfrastructuremachinepooltemplates", INFRASTRUCTURE,
                "GenericInfrastructureMachinePoolTemplate", Map.of());
        template("kubeadmconfigtemplates", BOOTSTRAP, "KubeadmConfigTemplate",
                Map.of("preKubeadmCommands", List.of("true")));
        template("kubeadmcontrolplanetemplates", CONTROL_PLANE, "KubeadmControlPlaneTemplate",
                Map.of("kubeadmConfigSpec", Map.of("clusterConfiguration", Map.of("certificatesDir", "/pki"))));
        create(CLUSTER_API, "clusterclasses", "ClusterClass", "class", Map.of(
                "infrastructure", ref(INFRASTRUCTURE, "GenericInfrastructureClusterTemplate"),
                "controlPlane", controlPlane(),
                "workers", Map.of(
                        "machineDeployments", workers("GenericInfrastructureMachineTemplate"),
                        "machinePools", workers("GenericInfrastructureMachinePoolTemplate"))));
    }

    private static Map<String, Object> controlPlane() {
        Map<String, Object> controlPlane = new LinkedHashMap<>(ref(CONTROL_PLANE, "KubeadmControlPlaneTemplate"));
        controlPlane.put("machineInfrastructure", ref(INFRASTRUCTURE, "GenericInfrastructureMachineTemplate"));
        return controlPlane;
    }

    private static List<Object> workers(String infrastructure) {
        return List.of(Map.of(
                "class", "workers",
                "bootstrap", ref(BOOTSTRAP, "KubeadmConfigTemplate"),
                "infrastructure", ref(INFRASTRUCTURE, infrastructure)));
    }

    private static Map<String, Object> ref(String apiVersion, String kind) {
        return Map.of("templateRef", Map.of("apiVersion", apiVersion, "kind", kind, "name", "class"));
    }

    private void template(String plural, String apiVersion, String kind, Map<String, Object> spec) {
        create(apiVersion, plural, kind, "class", Map.of("template", Map.of("spec", spec)));
    }

    /** The Cluster {@code c}. */
    void createCluster(Kubeconfig workload) {
        suite.fleet().kubeconfigSecret("c", workload);
        // By this the control plane's manager knows that kubeadm has been there.
        suite.admin().createIfAbsent("/api/v1/namespaces/kube-system/configmaps",
                Json.tree(Map.of("metadata", Map.of("name", "kubeadm-config"))));
        create(CLUSTER_API, "clusters", "Cluster", "c", Map.of("topology", Map.of(
                "classRef", Map.of("name", "class"),
                "version", VERSION,
                "controlPlane", Map.of("replicas", 1),
                "workers", Map.of(
                        "machineDeployments", List.of(Map.of("class", "workers", "name", "md", "replicas", 2)),
                        "machinePools",
                        List.of(Map.of("class", "workers", "name", "mp", "replicas", Provider.POOL_SIZE))))));
    }

    private void create(String apiVersion, String plural, String kind, String name, Map<String, Object> spec) {
        suite.admin().create(collection(apiVersion, plural), Json.tree(
                Map.of("apiVersion", apiVersion, "kind", kind, "metadata", Map.of("name", name), "spec", spec)));
    }

    /** In all three places of the class, the taint by name; what was there goes. */
    void declareInClass(Map<String, String> taints) {
        declare("clusterclasses/class", "/spec", taints);
    }

    /** In all three places of the Cluster. */
    void declareInCluster(Map<String, String> taints) {
        declare("clusters/c", "/spec/topology", taints);
    }

    private void declare(String object, String parent, Map<String, String> taints) {
        Map<String, String> annotations = new LinkedHashMap<>(ANY);
        taints.forEach((name, text) -> annotations.put("taint.nodeward.io/" + name, text));
        suite.admin().jsonPatch(suite.clusterApi() + "/" + object, Json.tree(PLACES.stream().map(place -> Map.of(
                "op", "add", "path", parent + place, "value", Map.of("annotations", annotations))).toList())
                .toString());
    }

    /** On the control plane itself, as one would who has no ClusterClass. */
    void declareInControlPlane(String name, String taint) {
        JsonNode controlPlane = list(CONTROL_PLANE, "kubeadmcontrolplanes").findFirst().orElseThrow();
        String path = collection(CONTROL_PLANE, "kubeadmcontrolplanes") + "/"
                + controlPlane.at("/metadata/name").asText();
        suite.admin().mergePatch(path, Json.tree(Map.of("spec", Map.of("machineTemplate", Map.of("metadata", Map.of(
                "annotations", Map.of("taint.nodeward.io/" + name, taint)))))).toString());
    }

    /** What the webhook of MachineDeployments says to taints in the spec; empty for nothing. */
    String refusalByDeployments() {
        return refusal("POST", collection(CLUSTER_API, "machinedeployments"), AdminClient.JSON, Map.of(
                "apiVersion", CLUSTER_API, "kind", "MachineDeployment", "metadata", Map.of("name", "any"),
                "spec", Map.of("clusterName", "c", "selector", Map.of("matchLabels", Map.of("any", "label")),
                        "template", Map.of("metadata", Map.of("labels", Map.of("any", "label")), "spec", Map.of(
                                "clusterName", "c", "bootstrap", Map.of("dataSecretName", "any"),
                                "infrastructureRef", Map.of("apiGroup", "example.com", "kind", "Any", "name", "any"),
                                "taints", TAINTS)))));
    }

    /** What the webhook of the control plane's templates says to them. */
    String refusalByControlPlanes() {
        return refusalByControlPlanes(Map.of("spec", Map.of(
                "kubeadmConfigSpec", Map.of("preKubeadmCommands", List.of("true")),
                "machineTemplate", Map.of("spec", Map.of("taints", TAINTS)))));
    }

    /** What it says to a label that no object could bear, which its CRD lets pass. */
    String refusalOfLabelByControlPlanes() {
        return refusalByControlPlanes(Map.of(
                "metadata", Map.of("labels", Map.of("any", "-")),
                "spec", Map.of("kubeadmConfigSpec", Map.of("preKubeadmCommands", List.of("true")))));
    }

    private String refusalByControlPlanes(Map<String, Object> template) {
        return refusal("POST", collection(CONTROL_PLANE, "kubeadmcontrolplanetemplates"), AdminClient.JSON, Map.of(
                "apiVersion", CONTROL_PLANE, "kind", "KubeadmControlPlaneTemplate", "metadata", Map.of("name", "any"),
                "spec", Map.of("template", template)));
    }

    /** What the webhook of Clusters says to them. */
    String refusalByCluster() {
        return refusal("PATCH", collection(CLUSTER_API, "clusters") + "/c", AdminClient.MERGE_PATCH,
                Map.of("spec", Map.of("topology", Map.of("controlPlane", Map.of("taints", TAINTS)))));
    }

    private String refusal(String method, String path, String type, Object body) {
        AdminClient.Reply reply = suite.admin().send(method, path + "?dryRun=All", type, Json.tree(body).toString());
        return reply.isOk() ? "" : reply.body().path("message").asText();
    }

    /** Names of the Nodes that the control plane, the MachineDeployment or the MachinePool has, as far as they are there. */
    List<String> nodes(String owner) {
        if (owner.equals("mp")) {
            return list(INFRASTRUCTURE, "genericinfrastructuremachinepools")
                    .flatMap(pool -> Provider.poolNodes(pool.at("/metadata/name").asText()).stream()).toList();
        }
        boolean controlPlane = owner.equals("cp");
        return list(CLUSTER_API, "machines")
                .filter(m -> m.at("/metadata/labels").has("cluster.x-k8s.io/control-plane") == controlPlane)
                .map(m -> m.at("/status/nodeRef/name").asText()).filter(name -> !name.isEmpty()).toList();
    }

    /** Uids of all that a rollout would replace or make more of. */
    List<String> uids() {
        return Stream.of(list(CLUSTER_API, "machines"), list(CLUSTER_API, "machinesets"),
                list(CLUSTER_API, "machinedeployments"), list(CLUSTER_API, "machinepools"),
                list(CONTROL_PLANE, "kubeadmcontrolplanes"), list(INFRASTRUCTURE, "genericinfrastructuremachines"),
                list(INFRASTRUCTURE, "genericinfrastructuremachinepools"), list(BOOTSTRAP, "kubeadmconfigs"))
                .flatMap(objects -> objects)
                .map(object -> object.at("/metadata/name").asText() + " " + object.at("/metadata/uid").asText())
                .sorted().toList();
    }

    private Stream<JsonNode> list(String apiVersion, String plural) {
        return suite.admin().get(collection(apiVersion, plural)).path("items").valueStream();
    }

    private String collection(String apiVersion, String plural) {
        return "/apis/" + apiVersion + "/namespaces/" + suite.fleet().namespace() + "/" + plural;
    }
}
