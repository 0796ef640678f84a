package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** The kinds every server has. */
final class Kinds {
    static final Kind NAMESPACES = Kind.builtIn("", "v1", "namespaces", "Namespace")
            .clusterScoped()
            .withShortNames("ns")
            .withStatus(true)
            .withPlaces(Places.NAMESPACE)
            .withColumns(Column.at("Status", "status", "phase"))
            .withRules(new Rules() {
                @Override
                public void prepare(ObjectNode object) {
                    Json.child(Json.child(object, "metadata"), "labels")
                            .put("kubernetes.io/metadata.name", Json.text(object, "metadata", "name"));
                    Json.child(object, "spec");
                    if (Json.text(object, "status", "phase").isEmpty()) {
                        Json.child(object, "status").put("phase", "Active");
                    }
                }
            });

    /** Plural. */
    static final String BUDGETS = "poddisruptionbudgets";

    private static final List<String> COUNTS =
            List.of("disruptionsAllowed", "currentHealthy", "desiredHealthy", "expectedPods");
    private static final String CLUSTER_API = "cluster.x-k8s.io";
    private static final String ROLE = "node-role.kubernetes.io/";

    private Kinds() {}

    static List<Kind> builtIn() {
        return List.of(NAMESPACES, nodes(), secrets(), configMaps(), events(), serviceAccounts(), pods(), leases(),
                budgets(),
                clusters(), machines(), machinePools());
    }

    private static Kind nodes() {
        return Kind.builtIn("", "v1", "nodes", "Node")
                .clusterScoped()
                .withShortNames("no")
                .withStatus(true)
                .withPlaces(Places.NODE)
                .withRules(TaintRules.NODE)
                .withColumns(
                        Column.text("Status", Kinds::nodeStatus),
                        Column.text("Roles", Kinds::roles),
                        Columns.AGE,
                        Column.at("Version", "status", "nodeInfo", "kubeletVersion"),
                        Column.text("Internal-IP", n -> address(n, "InternalIP")).wide(),
                        Column.text("External-IP", n -> address(n, "ExternalIP")).wide(),
                        Column.text("OS-Image", n -> info(n, "osImage")).wide(),
                        Column.text("Kernel-Version", n -> info(n, "kernelVersion")).wide(),
                        Column.text("Container-Runtime", n -> info(n, "containerRuntimeVersion")).wide());
    }

    private static Kind secrets() {
        return Kind.builtIn("", "v1", "secrets", "Secret")
                .withPlaces(Places.SECRET)
                .withColumns(Column.at("Type", "type"), Column.count("Data", s -> s.path("data").size()))
                .withRules(new Rules() {
                    @Override
                    public void prepare(ObjectNode secret) {
                        prepareSecret(secret);
                    }
                });
    }

    private static Kind configMaps() {
        return Kind.builtIn("", "v1", "configmaps", "ConfigMap")
                .withShortNames("cm")
                .withPlaces(Places.CONFIG_MAP)
                .withColumns(Column.count("Data", map -> map.path("data").size() + map.path("binaryData").size()));
    }

    private static void prepareSecret(ObjectNode secret) {
        if (secret.remove("stringData") instanceof ObjectNode texts) {
            ObjectNode data = Json.shallow(Json.child(secret, "data")); // a patch shares what it does not name with what is stored
            secret.set("data", data);
            Json.texts(texts).forEach((key, value) -> data.put(key,
                    Base64.getEncoder().encodeToString(value.getBytes(StandardCharsets.UTF_8))));
        }
        if (Json.text(secret, "type").isEmpty()) {
            secret.put("type", "Opaque");
        }
    }

    private static Kind events() {
        return Kind.builtIn("", "v1", "events", "Event")
                .withShortNames("ev")
                .withPlaces(Places.EVENT)
                .withRules(new Rules() {
                    @Override
                    public List<Violation> check(
                            ObjectNode event, @Nullable ObjectNode before) {
                        String about = Json.text(event, "involvedObject", "namespace");
                        boolean fits = about.isEmpty() || about.equals(Json.text(event, "metadata", "namespace"));
                        return fits ? List.of() : List.of(Violation.invalid(
                                "involvedObject.namespace", about, "does not match event.namespace"));
                    }
                })
                .withColumns(
                        Column.text("Last Seen", e -> Columns.age(Json.text(e, "lastTimestamp"))),
                        Column.at("Type", "type"),
                        Column.at("Reason", "reason"),
                        Column.text("Object", e -> Json.text(e, "involvedObject", "kind").toLowerCase(Locale.ROOT)
                                + "/" + Json.text(e, "involvedObject", "name")),
                        Column.at("Message", "message"),
                        Columns.NAME.wide());
    }

