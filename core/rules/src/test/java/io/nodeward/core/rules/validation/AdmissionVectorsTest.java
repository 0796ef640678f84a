package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.rules.Vectors;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of admission.json; the policies that servers run are held to the same cases on a real server. */
class AdmissionVectorsTest {
    @TestFactory
    Stream<DynamicTest> the_verdict_is_as_expected() {
        return cases().stream().map(c -> dynamicTest(c.get("name").textValue(), () -> {
            Verdict verdict = judge(c, Enforcement.Enforce);

            JsonNode expected = c.get("expected");
            Set<String> reasons = Vectors.elements(expected.get("reasons")).stream()
                    .map(JsonNode::textValue)
                    .collect(Collectors.toCollection(TreeSet::new));
            assertThat(ValidateVectorsTest.reasons(verdict.refused())).as(verdict.message()).isEqualTo(reasons);
            assertThat(verdict.isAllowed()).isEqualTo(expected.get("allowed").booleanValue());
            assertThat(!verdict.warnings().isEmpty()).as("%s", verdict.warnings())
                    .isEqualTo(expected.get("warned").booleanValue());
        }));
    }

    @TestFactory
    Stream<DynamicTest> what_is_only_warned_of_is_stored_with_all_that_would_be_refused() {
        return cases().stream().map(c -> dynamicTest(c.get("name").textValue(), () -> {
            Verdict enforced = judge(c, Enforcement.Enforce);
            Verdict warned = judge(c, Enforcement.Warn);

            assertThat(warned.refused()).isEmpty();
            assertThat(warned.warnings()).hasSize(enforced.refused().size() + enforced.warnings().size())
                    .containsAll(enforced.warnings())
                    .containsAll(enforced.refused().stream().map(Verdict::text).toList());
            assertThat(judge(c, Enforcement.Off)).isEqualTo(Verdict.ALLOWED);
        }));
    }

    /** So that a kind or a place that is new in the table is new among the cases. */
    @Test
    void there_is_a_case_for_every_kind_and_reason() {
        assertThat(cases()).extracting(c -> c.get("input").get("kind").textValue())
                .containsAll(Arrays.stream(DeclaringKind.values()).map(DeclaringKind::kind).toList());
        Set<String> reasons = cases().stream()
                .flatMap(c -> Vectors.elements(c.get("expected").get("reasons")).stream())
                .map(JsonNode::textValue)
                .collect(Collectors.toSet());
        assertThat(reasons).contains("reservedKey", "featureGate", "key.pattern", "value.pattern", "annotation.form",
                "effect.enum", "key.maxLength");
        assertThat(cases()).hasSize(98);
    }

    private static List<JsonNode> cases() {
        return Vectors.cases("admission.json");
    }

    private static Verdict judge(JsonNode c, Enforcement enforcement) {
        JsonNode input = c.get("input");
        DeclaringKind kind = Arrays.stream(DeclaringKind.values())
                .filter(k -> k.kind().equals(input.get("kind").textValue()))
                .findFirst()
                .orElseThrow();
        Review review = Reviews.of(
                kind, input.path("before"), input.get("now"), input.path("deleting").booleanValue());
        return Admission.judge(
                review, new AdmissionPolicy(input.get("gate").booleanValue(), enforcement, enforcement));
    }
}
