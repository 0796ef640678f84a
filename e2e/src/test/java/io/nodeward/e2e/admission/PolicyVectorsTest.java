package io.nodeward.e2e.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.DeclaringPlace;
import io.nodeward.core.rules.validation.TaintPolicies;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The policies on a real server: for every case of the vectors, the server together with the policies says what the rule
 * in Java says. The gate is off in a namespace of its own.
 */
class PolicyVectorsTest {
    private static final String VECTORS = "/io/nodeward/core/testkit/vectors/";
    private static final String REGISTRATION = "/apis/admissionregistration.k8s.io/v1/";
    private static final String ON = "gate-on";
    private static final String OFF = "gate-off";
    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final String RESERVED =
            "[{\"key\":\"node.cluster.x-k8s.io/uninitialized\",\"effect\":\"NoSchedule\",\"propagation\":\"Always\"}]";
    private static final String LIFECYCLE =
            "[{\"key\":\"node.kubernetes.io/not-ready\",\"effect\":\"NoExecute\",\"propagation\":\"Always\"}]";

    private static ControlPlane controlPlane;
    private static AdminClient admin;

    @BeforeAll
    static void install() {
        // One of its own: these policies would be in the way of other suites.
        controlPlane = ControlPlane.start(Options.standard());
        admin = controlPlane.admin();
        ClusterApiCrds.install(admin, DeclaringCrds.all());
        for (String namespace : List.of(ON, OFF)) {
            admin.createIfAbsent("/api/v1/namespaces", Json.parse(
                    "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"" + namespace + "\"}}"));
        }
        cases("admission.json").map(Named::getPayload).filter(c -> c.path("input").has("before")).forEach(
                PolicyVectorsTest::store);
        for (TaintPolicies.Rules rules : TaintPolicies.Rules.values()) {
            install(rules);
        }
        awaitInForce();
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
            reply = admin.send("PUT", path(kind, input) + "/" + name(c) + "?dryRun=All", AdminClient.JSON,
                    object.toString());
        } else {
            ObjectNode object = object(kind, name(c));
            fill(object, input.path("now"));
            reply = admin.send("POST", path(kind, input) + "?dryRun=All", AdminClient.JSON, object.toString());
        }
        assertThat(reply.isOk()).as("%s: %s", c.path("rule").asText(), reply.body())
                .isEqualTo(c.path("expected").path("allowed").asBoolean());
        assertThat(!reply.warnings().isEmpty()).as("%s", reply.warnings())
                .isEqualTo(c.path("expected").path("warned").asBoolean());
    }

    @ParameterizedTest
    @MethodSource("validate")
    void what_is_valid(JsonNode c) {
        JsonNode input = c.path("input");
        DeclaringKind kind = kind(input);
        ObjectNode object = object(kind, "vector");
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

    @Test
    void a_refusal_names_each_taint_and_why() {
        ObjectNode machine = object(DeclaringKind.MACHINE, "told");
        fill(machine, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + RESERVED + "}}"));
        AdminClient.Reply reply = post(machine, ON);

        assertThat(reply.code()).isEqualTo(422);
        assertThat(reply.body().path("message").asText()).contains("machine-taints-faults.nodeward.io",
                "taints: the key is managed by Cluster API itself of node.cluster.x-k8s.io/uninitialized:NoSchedule");
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
        ObjectNode object = object(kind(input), name(c));
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

    private static void install(TaintPolicies.Rules rules) {
        for (JsonNode document : Json.yaml(TaintPolicies.yaml(rules))) {
            boolean binding = document.path("kind").asText().endsWith("Binding");
            if (binding && rules == TaintPolicies.Rules.GATE) {
                ((ObjectNode) document).withObject("/spec/matchResources/namespaceSelector/matchLabels")
                        .put("kubernetes.io/metadata.name", OFF);
            }
            admin.create(REGISTRATION + (binding ? "validatingadmissionpolicybindings" : "validatingadmissionpolicies"),
                    document);
        }
    }

    private static void awaitInForce() {
        ObjectNode reserved = object(DeclaringKind.MACHINE, "probe");
        fill(reserved, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + RESERVED + "}}"));
        ObjectNode lifecycle = object(DeclaringKind.MACHINE, "probe");
        fill(lifecycle, Json.parse("{\"spec\":{\"clusterName\":\"c\",\"taints\":" + LIFECYCLE + "}}"));
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(post(reserved, ON).code()).isEqualTo(422);
            assertThat(post(lifecycle, ON).warnings()).isNotEmpty();
            assertThat(post(lifecycle, OFF).code()).isEqualTo(422);
        });
    }

    private static AdminClient.Reply post(ObjectNode machine, String namespace) {
        return admin.send("POST", path(DeclaringKind.MACHINE, namespace) + "?dryRun=All", AdminClient.JSON,
                machine.toString());
    }

    private static ObjectNode object(DeclaringKind kind, String name) {
        return (ObjectNode) Json.parse("{\"apiVersion\":\"%s/v1beta2\",\"kind\":\"%s\",\"metadata\":{\"name\":\"%s\"}}"
                .formatted(kind.group(), kind.kind(), name));
    }

    private static void fill(ObjectNode object, JsonNode from) {
        object.set("spec", from.path("spec").deepCopy());
        ObjectNode metadata = object.withObject("/metadata");
        JsonNode annotations = from.path("metadata").path("annotations");
        if (annotations.isMissingNode()) {
            metadata.remove("annotations");
        } else {
            metadata.set("annotations", annotations);
        }
    }

    private static DeclaringKind kind(JsonNode input) {
        return Arrays.stream(DeclaringKind.values())
                .filter(kind -> kind.kind().equals(input.path("kind").asText()))
                .findFirst()
                .orElseThrow();
    }

    private static String path(DeclaringKind kind, JsonNode input) {
        boolean on = input.has("gate") ? input.path("gate").asBoolean() : input.path("featureGate").asBoolean();
        return path(kind, on ? ON : OFF);
    }

    private static String path(DeclaringKind kind, String namespace) {
        return "/apis/" + kind.group() + "/v1beta2/namespaces/" + namespace + "/" + kind.plural();
    }

    private static String name(JsonNode c) {
        return c.path("name").asText().replace('/', '-');
    }
}
