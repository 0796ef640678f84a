package io.nodeward.e2e.topology;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Clusters with topologies of a suite, made by hand as Cluster API's manager makes them, without it. Everything is named
 * after its Cluster.
 */
final class Topologies implements AutoCloseable {
    static final String KUBEADM = "kubeadmcontrolplanes";
    /** KubeadmControlPlane's older version by another name, for a provider that keeps the older contract alone. */
    static final String LEGACY = "legacycontrolplanes";

    private static final String PROVIDERS = "controlplane.cluster.x-k8s.io";
    private static final Map<String, Map<String, String>> TEMPLATE =
            Map.of("templateRef", Map.of("apiVersion", "x.example.com/v1", "kind", "XTemplate", "name", "x"));
    private static final Map<String, String> VERSIONS = Map.of(KUBEADM, "v1beta2", LEGACY, "v1beta1");

    private final MachineSuite suite;
    private final MachineOwners owners;

    Topologies(MachineSuite suite) {
        this.suite = suite;
        this.owners = new MachineOwners(suite);
        ClusterApiCrds.install(suite.admin(), ClusterApiCrds.kubeadmControlPlane());
        ClusterApiCrds.install(suite.admin(), List.of(legacy()));
    }

    private static JsonNode legacy() {
        ObjectNode crd = (ObjectNode) ClusterApiCrds.kubeadmControlPlane().stream()
                .filter(one -> one.at("/spec/names/plural").asText().equals(KUBEADM)).findFirst().orElseThrow();
        ((ObjectNode) crd.path("metadata")).put("name", LEGACY + "." + PROVIDERS)
                .putObject("labels").put("cluster.x-k8s.io/v1beta1", "v1alpha4_v1beta1");
        ObjectNode spec = (ObjectNode) crd.path("spec");
        spec.putObject("names").put("kind", "LegacyControlPlane").put("listKind", "LegacyControlPlaneList")
                .put("plural", LEGACY).put("singular", "legacycontrolplane");
        JsonNode old = spec.path("versions").valueStream()
                .filter(version -> version.path("name").asText().equals("v1beta1")).findFirst().orElseThrow();
        ((ObjectNode) old).put("storage", true);
        spec.putArray("versions").add(old);
        return crd;
    }

