package io.nodeward.e2e.autoscaler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Node groups of the cluster-autoscaler in the namespace of a suite, of its Cluster {@code c}, all at zero. */
final class Groups implements AutoCloseable {
    static final String DEPLOYMENTS = "machinedeployments";
    static final String SETS = "machinesets";
    static final String POOLS = "machinepools";
    static final Map<String, String> KINDS =
            Map.of(DEPLOYMENTS, "MachineDeployment", SETS, "MachineSet", POOLS, "MachinePool");

    /** The gates with which taints of all three kinds reach Nodes, and are advertised to the autoscaler. */
    static final String GATES = "--feature-gates=AutoscalerAdapter=true,MachinePoolTaintPropagation=true";
    static final String MANAGER = "nodeward-autoscaler";
    static final String TAINTS = "capacity.cluster-autoscaler.kubernetes.io/taints";
    static final String LABELS = "capacity.cluster-autoscaler.kubernetes.io/labels";
    static final String TRACKING = "nodeward.io/capacity-taints";
    static final String CONDITION = "nodeward.io/CapacityBlocked";
    /** What makes a node group that can be scaled from zero. */
    static final Map<String, String> SIZES = Map.of(
            "cluster.x-k8s.io/cluster-api-autoscaler-node-group-min-size", "0",
            "cluster.x-k8s.io/cluster-api-autoscaler-node-group-max-size", "5",
            "capacity.cluster-autoscaler.kubernetes.io/cpu", "4",
            "capacity.cluster-autoscaler.kubernetes.io/memory", "16Gi");
    private static final String DECLARING = "taint.nodeward.io/";
    private static final Path ROLE = Path.of("src", "main", "rbac", "management.yaml");

    private final MachineSuite suite;
    private int touches;

    /** Gives the controller the rights of the controller, too, and of that of MachinePools. */
    Groups(MachineSuite suite) {
        this.suite = suite;
        suite.allow(Path.of("..", "autoscaler-adapter").resolve(ROLE), DEPLOYMENTS);
        suite.allow(Path.of("..", "controller", "machinepool").resolve(ROLE), POOLS);
    }

    /**
     * @param annotations its own; those that declare a taint are the template's
     * @param taints {@code key[=value]:Effect:Propagation}
     */
    void create(String plural, String name, Map<String, String> annotations, String... taints) {
        suite.admin().create(suite.clusterApi() + "/" + plural, object(plural, name, annotations, taints));
    }

    /** As the server would store it; nothing is created. */
    JsonNode imagine(String plural, String name) {
        return suite.admin().create(suite.clusterApi() + "/" + plural + "?dryRun=All", object(plural, name, SIZES));
    }

