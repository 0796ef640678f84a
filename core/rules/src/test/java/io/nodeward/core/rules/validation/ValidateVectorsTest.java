package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Vectors;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every case of validate.json: the seed's verdict with exactly the expected reasons, and the Node's verdict beside
 * it.
 */
class ValidateVectorsTest {
    @TestFactory
    Stream<DynamicTest> the_verdict_has_exactly_the_expected_reasons() {
        return Vectors.cases("validate.json").stream().map(c -> dynamicTest(c.get("name").textValue(), () -> {
            JsonNode input = c.get("input");
            List<Violation> violations = MachineTaintRules.validate(
                    "spec.taints", input.get("featureGate").booleanValue(), list(input.path("taints")));
            assertThat(reasons(violations)).as("%s", violations).isEqualTo(
                    Vectors.elements(c.get("expected").get("reasons")).stream()
                            .map(JsonNode::textValue)
                            .collect(Collectors.toCollection(TreeSet::new)));
        }));
    }

    @TestFactory
    Stream<DynamicTest> what_a_node_accepts_is_said_apart() {
        return Vectors.cases("validate.json").stream()
                .filter(c -> stored(c.get("input").path("taints")))
                .map(c -> dynamicTest(c.get("name").textValue(), () -> {
                    List<Violation> violations = Vectors.elements(c.get("input").path("taints")).stream()
                            .flatMap(t -> NodeAcceptance.violations("spec.taints[0]", taint(t)).stream())
                            .toList();
                    assertThat(violations.isEmpty()).as("%s", violations)
                            .isEqualTo(c.get("nodeApiValid").booleanValue());
                }));
    }

    /** What the schema refuses and what a Node refuses, and no more: the cases that only advise are decided so. */
    @TestFactory
    Stream<DynamicTest> admission_refuses_what_either_refuses() {
        return Vectors.cases("validate.json").stream().map(c -> dynamicTest(c.get("name").textValue(), () -> {
            JsonNode input = c.get("input");
            Review.Taints taints = new Review.Taints("spec.taints", Given.absent(), list(input.path("taints")));
            AdmissionPolicy policy = new AdmissionPolicy(
                    input.get("featureGate").booleanValue(), Enforcement.Enforce, Enforcement.Enforce);
            Verdict verdict = Admission.judge(new Review(Review.Occasion.WRITTEN, List.of(taints), List.of()), policy);

            boolean valid = c.get("expected").get("valid").booleanValue();
            assertThat(verdict.isAllowed()).as(verdict.message())
                    .isEqualTo(valid && c.get("nodeApiValid").booleanValue());
            if (!valid) {
                assertThat(reasons(verdict.refused())).containsAll(
                        Vectors.elements(c.get("expected").get("reasons")).stream()
                                .map(JsonNode::textValue)
                                .toList());
            }
        }));
    }

    @Test
    void the_names_of_reasons_are_those_of_the_vectors() {
        Set<String> names = Stream.of(Violation.Reason.values())
                .filter(reason -> reason != Violation.Reason.ANNOTATION_FORM) // of admission alone
                .map(Violation.Reason::text)
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(names).containsExactlyInAnyOrderElementsOf(
                Vectors.elements(Vectors.file("validate.json").get("about").get("reasons")).stream()
                        .map(JsonNode::textValue)
                        .toList());
    }

    @Test
    void the_set_of_cases_is_whole() {
        assertThat(Vectors.cases("validate.json")).hasSize(63);
    }

    static Set<String> reasons(List<Violation> violations) {
        return violations.stream().map(v -> v.reason().text()).collect(Collectors.toCollection(TreeSet::new));
    }

    static Given<List<Given<DeclaredTaint>>> list(JsonNode json) {
        return given(json, JsonNodeType.ARRAY, array -> Vectors.elements(array).stream()
                .map(item -> given(item, JsonNodeType.OBJECT, ValidateVectorsTest::declared))
                .toList());
    }

    private static DeclaredTaint declared(JsonNode item) {
        return new DeclaredTaint(
                text(item.path("key")), text(item.path("value")), text(item.path("effect")),
                text(item.path("propagation")));
    }

    private static Given<String> text(JsonNode json) {
        return given(json, JsonNodeType.STRING, JsonNode::textValue);
    }

    private static <T> Given<T> given(JsonNode json, JsonNodeType type, Function<JsonNode, T> read) {
        if (json.isMissingNode() || json.isNull()) {
            return Given.absent();
        }
        return json.getNodeType() == type
                ? Given.of(read.apply(json))
                : Given.wrongType(json.getNodeType().name().toLowerCase(Locale.ROOT));
    }

    private static boolean stored(JsonNode taints) {
        return Vectors.elements(taints).stream()
                .allMatch(t -> t.path("key").isTextual() && t.path("effect").isTextual()
                        && (t.path("value").isTextual() || t.path("value").isMissingNode()));
    }

    private static MachineTaint taint(JsonNode t) {
        return new MachineTaint(t.get("key").textValue(), t.path("value").asText(""), t.get("effect").textValue(),
                t.path("propagation").asText(""));
    }
}