    /** A Cluster with a topology of a class of its own, a MachineDeployment and a MachinePool. */
    void create(String name, String controlPlanes, List<String> ofClass, List<String> ofCluster) {
        suite.admin().create(suite.clusterApi() + "/clusterclasses", Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "ClusterClass", "metadata", Map.of("name", name),
                "spec", Map.of("infrastructure", TEMPLATE, "controlPlane", declaring(TEMPLATE, ofClass),
                        "workers", workers(declaring(Map.of(
                                "class", "w", "bootstrap", TEMPLATE, "infrastructure", TEMPLATE), ofClass))))));
        workers(name, "machinedeployments", "topology.cluster.x-k8s.io/deployment-name");
        workers(name, "machinepools", "topology.cluster.x-k8s.io/pool-name");
        suite.cluster(name);
        if (VERSIONS.containsKey(controlPlanes)) {
            controlPlane(name, controlPlanes);
        }
        declareByCluster(name, ofCluster);
    }

    /** Its control plane, where it is not the one that takes no taints. */
    private void controlPlane(String name, String plural) {
        String kind = plural.equals(KUBEADM) ? "KubeadmControlPlane" : "LegacyControlPlane";
        Map<String, Object> machineTemplate = plural.equals(KUBEADM)
                ? Map.of("spec", Map.of("infrastructureRef", MachineOwners.INFRASTRUCTURE))
                : Map.of("infrastructureRef", Map.of("apiVersion", "infrastructure.cluster.x-k8s.io/v1beta1", "kind",
                        "GenericInfrastructureMachineTemplate", "name", "workers"));
        Map<String, Object> spec = new TreeMap<>(Map.of("version", "v1.36.3", "machineTemplate", machineTemplate));
        spec.put("kubeadmConfigSpec", Map.of("format", "cloud-config"));
        suite.admin().create(path(plural), Json.tree(Map.of(
                "apiVersion", PROVIDERS + "/" + VERSIONS.get(plural), "kind", kind,
                "metadata", Map.of("name", name), "spec", spec)));
        suite.admin().mergePatch(path("clusters") + "/" + name, Json.tree(Map.of("spec", Map.of("controlPlaneRef",
                Map.of("apiGroup", PROVIDERS, "kind", kind, "name", name)))).toString());
    }

    /** In all three places. */
    void declareByCluster(String name, List<String> taints) {
        Map<String, Object> group = declaring(Map.of("name", "w", "class", "w"), taints);
        Map<String, Object> topology = new TreeMap<>(Map.of(
                "classRef", Map.of("name", name), "version", "v1.36.3", "workers", workers(group)));
        ObjectNode patch = (ObjectNode) Json.tree(Map.of("spec", Map.of("topology", topology)));
        // An empty struct is refused.
        ((ObjectNode) patch.at("/spec/topology")).set("controlPlane", taints.isEmpty()
                ? null
                : Json.tree(declaring(Map.of(), taints)));
        suite.admin().mergePatch(path("clusters") + "/" + name, patch.toString());
    }

    /** In all three places. */
    void declareByClass(String name, List<String> taints) {
        ObjectNode clusterClass = (ObjectNode) suite.admin().get(path("clusterclasses") + "/" + name);
        ObjectNode patch = (ObjectNode) Json.parse("{\"spec\":{}}");
        ((ObjectNode) patch.path("spec")).set("workers", clusterClass.at("/spec/workers"));
        patch.withObject("/spec/controlPlane");
        for (String place : List.of("/spec/controlPlane", "/spec/workers/machineDeployments/0",
                "/spec/workers/machinePools/0")) {
            ObjectNode declaring = (ObjectNode) patch.at(place);
            if (taints.isEmpty() && !place.endsWith("0")) {
                declaring.putNull("taints");
            } else if (taints.isEmpty()) {
                declaring.remove("taints");
            } else {
                declaring.set("taints", Taints.json(taints.toArray(String[]::new)));
            }
        }
        suite.admin().mergePatch(path("clusterclasses") + "/" + name, patch.toString());
    }

    private static Map<String, Object> workers(Map<String, Object> group) {
        return Map.of("machineDeployments", List.of(group), "machinePools", List.of(group));
    }

    private static Map<String, Object> declaring(Map<String, ?> object, List<String> taints) {
        Map<String, Object> all = new TreeMap<>(object);
        if (!taints.isEmpty()) {
            all.put("taints", Taints.json(taints.toArray(String[]::new)));
        }
        return all;
    }

    private void workers(String cluster, String plural, String label) {
        owners.create(plural, cluster, Map.of("name", cluster, "labels",
                Map.of(label, "w", "topology.cluster.x-k8s.io/owned", "", "cluster.x-k8s.io/cluster-name", cluster)));
    }

    /** A MachineDeployment in no topology. */
    JsonNode deployment(String cluster, String name) {
        return owners.deployment(cluster, name);
    }

    /** A MachinePool in no topology. */
    JsonNode pool(String cluster, String name) {
        return owners.pool(cluster, name);
    }

    JsonNode set(String cluster, String name, JsonNode deployment) {
        return owners.set(cluster, name, deployment);
    }

    /** With a Node, made with these taints. */
    void machine(String cluster, String name, JsonNode owner, String... taints) {
        suite.fleet().pair(Taints.declare(MachineSpec.named(name, cluster), taints));
        owners.own(owner, name);
    }

    /** The whole list of a template, by a writer who applies nothing. */
    void declare(String plural, String name, String... taints) {
        suite.admin().mergePatch(path(plural) + "/" + name,
                "{\"spec\":{\"template\":%s}}".formatted(Taints.patch(taints)));
    }

    /** Server-side apply of these taints in a template, by force. */
    void apply(String plural, String kind, String name, String manager, String... taints) {
        ObjectNode body = (ObjectNode) Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", kind,
                "metadata", Map.of("name", name)));
        if (taints.length > 0) {
            body.withObject("/spec/template/spec").set("taints", Taints.json(taints));
        }
        AdminClient.Reply reply = suite.admin().send("PATCH",
                path(plural) + "/" + name + "?force=true&fieldManager=" + manager, AdminClient.APPLY_PATCH,
                body.toString());
        if (!reply.isOk()) {
            throw new IllegalStateException(reply.body().toString());
        }
    }

    /** Takes a manager's entries out of the managedFields, as one does whose manager is gone for good. */
    void forget(String plural, String name, String manager) {
        List<JsonNode> others = get(plural, name).at("/metadata/managedFields").valueStream()
                .filter(entry -> !entry.path("manager").asText().equals(manager)).toList();
        suite.admin().mergePatch(path(plural) + "/" + name,
                Json.tree(Map.of("metadata", Map.of("managedFields", others))).toString());
    }

    JsonNode get(String plural, String name) {
        return suite.admin().get(path(plural) + "/" + name);
    }

    /** {@code key=value:Effect:Propagation} of those declared for Machines; empty as well if there is no list. */
    List<String> taints(String plural, String name) {
        return list(plural, name).valueStream()
                .map(taint -> taint.path("key").asText()
                        + (taint.has("value") ? "=" + taint.path("value").asText() : "") + ":"
                        + taint.path("effect").asText() + ":" + taint.path("propagation").asText())
                .toList();
    }

    /** Missing if there is no field. */
    JsonNode list(String plural, String name) {
        return get(plural, name).at(switch (plural) {
            case KUBEADM -> "/spec/machineTemplate/spec/taints";
            case LEGACY -> "/spec/machineTemplate/taints";
            case "machines" -> "/spec/taints";
            default -> "/spec/template/spec/taints";
        });
    }

    String path(String plural) {
        return VERSIONS.containsKey(plural)
                ? "/apis/" + PROVIDERS + "/" + VERSIONS.get(plural) + "/namespaces/" + suite.fleet().namespace() + "/"
                        + plural
                : suite.clusterApi() + "/" + plural;
    }

    /** Deletes all of them: a manager that starts on this server later must not find them. */
    @Override
    public void close() {
        owners.close();
        for (String plural : List.of("clusterclasses", KUBEADM, LEGACY)) {
            for (JsonNode object : suite.admin().get(path(plural)).path("items")) {
                suite.admin().delete(path(plural) + "/" + object.at("/metadata/name").asText());
            }
        }
    }
}
