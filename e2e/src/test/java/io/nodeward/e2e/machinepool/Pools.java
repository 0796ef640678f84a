package io.nodeward.e2e.machinepool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** MachinePools of a suite whose infrastructure has no Machines, and their Nodes: number n of a pool is {@code POOL-n}. */
public final class Pools implements AutoCloseable {
    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String KIND = "GenericInfrastructureMachinePool";

    private final MachineSuite suite;
    private final String cluster;
    private final String infrastructures;

    public Pools(MachineSuite suite, String cluster) {
        this.suite = suite;
        this.cluster = cluster;
        this.infrastructures = "/apis/" + GROUP + "/v1beta1/namespaces/" + suite.fleet().namespace()
                + "/genericinfrastructuremachinepools";
    }

    /** With so many Nodes, which register uninitialized before the pool is there. */
    public void create(String pool, int nodes, String... taints) {
        IntStream.range(0, nodes).forEach(i -> node(pool, i));
        suite.admin().create(infrastructures, Json.tree(Map.of(
                "apiVersion", GROUP + "/v1beta1", "kind", KIND, "metadata", Map.of("name", pool),
                "spec", Map.of("providerIDList", ids(pool, nodes)))));
        ready(pool, nodes);
        ObjectNode template = (ObjectNode) Json.tree(Map.of(
                "clusterName", cluster,
                "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                "infrastructureRef", Map.of("apiGroup", GROUP, "kind", KIND, "name", pool)));
        if (taints.length > 0) {
            template.set("taints", Taints.json(taints));
        }
        suite.admin().create(suite.clusterApi() + "/machinepools", Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2",
                "kind", "MachinePool",
                "metadata", Map.of("name", pool, "labels", Map.of("cluster.x-k8s.io/cluster-name", cluster)),
                "spec", Map.of(
                        "clusterName", cluster,
                        "replicas", nodes,
                        "providerIDList", ids(pool, nodes),
                        "template", Map.of("spec", template)))));
    }

    private void ready(String pool, int nodes) {
        suite.admin().mergePatch(infrastructures + "/" + pool + "/status",
                "{\"status\":{\"ready\":true,\"replicas\":%d,\"initialization\":{\"provisioned\":true}}}"
                        .formatted(nodes));
    }

    public void node(String pool, int i) {
        suite.fleet().node(NodeSpec.named(pool + "-" + i).uninitialized());
    }

    /** The pool has so many machines, whether or not their Nodes are there. */
    public void scale(String pool, int nodes) {
        String spec = Json.tree(Map.of("spec", Map.of("providerIDList", ids(pool, nodes)))).toString();
        suite.admin().mergePatch(infrastructures + "/" + pool, spec);
        ready(pool, nodes);
        suite.admin().mergePatch(path(pool), spec);
        suite.admin().mergePatch(path(pool), "{\"spec\":{\"replicas\":%d}}".formatted(nodes));
    }

    public void declare(String pool, String... taints) {
        suite.admin().mergePatch(path(pool),
                "{\"spec\":{\"template\":%s}}".formatted(Taints.patch(taints)));
    }

    public void annotate(String pool, Map<String, String> annotations) {
        template(pool, "annotations", annotations);
    }

    /** Takes back a taint by annotation. */
    public void withdraw(String pool, String name) {
        suite.admin().mergePatch(path(pool),
                "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"taint.nodeward.io/"
                        + name + "\":null}}}}}");
    }

    /** Labels of the template; null to remove one. */
    void label(String pool, Map<String, ? extends @Nullable Object> labels) {
        template(pool, "labels", labels);
    }

    private void template(String pool, String field, Map<String, ? extends @Nullable Object> entries) {
        suite.admin().mergePatch(path(pool), Json.tree(Map.of("spec", Map.of("template",
                Map.of("metadata", Map.of(field, entries))))).toString());
    }

    /** The infrastructure says that it makes Machines. */
    void makesMachines(String pool) {
        suite.admin().mergePatch(infrastructures + "/" + pool + "/status",
                "{\"status\":{\"infrastructureMachineKind\":\"GenericInfrastructureMachine\"}}");
    }

    /** As the manager does with a Machine that it makes for the pool. */
    void own(String pool, String machine) {
        String uid = suite.admin().get(path(pool)).at("/metadata/uid").asText();
        suite.admin().mergePatch(machine, Json.tree(Map.of("metadata", Map.of(
                "labels", Map.of("cluster.x-k8s.io/pool-name", pool),
                "ownerReferences", List.of(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "MachinePool",
                        "name", pool, "uid", uid, "controller", true)))))
                .toString());
    }

    String path(String pool) {
        return suite.clusterApi() + "/machinepools/" + pool;
    }

    private static List<String> ids(String pool, int nodes) {
        return IntStream.range(0, nodes).mapToObj(i -> Fleet.providerId(pool + "-" + i)).toList();
    }

    /** Deletes them, finalizers or not. */
    @Override
    public void close() {
        for (String collection : List.of(suite.clusterApi() + "/machinepools", infrastructures)) {
            for (JsonNode object : suite.admin().get(collection).path("items")) {
                String path = collection + "/" + object.at("/metadata/name").asText();
                suite.admin().delete(path);
                suite.admin().send("PATCH", path, AdminClient.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}");
            }
        }
    }
}
