package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.plan.ApplyMode;
import io.nodeward.cli.snapshot.Manifest;
import io.nodeward.cli.validate.ManifestCheck;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AdminClient.Reply;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Objects at random that several managers have applied and edited, and that one of them applies once more: managedFields tell the command
 * what kube-apiserver stores, and which conflicts it finds.
 */
class AppliedAsServerTest {
    private static final int EDITS = 250;
    /** The server makes null of a map that gets empty, which CRDs do not allow: such an apply is refused. */
    private static final int REFUSED = 422;
    private static final List<String> MANAGERS = List.of("kubectl", "flux", "argocd");
    private static final List<String> NAMES = List.of("a", "b", "c");

    private static AdminClient admin;

    /** What taints can be declared in. */
    enum Kind {
        MACHINE_DEPLOYMENT("/apis/cluster.x-k8s.io/v1beta2/namespaces/default/machinedeployments/", "/spec/template",
                """
                        {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"MachineDeployment","spec":{"clusterName":"c",
                         "selector":{"matchLabels":{"a":"b"}},"template":{"spec":{"clusterName":"c","bootstrap":
                         {"dataSecretName":"s"},"infrastructureRef":{"apiGroup":"infrastructure.cluster.x-k8s.io",
                         "kind":"X","name":"x"}}}}}"""),
        CLUSTER("/apis/cluster.x-k8s.io/v1beta2/namespaces/default/clusters/", "/spec/topology/controlPlane", """
                {"apiVersion":"cluster.x-k8s.io/v1beta2","kind":"Cluster","spec":{"topology":
                 {"classRef":{"name":"x"},"version":"v1.36.0"}}}"""),
        NODE("/api/v1/nodes/", "",
                "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"labels\":{\"example.com/base\":\"1\"}}}");

        private final String collection;
        private final String place;
        private final ObjectNode base;

        Kind(String collection, String place, String base) {
            this.collection = collection;
            this.place = place;
            this.base = (ObjectNode) Json.parse(base);
        }

        private ObjectNode object(String name) {
            ObjectNode object = base.deepCopy();
            object.withObject("/metadata").put("name", name);
            if (this != NODE) {
                object.withObject("/metadata").put("namespace", "default");
            }
            return object;
        }
    }

    @BeforeAll
    static void install() {
        admin = ControlPlane.shared().admin();
        ClusterApiCrds.install(admin);
    }

    @ParameterizedTest
    @EnumSource
    void the_command_and_the_server_store_the_same(Kind kind) {
        ManifestCheck check = new ManifestCheck(ClusterApiCrds.published().stream()
                .map(crd -> new Manifest((ObjectNode) crd, "crds")));
        int conflicts = 0;
        int removals = 0;
        int refused = 0;
        for (int i = 0; i < EDITS; i++) {
            long seed = kind.ordinal() * 1_000_003L + i;
            Random random = new Random(seed);
            String name = "applied-" + seed;
            String path = kind.collection + name;
            assertThat(apply(path, kind.object(name), one(MANAGERS, random), true, "").isOk()).isTrue();
            for (int writes = random.nextInt(1, 6); writes > 0; writes--) {
                write(kind, name, random);
            }
            JsonNode stored = admin.get(path);
            ObjectNode edit = edit(kind, name, random);
            String manager = one(MANAGERS, random);
            boolean force = random.nextBoolean();
            Reply server = apply(path, edit, manager, force, "&dryRun=All");
            Optional<ObjectNode> command = command(check, stored, edit, manager, force);
            String what = "seed " + seed + ": " + manager + " applies " + edit + " to " + stored;
            if (server.code() == REFUSED) {
                refused++;
                admin.delete(path);
                continue;
            }
            assertThat(command.isPresent()).as(what + "\nthe server: " + server.body()).isEqualTo(server.isOk());
            if (server.isOk()) {
                assertThat(compared(command.orElseThrow())).as(what).isEqualTo(compared(server.body()));
                removals += compared(server.body()).toString().length() < compared(stored).toString().length() ? 1 : 0;
            } else {
                assertThat(server.code()).as(what + server.body()).isEqualTo(409);
                conflicts++;
            }
            admin.delete(path);
        }
        assertThat(refused).isLessThan(EDITS / 4);
        assertThat(conflicts).isBetween(EDITS / 20, EDITS / 2);
        assertThat(removals).isGreaterThan(EDITS / 10);
    }

