package io.nodeward.e2e.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.Json;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What makes Machines in a suite: by hand as Cluster API's manager makes it, without that. */
public final class MachineOwners implements AutoCloseable {
    /** What templates refer to; nobody looks for it. */
    public static final Map<String, String> INFRASTRUCTURE = Map.of("apiGroup", "infrastructure.cluster.x-k8s.io",
            "kind", "GenericInfrastructureMachineTemplate", "name", "workers");

    private static final String DEPLOYMENTS = "machinedeployments";
    private static final String SETS = "machinesets";
    private static final String POOLS = "machinepools";
    private static final Map<String, String> KINDS =
            Map.of(DEPLOYMENTS, "MachineDeployment", SETS, "MachineSet", POOLS, "MachinePool");

    private final MachineSuite suite;

    public MachineOwners(MachineSuite suite) {
        this.suite = suite;
    }

    /** @param taints {@code key[=value]:Effect:Propagation} */
    public JsonNode deployment(String cluster, String name, String... taints) {
        return create(DEPLOYMENTS, cluster, Map.of("name", name), taints);
    }

    /** Of a MachineDeployment, with the same taints as that or others. */
    public JsonNode set(String cluster, String name, JsonNode deployment, String... taints) {
        return create(SETS, cluster, Map.of("name", name, "ownerReferences", List.of(reference(deployment))), taints);
    }

    /** Without infrastructure, so that it has no Nodes. */
    public JsonNode pool(String cluster, String name) {
        return create(POOLS, cluster, Map.of("name", name));
    }

    /** @param plural of a kind with a template of Machines */
    public JsonNode create(String plural, String cluster, Map<String, ?> metadata, String... taints) {
        ObjectNode machine = (ObjectNode) Json.tree(Map.of("clusterName", cluster, "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"), "infrastructureRef", INFRASTRUCTURE));
        if (taints.length > 0) {
            machine.set("taints", Taints.json(taints));
        }
        Map<String, Object> spec =
                new TreeMap<>(Map.of("clusterName", cluster, "template", Map.of("spec", machine)));
        if (!plural.equals(POOLS)) {
            spec.put("selector", Map.of("matchLabels",
                    Map.of("example.com/name", String.valueOf(metadata.get("name")))));
        }
        return suite.admin().create(suite.clusterApi() + "/" + plural, Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", KINDS.get(plural), "metadata", metadata,
                "spec", spec)));
    }

    /** Makes it the owner of a Machine, whose labels name a MachineSet and its MachineDeployment too. */
    public void own(JsonNode owner, String machine) {
        Map<String, String> labels = new TreeMap<>();
        if (owner.path("kind").asText().equals("MachineSet")) {
            labels.put("cluster.x-k8s.io/set-name", owner.at("/metadata/name").asText());
            labels.put("cluster.x-k8s.io/deployment-name", owner.at("/metadata/ownerReferences/0/name").asText());
        }
        suite.admin().mergePatch(suite.fleet().machinePath(machine), Json.tree(Map.of("metadata", Map.of(
                "labels", labels, "ownerReferences", List.of(reference(owner))))).toString());
    }

    /** The Machine's status names its Node, which is called the same. */
    public void hasNode(String machine) {
        suite.admin().mergePatch(suite.fleet().machinePath(machine) + "/status", Json.tree(
                Map.of("status", Map.of("nodeRef", Map.of("name", machine)))).toString());
    }

    private static Map<String, Object> reference(JsonNode owner) {
        return Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", owner.path("kind").asText(), "name",
                owner.at("/metadata/name").asText(), "uid", owner.at("/metadata/uid").asText(), "controller", true);
    }

    /** Deletes all of them: a manager that starts on this server later must not find them. */
    @Override
    public void close() {
        for (String plural : List.of(DEPLOYMENTS, SETS, POOLS)) {
            String collection = suite.clusterApi() + "/" + plural;
            for (JsonNode object : suite.admin().get(collection).path("items")) {
                suite.admin().delete(collection + "/" + object.at("/metadata/name").asText());
            }
        }
    }
}