    private static Kind serviceAccounts() {
        return Kind.builtIn("", "v1", "serviceaccounts", "ServiceAccount")
                .withShortNames("sa")
                .withPlaces(Places.SERVICE_ACCOUNT);
    }

    private static Kind pods() {
        return Kind.builtIn("", "v1", "pods", "Pod")
                .withShortNames("po")
                .withPlaces(Places.POD)
                .withStatus(true)
                .withColumns(Column.at("Status", "status", "phase"), Columns.AGE,
                        Column.at("Node", "spec", "nodeName").wide());
    }

    private static Kind leases() {
        return Kind.builtIn("coordination.k8s.io", "v1", "leases", "Lease")
                .withPlaces(Places.LEASE)
                .withColumns(Column.at("Holder", "spec", "holderIdentity"));
    }

    private static Kind budgets() {
        return Kind.builtIn("policy", "v1", BUDGETS, "PodDisruptionBudget")
                .withShortNames("pdb")
                .withStatus(true)
                .withPlaces(Places.BUDGET)
                .withColumns(
                        Column.at("Min Available", "spec", "minAvailable"),
                        Column.at("Max Unavailable", "spec", "maxUnavailable"),
                        Column.at("Allowed Disruptions", "status", "disruptionsAllowed"))
                .withRules(new Rules() {
                    @Override
                    public void prepare(ObjectNode budget) {
                        ObjectNode status = Json.shallow(Json.child(budget, "status"));
                        for (String count : COUNTS) {
                            if (!status.has(count)) {
                                status.put(count, 0);
                            }
                        }
                        budget.set("status", status);
                    }
                });
    }

    private static Kind clusters() {
        return Kind.custom(CLUSTER_API, List.of("v1beta2", "v1beta1"), "clusters", "Cluster")
                .withShortNames("cl")
                .withPlaces(Places.CLUSTER)
                .withRules(new StatusRules(new Rules() {
                    @Override
                    public boolean hasExpressions() {
                        return true;
                    }
                }))
                .withColumns(Column.at("Phase", "status", "phase"), Column.at("Paused", "spec", "paused").wide());
    }

    private static Kind machines() {
        return Kind.custom(CLUSTER_API, List.of("v1beta2", "v1beta1"), "machines", "Machine")
                .withShortNames("ma")
                .withPlaces(Places.MACHINE)
                .withRules(new StatusRules(TaintRules.MACHINE))
                .withColumns(
                        Column.at("Cluster", "spec", "clusterName"),
                        Column.at("Node Name", "status", "nodeRef", "name"),
                        Column.count("Taints", m -> m.path("spec").path("taints").size()),
                        Column.at("Phase", "status", "phase"),
                        Columns.AGE,
                        Column.at("Version", "spec", "version"),
                        Column.at("Provider ID", "spec", "providerID").wide());
    }

    private static Kind machinePools() {
        return Kind.custom(CLUSTER_API, List.of("v1beta2", "v1beta1"), "machinepools", "MachinePool")
                .withShortNames("mp")
                .withPlaces(Places.MACHINE_POOL)
                .withRules(new StatusRules(Rules.NONE))
                .withColumns(
                        Column.at("Cluster", "spec", "clusterName"),
                        Column.at("Desired", "spec", "replicas"),
                        Column.at("Phase", "status", "phase"),
                        Columns.AGE);
    }

    private static String nodeStatus(JsonNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Ready")) {
                ready = Json.text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean() ? ready + ",SchedulingDisabled" : ready;
    }

    private static String roles(JsonNode node) {
        Map<String, String> labels = Json.texts(node.path("metadata").path("labels"));
        String roles = labels.entrySet().stream()
                .filter(l -> l.getKey().startsWith(ROLE) && l.getKey().length() > ROLE.length()
                        || l.getKey().equals("kubernetes.io/role") && !l.getValue().isEmpty())
                .map(l -> l.getKey().startsWith(ROLE) ? l.getKey().substring(ROLE.length()) : l.getValue())
                .distinct()
                .sorted()
                .collect(Collectors.joining(","));
        return roles.isEmpty() ? "<none>" : roles;
    }

    private static String address(JsonNode node, String type) {
        return StreamSupport.stream(node.path("status").path("addresses").spliterator(), false)
                .filter(a -> Json.text(a, "type").equals(type))
                .map(a -> Json.text(a, "address"))
                .findFirst()
                .orElse("<none>");
    }

    private static String info(JsonNode node, String field) {
        String text = Json.text(node, "status", "nodeInfo", field);
        return text.isEmpty() ? "<unknown>" : text;
    }
}
