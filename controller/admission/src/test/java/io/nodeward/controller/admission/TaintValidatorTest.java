package io.nodeward.controller.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.admission.AdmissionResponse;
import io.nodeward.api.admission.Shape;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.json.AdmissionReviews;
import io.nodeward.core.rules.validation.AdmissionPolicy;
import io.nodeward.core.rules.validation.Declarations;
import io.nodeward.core.rules.validation.DeclaringKind;
import io.nodeward.core.rules.validation.Enforcement;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Requests as an API server sends them, to the answer's meaning. */
class TaintValidatorTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Shape SHAPE = AdmissionReviews.shape(Declarations.SHAPE);
    private static final String VECTORS = "/io/nodeward/core/testkit/vectors/";

    @TestFactory
    Stream<DynamicTest> what_is_admitted() throws IOException {
        return cases("admission.json").map(c -> dynamicTest(c.path("name").asText(), () -> {
            JsonNode input = c.path("input");
            AdmissionResponse answer = ask(kind(input), input.path("before"), input.path("now"),
                    input.path("deleting").asBoolean(), input.path("gate").asBoolean());

            assertThat(answer.isAllowed()).as(answer.message())
                    .isEqualTo(c.path("expected").path("allowed").asBoolean());
            assertThat(!answer.warnings().isEmpty()).as("%s", answer.warnings())
                    .isEqualTo(c.path("expected").path("warned").asBoolean());
            assertThat(answer.message().isEmpty()).isEqualTo(answer.isAllowed());
        }));
    }

    @TestFactory
    Stream<DynamicTest> what_is_valid() throws IOException {
        return cases("validate.json").map(c -> dynamicTest(c.path("name").asText(), () -> {
            JsonNode input = c.path("input");
            ObjectNode object = JSON.createObjectNode();
            List<String> path = kind(input).taints().getFirst().path();
            if (input.has("taints")) {
                object.withObject("/" + String.join("/", path.subList(0, path.size() - 1)))
                        .set(path.getLast(), input.path("taints"));
            }
            AdmissionResponse answer = ask(kind(input), MissingNode.getInstance(), object, false,
                    input.path("featureGate").asBoolean());

            boolean usable = c.path("expected").path("valid").asBoolean() && c.path("nodeApiValid").asBoolean();
            assertThat(answer.isAllowed()).as(answer.message()).isEqualTo(usable);
        }));
    }

    @Test
    void anything_else_may_be_stored() throws IOException {
        String spec = "{'spec':{'taints':[{'key':'node.cluster.x-k8s.io/uninitialized'}]}}";
        assertThat(ask("cluster.x-k8s.io", "Machine", "CREATE", spec).isAllowed()).isFalse();
        assertThat(ask("cluster.x-k8s.io", "Machine", "DELETE", spec).isAllowed()).isTrue();
        assertThat(ask("cluster.x-k8s.io", "MachineHealthCheck", "CREATE", spec).isAllowed()).isTrue();
        assertThat(ask("example.com", "Machine", "CREATE", spec).isAllowed()).isTrue();
    }

    @Test
    void only_what_rules_look_at_is_read_of_an_object() throws IOException {
        String review = """
                {'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u','object':{
                 'metadata':{'name':'n','managedFields':[{}],'annotations':{'a':'b'}},'status':{'a':'b'},
                 'spec':{'taints':[],'bootstrap':{'a':'b'},'topology':{'variables':[{'name':'v'}],'workers':{
                  'machineDeployments':[{'name':'a','variables':{'overrides':[1]},'taints':[{'key':'k'}]}]}}}}}}""";

        assertThat(AdmissionReviews.read(
                review.replace('\'', '"').getBytes(StandardCharsets.UTF_8), SHAPE).object())
                .isEqualTo(Tree.of(Map.of(
                        "metadata", Map.of("annotations", Map.of("a", "b")),
                        "spec", Map.of("taints", List.of(), "topology", Map.of("workers", Map.of(
                                "machineDeployments", List.of(
                                        Map.of("name", "a", "taints", List.of(Map.of("key", "k"))))))))));
    }

    @Test
    void a_refusal_names_the_field_of_the_element_it_is_in() throws IOException {
        AdmissionResponse answer = ask("cluster.x-k8s.io", "Cluster", "CREATE", "{'spec':{'topology':{'workers':{"
                + "'machinePools':[{'name':'a'},{'name':'b','taints':[5]}]}}}}");
        assertThat(answer.message())
                .isEqualTo("spec.topology.workers.machinePools[1].taints[0]: must be of type object, is number");
    }

    private static AdmissionResponse ask(String group, String kind, String operation, String object)
            throws IOException {
        String review = """
                {'apiVersion':'admission.k8s.io/v1','kind':'AdmissionReview','request':{'uid':'u-1','operation':'%s',
                 'kind':{'group':'%s','version':'v1beta2','kind':'%s'},'object':%s}}"""
                .formatted(operation, group, kind, object);
        return validator(true).handle(
                AdmissionReviews.read(
                        review.replace('\'', '"').getBytes(StandardCharsets.UTF_8), SHAPE));
    }

    private static AdmissionResponse ask(
            DeclaringKind kind, JsonNode before, JsonNode now, boolean deleting, boolean gate) throws IOException {
        ObjectNode review =
                JSON.createObjectNode().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request").put("uid", "u-1");
        request.put("operation", before.isMissingNode() ? "CREATE" : "UPDATE");
        request.putObject("kind").put("group", kind.group()).put("kind", kind.kind());
        ObjectNode object = now.deepCopy();
        if (deleting) {
            object.withObject("/metadata").put("deletionTimestamp", "2026-01-02T03:04:05Z");
        }
        request.set("object", object);
        request.set("oldObject", before.isMissingNode() ? JSON.nullNode() : before);
        return validator(gate).handle(AdmissionReviews.read(JSON.writeValueAsBytes(review), SHAPE));
    }

    private static TaintValidator validator(boolean gate) {
        return new TaintValidator(kind -> new AdmissionPolicy(gate, Enforcement.Enforce, Enforcement.Enforce));
    }

    private static DeclaringKind kind(JsonNode input) {
        return Arrays.stream(DeclaringKind.values())
                .filter(kind -> kind.kind().equals(input.path("kind").asText()))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<JsonNode> cases(String file) throws IOException {
        try (InputStream in = TaintValidatorTest.class.getResourceAsStream(VECTORS + file)) {
            assertThat(in).as(VECTORS + file + " is in nodeward-core-testkit: build with -am").isNotNull();
            return JSON.readTree(in).path("cases").valueStream();
        }
    }
}
