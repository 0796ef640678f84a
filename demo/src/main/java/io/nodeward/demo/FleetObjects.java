package io.nodeward.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.core.fakeapi.Kind;
import io.nodeward.core.fakeapi.Options;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What the fleet is made of, as JSON. */
final class FleetObjects {
    static final String CLUSTER = "demo";
    static final String NAMESPACE = "default";
    private static final String CLUSTER_API = ClusterApi.GROUP + "/v1beta2";
    private static final String VERSION = "v1.36.3";
    private static final String WORKERS = "web";
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private FleetObjects() {}

    /** What is served: besides what every server has, all that is above a Machine. */
    static Options kinds() {
        String[] template = {"spec.template.spec.taints[key,effect]", "status.conditions[type]"};
        return Options.defaults()
                .withKind(clusterApi("machinedeployments", "MachineDeployment").withShortNames("md")
                        .withPlaces(template))
                .withKind(clusterApi("machinesets", "MachineSet").withShortNames("ms").withPlaces(template))
                .withKind(clusterApi("clusterclasses", "ClusterClass").withShortNames("cc"));
    }

    private static Kind clusterApi(String plural, String name) {
        return Kind.custom(ClusterApi.GROUP, List.of("v1beta2", "v1beta1"), plural, name);
    }

    static JsonNode json(Map<String, ?> object) {
        return MAPPER.valueToTree(object);
    }

    static JsonNode cluster() {
        return json(Map.of(
                "apiVersion", CLUSTER_API,
                "kind", "Cluster",
                "metadata", Map.of("name", CLUSTER, "namespace", NAMESPACE),
                "spec", Map.of("controlPlaneEndpoint", Map.of("host", "127.0.0.1", "port", 6443)),
                "status", Map.of(
                        "phase", "Provisioned",
                        "initialization", Map.of("infrastructureProvisioned", true, "controlPlaneInitialized", true))));
    }

    static JsonNode kubeconfigSecret(String kubeconfig) {
        String value = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
        return json(Map.of(
                "metadata", Map.of(
                        "name", CLUSTER + "-kubeconfig",
                        "namespace", NAMESPACE,
                        "labels", Map.of(ClusterApi.CLUSTER_NAME_LABEL, CLUSTER)),
                "type", ClusterApi.SECRET_TYPE,
                "data", Map.of("value", value)));
    }

    /** It declares nothing itself: what the tour declares, it declares on Machines. */
    static JsonNode deployment() {
        return replicated("MachineDeployment", WORKERS, List.of());
    }

    static JsonNode machineSet(JsonNode deployment) {
        return replicated("MachineSet", WORKERS + "-7d9f5",
                List.of(owner(CLUSTER_API, "MachineDeployment", WORKERS, uid(deployment))));
    }

    private static JsonNode replicated(String kind, String name, List<Map<String, Object>> owners) {
        return json(Map.of(
                "apiVersion", CLUSTER_API,
                "kind", kind,
                "metadata", Map.of("name", name, "namespace", NAMESPACE, "ownerReferences", owners,
                        "labels", Map.of(ClusterApi.CLUSTER_NAME_LABEL, CLUSTER)),
                "spec", Map.of("clusterName", CLUSTER, "replicas", 3,
                        "template", Map.of("spec", Map.of("clusterName", CLUSTER, "version", VERSION)))));
    }

    static JsonNode controlPlaneMachine(String name) {
        return machine(name, Map.of(ClusterApi.CONTROL_PLANE_LABEL, ""),
                owner("controlplane." + CLUSTER_API, "KubeadmControlPlane", "control-plane",
                        "00000000-0000-4000-8000-000000000001"),
                List.of());
    }

    static JsonNode workerMachine(String name, JsonNode set, JsonNode... taints) {
        String setName = set.at("/metadata/name").asText();
        return machine(name,
                Map.of("cluster.x-k8s.io/deployment-name", WORKERS, "cluster.x-k8s.io/set-name", setName),
                owner(CLUSTER_API, "MachineSet", setName, uid(set)), List.of(taints));
    }

    private static String uid(JsonNode object) {
        return object.at("/metadata/uid").asText();
    }

    private static Map<String, Object> owner(String version, String kind, String name, String uid) {
        return Map.of("apiVersion", version, "kind", kind, "name", name, "uid", uid, "controller", true);
    }

    private static JsonNode machine(
            String name, Map<String, String> labels, Map<String, Object> owner, List<JsonNode> taints) {
        Map<String, Object> spec = Map.of(
                "clusterName", CLUSTER, "version", VERSION, "providerID", providerId(name), "taints", taints);
        JsonNode machine = json(Map.of(
                "apiVersion", CLUSTER_API,
                "kind", "Machine",
                "metadata", Map.of(
                        "name", name,
                        "namespace", NAMESPACE,
                        "labels", with(labels, ClusterApi.CLUSTER_NAME_LABEL, CLUSTER),
                        "ownerReferences", List.of(owner)),
                "spec", spec,
                "status", Map.of("phase", "Running", "nodeRef", Map.of("name", name))));
        if (taints.isEmpty()) {
            ((ObjectNode) machine.path("spec")).remove("taints");
        }
        return machine;
    }

    /** A Node as its kubelet registers it. */
    static JsonNode node(String name, Map<String, String> labels, String... taints) {
        List<JsonNode> list = new ArrayList<>();
        List.of(taints).forEach(taint -> list.add(TaintList.taint(taint)));
        return json(Map.of(
                "metadata", Map.of("name", name, "labels", with(labels, "kubernetes.io/hostname", name)),
                "spec", Map.of("providerID", providerId(name), "taints", list),
                "status", Map.of("conditions", readyConditions(), "nodeInfo", Map.of("kubeletVersion", VERSION))));
    }

    /** What a kubelet reports again and again: that it is alive, now. */
    static List<Map<String, String>> readyConditions() {
        String now = Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
        return List.of(Map.of(
                "type", "Ready",
                "status", "True",
                "reason", "KubeletReady",
                "message", "kubelet is posting ready status",
                "lastHeartbeatTime", now,
                "lastTransitionTime", now));
    }

    private static String providerId(String name) {
        return "demo://rack/" + name;
    }

    private static Map<String, String> with(Map<String, String> labels, String key, String value) {
        Map<String, String> more = new TreeMap<>(labels);
        more.put(key, value);
        return more;
    }
}
