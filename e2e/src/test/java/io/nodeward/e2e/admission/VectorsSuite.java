package io.nodeward.e2e.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.DeclaringPlace;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * On a real server: for every case of the vectors, the server together with what judges for it says what the rule in Java
 * says. The gate is off in a namespace of its own, and for objects with a label of their own.
 */
abstract class VectorsSuite {
    private static final String VECTORS = "/io/nodeward/core/testkit/vectors/";
    static final String ON = "gate-on";
    static final String OFF = "gate-off";
    private static final int MANY = 2_000;
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    static final String RESERVED =
            "[{\"key\":\"node.cluster.x-k8s.io/uninitialized\",\"effect\":\"NoSchedule\",\"propagation\":\"Always\"}]";
    private static final String LIFECYCLE =
            "[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoExecute\",\"propagation\":\"Always\"}]";

    static ControlPlane controlPlane;
    static AdminClient admin;

    static ControlPlane prepared() {
        // One of its own: what judges would be in the way of other suites.
        controlPlane = ControlPlane.start(Options.standard());
        admin = controlPlane.admin();
        ClusterApiCrds.install(admin, DeclaringCrds.all());
        for (String namespace : List.of(ON, OFF)) {
            admin.createIfAbsent("/api/v1/namespaces", Json.parse(
                    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        }
        cases("admission.json").map(Named::getPayload).filter(c -> c.path("input").has("before")).forEach(
                VectorsSuite::store);
        return controlPlane;
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @ParameterizedTest
    @MethodSource("admission")
    void what_is_admitted(JsonNode c) {
        JsonNode input = c.path("input");
        DeclaringKind kind = kind(input);
        AdminClient.Reply reply;
        if (input.has("before")) {
            ObjectNode object = (ObjectNode) admin.get(path(kind, input) + "/" + name(c));
            fill(object, input.path("now"));
            reply = put(path(kind, input) + "/" + name(c), object);
        } else {
            ObjectNode object = object(kind, name(c), gate(input));
            fill(object, input.path("now"));
            reply = admin.send("POST", path(kind, input) + "?dryRun=All", AdminClient.JSON, object.toString());
        }
        assertThat(reply.isOk()).as("%s: %s", c.path("rule").asText(), reply.body())
                .isEqualTo(c.path("expected").path("allowed").asBoolean());
        assertThat(!reply.warnings().isEmpty()).as("%s", reply.warnings())
                .isEqualTo(c.path("expected").path("warned").asBoolean());
    }

    /** Policies have a budget that a comparison of each worker with each would use up. */
    @Test
    void one_of_thousands_of_workers_is_judged_when_it_changes() {
        List<Map<String, Object>> workers = IntStream.range(0, MANY)
                .mapToObj(i -> Map.<String, Object>of("name", "w" + i, "class", "w")).toList();
        ObjectNode cluster = object(DeclaringKind.CLUSTER, "large", ON);
        fill(cluster, Json.tree(Map.of("spec", Map.of("topology", Map.of("workers",
                Map.of("machineDeployments", workers))))));
        String collection = path(DeclaringKind.CLUSTER, ON);
        admin.createIfAbsent(collection, cluster);
        ObjectNode stored = (ObjectNode) admin.get(collection + "/large");
        ObjectNode worker = (ObjectNode) stored.at("/spec/topology/workers/machineDeployments/" + MANY / 2);

        worker.set("taints", Json.parse(RESERVED));
        AdminClient.Reply refused = put(collection + "/large", stored);
        assertThat(refused.code()).as("%s", refused.body()).isEqualTo(422);
        assertThat(refused.body().path("message").asText()).contains("managed by Cluster API itself");
        worker.set("taints", Json.parse(RESERVED.replace("node.cluster.x-k8s.io/uninitialized", "example.com/a")));
        assertThat(put(collection + "/large", stored).isOk()).isTrue();
    }

    private static AdminClient.Reply put(String path, ObjectNode object) {
        return admin.send("PUT", path + "?dryRun=All", AdminClient.JSON, object.toString());
    }

    @ParameterizedTest
    @MethodSource("validate")
    void what_is_valid(JsonNode c) {
        JsonNode input = c.path("input");
        DeclaringKind kind = kind(input);
        ObjectNode object = object(kind, "vector", gate(input));
        fill(object, Json.parse("{\"spec\":{\"clusterName\":\"c\"}}"));
        DeclaringPlace place = kind.taints().getFirst();
        if (input.has("taints")) {
            object.withObject("/" + String.join("/", place.path().subList(0, place.path().size() - 1)))
                    .set(place.path().getLast(), input.path("taints"));
        }
        AdminClient.Reply reply =
                admin.send("POST", path(kind, input) + "?dryRun=All", AdminClient.JSON, object.toString());

        boolean usable = c.path("expected").path("valid").asBoolean() && c.path("nodeApiValid").asBoolean();
        assertThat(reply.isOk()).as("%s: %s", c.path("rule").asText(), reply.body()).isEqualTo(usable);
    }

    static Stream<Named<JsonNode>> admission() {
        return cases("admission.json");
    }

    static Stream<Named<JsonNode>> validate() {
        return cases("validate.json");
    }

    private static Stream<Named<JsonNode>> cases(String file) {
        try (InputStream in = PolicyVectorsTest.class.getResourceAsStream(VECTORS + file)) {
            assertThat(in).as(VECTORS + file + " is in nodeward-core-testkit: build with -am").isNotNull();
            return Json.parse(new String(in.readAllBytes(), StandardCharsets.UTF_8)).path("cases").valueStream()
                    .map(c -> Named.of(c.path("name").asText(), c));
        } catch (IOException e) {
            throw new IllegalStateException(VECTORS + file, e);
        }
    }

    /** As it was before there were any policies. */
    private static void store(JsonNode c) {
        JsonNode input = c.path("input");
        ObjectNode object = object(kind(input), name(c), gate(input));
        fill(object, input.path("before"));
        boolean deleting = input.path("deleting").asBoolean();
        if (deleting) {
            object.withObject("/metadata").putArray("finalizers").add("nodeward.io/test");
        }
        admin.create(path(kind(input), input), object);
        if (deleting) {
            admin.delete(path(kind(input), input) + "/" + name(c));
        }
    }

    static void awaitInForce() {
        ObjectNode reserved = object(DeclaringKind.MACHINE, "probe", ON);
        fill(reserved, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + RESERVED + "}}"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(post(reserved, ON).code()).isEqualTo(422);
            assertThat(post(lifecycle(ON), ON).warnings()).isNotEmpty();
            assertThat(post(lifecycle(OFF), OFF).code()).isEqualTo(422);
        });
    }

    private static ObjectNode lifecycle(String gate) {
        ObjectNode lifecycle = object(DeclaringKind.MACHINE, "probe", gate);
        fill(lifecycle, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + LIFECYCLE + "}}"));
        return lifecycle;
    }

    static AdminClient.Reply post(ObjectNode machine, String namespace) {
        return admin.send("POST", path(DeclaringKind.MACHINE, namespace) + "?dryRun=All", AdminClient.JSON,
                machine.toString());
    }

    /** @param gate {@link #ON} or {@link #OFF} */
    static ObjectNode object(DeclaringKind kind, String name, String gate) {
        return (ObjectNode) Json.parse("""
                {"apiVersion":"%s/v1beta2","kind":"%s","metadata":{"name":"%s",
                 "labels":{"cluster.x-k8s.io/watch-filter":"%s"}}}""".formatted(kind.group(), kind.kind(), name, gate));
    }

    static void fill(ObjectNode object, JsonNode from) {
        object.set("spec", from.path("spec").deepCopy());
        ObjectNode metadata = object.withObject("/metadata");
        JsonNode annotations = from.path("metadata").path("annotations");
        if (annotations.isMissingNode()) {
            metadata.remove("annotations");
        } else {
            metadata.set("annotations", annotations);
        }
        ArrayNode owners = metadata.putArray("ownerReferences");
        from.path("metadata").path("ownerReferences").forEach(owners::add);
        ObjectNode labels = metadata.withObject("/labels");
        from.path("metadata").path("labels").properties().forEach(
                label -> labels.set(label.getKey(), label.getValue()));
    }

    private static DeclaringKind kind(JsonNode input) {
        return Arrays.stream(DeclaringKind.values())
                .filter(kind -> kind.kind().equals(input.path("kind").asText()))
                .findFirst()
                .orElseThrow();
    }

    private static String gate(JsonNode input) {
        boolean on = input.has("gate") ? input.path("gate").asBoolean() : input.path("featureGate").asBoolean();
        return on ? ON : OFF;
    }

    private static String path(DeclaringKind kind, JsonNode input) {
        return path(kind, gate(input));
    }

    static String path(DeclaringKind kind, String namespace) {
        return "/apis/" + kind.group() + "/v1beta2/namespaces/" + namespace + "/" + kind.plural();
    }

    private static String name(JsonNode c) {
        return c.path("name").asText().replace('/', '-');
    }
}
