package io.nodeward.e2e.autoscaler;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A ClusterClass and a Cluster {@code c} of it, whose MachineDeployments and MachinePool the upstream manager makes and
 * applies. What it clones are objects of a provider that provides nothing.
 */
final class ScaledTopology {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String INFRASTRUCTURE = "infrastructure.cluster.x-k8s.io";
    private static final String CONTROL_PLANE = "controlplane.cluster.x-k8s.io";
    private static final String BOOTSTRAP = "bootstrap.cluster.x-k8s.io";
    private static final String CLASS = "class";
    /** Groups by kind; each has its template too. */
    private static final Map<String, String> KINDS = new TreeMap<>(Map.of(
            "ScaledCluster", INFRASTRUCTURE, "ScaledMachine", INFRASTRUCTURE, "ScaledMachinePool", INFRASTRUCTURE,
            "ScaledControlPlane", CONTROL_PLANE, "ScaledConfig", BOOTSTRAP));

    /** An entry of every topology, by whose taint one sees that the manager has applied it. */
    static final String CANARY = "canary";

    private final MachineSuite suite;
    private List<Object> machineDeployments = List.of();
    private int looks;

    /** Installs the CRDs. */
    ScaledTopology(MachineSuite suite) {
        this.suite = suite;
        ClusterApiCrds.install(suite.admin(), KINDS.entrySet().stream()
                .flatMap(kind -> Stream.of(kind.getKey(), kind.getKey() + "Template")
                        .map(name -> definition(kind.getValue(), name)))
                .toList());
    }

    private static JsonNode definition(String group, String kind) {
        String singular = kind.toLowerCase(Locale.ROOT);
        Map<String, Object> any = Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
        return Json.tree(Map.of(
                "apiVersion", "apiextensions.k8s.io/v1", "kind", "CustomResourceDefinition",
                "metadata", Map.of("name", singular + "s." + group, "labels",
                        Map.of("cluster.x-k8s.io/provider", "scaled", "cluster.x-k8s.io/v1beta2", "v1beta1")),
                "spec", Map.of(
                        "group", group,
                        "scope", "Namespaced",
                        "names", Map.of("kind", kind, "listKind", kind + "List", "plural", singular + "s",
                                "singular", singular),
                        "versions", List.of(Map.of("name", "v1beta1", "served", true, "storage", true,
                                "schema", Map.of("openAPIV3Schema", Map.of("type", "object",
                                        "properties", Map.of("spec", any, "status", any))))))));
    }

    /** The class and a Cluster of it, whose workers are these. */
    void create(List<Object> machineDeployments, List<Object> machinePools) {
        this.machineDeployments = machineDeployments;
        KINDS.forEach((kind, group) -> suite.admin().create(collection(group, kind + "Template"), Json.tree(Map.of(
                "apiVersion", group + "/v1beta1", "kind", kind + "Template", "metadata", Map.of("name", CLASS),
                "spec", Map.of("template", Map.of("spec", Map.of()))))));
        suite.admin().create(suite.clusterApi() + "/clusterclasses", Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "ClusterClass", "metadata", Map.of("name", CLASS),
                "spec", Map.of(
                        "infrastructure", ref("ScaledCluster"),
                        "controlPlane", ref("ScaledControlPlane"),
                        "workers", Map.of(
                                "machineDeployments", List.of(workers("ScaledMachine")),
                                "machinePools", List.of(workers("ScaledMachinePool")))))));
        suite.admin().create(suite.clusterApi() + "/clusters", Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "Cluster", "metadata", Map.of("name", "c"),
                "spec", Map.of("topology", Map.of(
                        "classRef", Map.of("name", CLASS),
                        "version", "v1.36.3",
                        "workers", Map.of(
                                "machineDeployments", withCanary(), "machinePools", machinePools))))));
    }

    private static Map<String, Object> ref(String kind) {
        return Map.of("templateRef", Map.of(
                "apiVersion", KINDS.get(kind) + "/v1beta1", "kind", kind + "Template", "name", CLASS));
    }

    private static Map<String, Object> workers(String infrastructure) {
        return Map.of("class", "workers", "bootstrap", ref("ScaledConfig"), "infrastructure", ref(infrastructure));
    }

    /** One entry of the topology's workers. How many is the autoscaler's business: replicas beside its sizes are refused. */
    static Object workers(String name, Map<String, String> annotations, List<Object> taints) {
        Map<String, Object> workers = new LinkedHashMap<>(Map.of(
                "class", "workers", "name", name, "metadata", Map.of("annotations", annotations)));
        if (!taints.isEmpty()) {
            workers.put("taints", taints);
        }
        return workers;
    }

    /** Changes the Cluster's list of MachineDeployments. */
    void edit(List<Object> machineDeployments) {
        this.machineDeployments = machineDeployments;
        suite.admin().mergePatch(suite.clusterApi() + "/clusters/c", Json.tree(Map.of("spec", Map.of("topology",
                Map.of("workers", Map.of("machineDeployments", withCanary()))))).toString());
    }

    /** Changes nothing but the taint of the canary, to {@link #taint}. */
    void look(int number) {
        looks = number;
        edit(machineDeployments);
    }

    /** In the annotation's form. */
    static String taint(int look) {
        return "example.com/canary=" + look + ":NoSchedule";
    }

    private List<Object> withCanary() {
        List<Object> all = new ArrayList<>(machineDeployments);
        all.add(workers(CANARY, Groups.SIZES, List.of(Map.of("key", "example.com/canary",
                "value", Integer.toString(looks), "effect", "NoSchedule", "propagation", "Always"))));
        return all;
    }

    /** The name that was made up for an entry of the topology; waits until the object is there. */
    String name(String plural, String label, String entry) {
        String path =
                suite.clusterApi() + "/" + plural + "?labelSelector=topology.cluster.x-k8s.io/" + label + "=" + entry;
        return await(entry).atMost(PATIENCE)
                .until(() -> suite.admin().get(path).at("/items/0/metadata/name").asText(), name -> !name.isEmpty());
    }

    private String collection(String group, String kind) {
        return "/apis/" + group + "/v1beta1/namespaces/" + suite.fleet().namespace() + "/"
                + kind.toLowerCase(Locale.ROOT) + "s";
    }
}