    private static JsonNode object(
            String plural, String name, Map<String, String> annotations, String... taints) {
        Map<String, Object> machine = new LinkedHashMap<>(Map.of(
                "clusterName", "c",
                "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                "infrastructureRef", Map.of("apiGroup", "infrastructure.cluster.x-k8s.io",
                        "kind", "GenericInfrastructureMachineTemplate", "name", "workers")));
        if (taints.length > 0) {
            machine.put("taints", Taints.json(taints));
        }
        Map<String, String> labels = Map.of("example.com/group", name);
        Map<String, String> own = new LinkedHashMap<>(annotations);
        own.keySet().removeIf(annotation -> annotation.startsWith(DECLARING));
        Map<String, String> template = new LinkedHashMap<>(annotations);
        template.keySet().removeAll(own.keySet());
        Map<String, Object> spec = new LinkedHashMap<>(Map.of(
                "clusterName", "c",
                "replicas", 0,
                "template", Map.of("metadata", Map.of("labels", labels, "annotations", template), "spec", machine)));
        if (!plural.equals(POOLS)) {
            spec.put("selector", Map.of("matchLabels", labels));
        }
        return Json.tree(Map.of(
                "apiVersion", "cluster.x-k8s.io/v1beta2", "kind", KINDS.get(plural),
                "metadata", Map.of("name", name, "annotations", own), "spec", spec));
    }

    String path(String plural, String name) {
        return suite.clusterApi() + "/" + plural + "/" + name;
    }

    JsonNode get(String plural, String name) {
        return suite.admin().get(path(plural, name));
    }

    void patch(String plural, String name, String patch) {
        suite.admin().mergePatch(path(plural, name), patch);
    }

    /** In {@code spec.template.spec}; none takes the field away. */
    void declare(String plural, String name, String... taints) {
        patch(plural, name, "{\"spec\":{\"template\":%s}}".formatted(Taints.patch(taints)));
    }

    /** What makes a node group, and these annotations. */
    static Map<String, String> sizesAnd(String... more) {
        Map<String, String> annotations = new LinkedHashMap<>(SIZES);
        for (int i = 0; i < more.length; i += 2) {
            annotations.put(more[i], more[i + 1]);
        }
        return annotations;
    }

    /** As {@code kubectl annotate} does it; null removes it. */
    void annotate(String plural, String name, String annotation, String text) {
        patch(plural, name, Json.tree(Map.of("metadata", Map.of("annotations",
                Collections.singletonMap(annotation, text)))).toString());
    }

    /** Server-side apply with force of these annotations and nothing else, as GitOps does it. */
    void apply(String manager, String plural, String name, Map<String, String> annotations) {
        AdminClient.Reply reply = suite.admin().send("PATCH",
                path(plural, name) + "?fieldManager=" + manager + "&force=true", AdminClient.APPLY_PATCH,
                Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", KINDS.get(plural),
                        "metadata", Map.of("name", name, "annotations", annotations))).toString());
        assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
    }

    /** Null if it is not there. */
    String annotation(String plural, String name, String annotation) {
        return get(plural, name).path("metadata").path("annotations").path(annotation).textValue();
    }

    String text(String plural, String name) {
        return annotation(plural, name, TAINTS);
    }

    void awaitText(String plural, String name, String text) {
        await("annotation of " + name).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(text(plural, name)).isEqualTo(text));
    }

    /** The condition that says what blocks; empty if there is none. */
    Optional<JsonNode> condition(String plural, String name) {
        return get(plural, name).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals(CONDITION)).findFirst();
    }

    /** Fields of the object that the controller applies, status left out, as paths; by managedFields. */
    Set<String> applied(String plural, String name) {
        Set<String> paths = new TreeSet<>();
        for (JsonNode entry : get(plural, name).at("/metadata/managedFields")) {
            if (entry.path("manager").asText().equals(MANAGER) && !entry.has("subresource")
                    && entry.path("operation").asText().equals("Apply")) {
                leaves("", entry.path("fieldsV1"), paths);
            }
        }
        return paths;
    }

    private static void leaves(String prefix, JsonNode fields, Set<String> paths) {
        fields.properties().forEach(field -> {
            if (field.getValue().isEmpty()) {
                paths.add(prefix + field.getKey());
            } else {
                leaves(prefix + field.getKey() + " ", field.getValue(), paths);
            }
        });
    }

    /** Creates a group whose annotation shows that the controller has seen all of its kind that was done before. */
    void canary(String plural, String name) {
        create(plural, name, SIZES);
    }

    /** What the controller wrote since, when it has seen all that was done to this kind and asks no more. */
    List<AuditRequest> writes(AuditLog.Mark mark, String plural, String canary) {
        String taint = "canary=" + ++touches + ":NoSchedule";
        declare(plural, canary, taint + ":Always");
        awaitText(plural, canary, taint);
        return suite.settledSince(mark).stream()
                .filter(r -> r.isWrite() && r.resource().startsWith(plural) && !r.name().equals(canary)).toList();
    }

    /** Finalizers or not. */
    @Override
    public void close() {
        for (String plural : KINDS.keySet()) {
            String collection = suite.clusterApi() + "/" + plural;
            for (JsonNode object : suite.admin().get(collection).path("items")) {
                String path = collection + "/" + object.at("/metadata/name").asText();
                suite.admin().delete(path);
                suite.admin().send("PATCH", path, AdminClient.MERGE_PATCH, "{\"metadata\":{\"finalizers\":null}}");
            }
        }
    }
}