    private static Optional<ObjectNode> command(
            ManifestCheck check, JsonNode stored, ObjectNode edit, String manager, boolean force) {
        Manifest edited = new Manifest(edit, "edit.yaml");
        try {
            return Optional.of(ApplyMode.serverSide(manager, force, (any, warnings) -> Optional.empty()).applied(edited,
                    Optional.of(new Manifest((ObjectNode) stored, "fleet.yaml")), check.schema(edited),
                    new HashSet<>()).json());
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("conflict with");
            return Optional.empty();
        }
    }

    /** A manager applies, or a user edits. */
    private static void write(Kind kind, String name, Random random) {
        ObjectNode edit = edit(kind, name, random);
        String path = kind.collection + name;
        Reply reply = random.nextInt(4) > 0
                ? apply(path, edit, one(MANAGERS, random), true, "")
                : admin.send("PATCH", path + "?fieldManager=" + one(List.of("kubectl-edit", "flux"), random),
                        "application/merge-patch+json", edit.toString());
        assertThat(reply.isOk() || reply.code() == REFUSED).as("%s", reply).isTrue();
    }

    private static Reply apply(String path, ObjectNode object, String manager, boolean force, String more) {
        return admin.send("PATCH", path + "?fieldManager=" + manager + "&force=" + force + more,
                AdminClient.APPLY_PATCH, object.toString());
    }

    /** Returns an object with random labels, annotations and taints, in the object or in its template. */
    private static ObjectNode edit(Kind kind, String name, Random random) {
        ObjectNode object = kind.object(name);
        for (String place : List.of("", kind.place)) {
            for (String map : List.of("labels", "annotations")) {
                NAMES.stream().filter(any -> random.nextInt(4) == 0).forEach(key -> object
                        .withObject(place + "/metadata/" + map)
                        .put("example.com/" + key, one(List.of("1", "2"), random)));
            }
        }
        if (kind == Kind.CLUSTER && random.nextBoolean()) {
            ObjectNode variable = object.withObject("/spec/topology").putArray("variables").addObject();
            ObjectNode value = variable.put("name", one(NAMES, random)).putObject("value");
            NAMES.stream().filter(any -> random.nextBoolean()).forEach(field -> value.withObject("/" + field)
                    .put(one(NAMES, random), one(List.of("1", "2"), random)));
        }
        String taints = kind == Kind.CLUSTER ? kind.place : kind.place + "/spec";
        if (random.nextInt(4) > 0) {
            ArrayNode list = object.withObject(taints).putArray("taints");
            NAMES.stream().filter(any -> random.nextBoolean()).forEach(key -> list.add(taint(kind, key, random)));
            if (list.isEmpty() && (kind != Kind.NODE || random.nextBoolean())) {
                object.withObject(taints).remove("taints");
            }
        }
        return object;
    }

    private static JsonNode taint(Kind kind, String key, Random random) {
        ObjectNode taint = Json.tree(Map.of("key", key, "effect", one(List.of("NoSchedule", "NoExecute"), random)))
                .deepCopy();
        if (random.nextBoolean()) {
            taint.put("value", one(List.of("1", "2"), random));
        }
        return kind == Kind.NODE ? taint : taint.put("propagation", one(List.of("Always", "OnInitialization"), random));
    }

    private static <T> T one(List<T> all, Random random) {
        return all.get(random.nextInt(all.size()));
    }

    /** Returns what a plan reads, without what is empty. */
    private static JsonNode compared(JsonNode object) {
        ObjectNode compared = Json.tree(Map.of()).deepCopy();
        compared.withObject("/metadata").set("labels", object.at("/metadata/labels").deepCopy());
        compared.withObject("/metadata").set("annotations", object.at("/metadata/annotations").deepCopy());
        compared.set("spec", object.path("spec").deepCopy());
        return tidy(compared).orElseThrow();
    }

    private static Optional<JsonNode> tidy(JsonNode value) {
        JsonNode tidy = value;
        if (value.isObject()) {
            ObjectNode sorted = Json.tree(Map.of()).deepCopy();
            value.propertyStream().sorted(Map.Entry.comparingByKey())
                    .filter(field -> !field.getKey().equals("timeAdded"))
                    .forEach(field -> tidy(field.getValue()).ifPresent(child -> sorted.set(field.getKey(), child)));
            tidy = sorted;
        } else if (value.isArray()) {
            tidy = Json.tree(value.valueStream().flatMap(item -> tidy(item).stream()).toList());
        }
        boolean none = tidy.isMissingNode() || tidy.isNull() || tidy.isContainerNode() && tidy.isEmpty()
                || tidy.isBoolean() && !tidy.asBoolean();
        return none ? Optional.empty() : Optional.of(tidy);
    }
}
