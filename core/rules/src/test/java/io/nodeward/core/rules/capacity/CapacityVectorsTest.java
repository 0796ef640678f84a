package io.nodeward.core.rules.capacity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Vectors;
import io.nodeward.core.rules.capacity.AutoscalerReader.Seen;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of capacity.json, advisory ones included: what was decided for them is what the vectors expect. */
class CapacityVectorsTest {
    @TestFactory
    Stream<DynamicTest> a_plan_leads_to_what_the_autoscaler_has_to_see() {
        return Vectors.cases("capacity.json").stream()
                .map(c -> dynamicTest(c.get("name").textValue(), () -> check(c)));
    }

    @Test
    void the_set_of_cases_is_whole() {
        assertThat(Vectors.cases("capacity.json")).hasSizeGreaterThanOrEqualTo(15);
    }

    private static void check(JsonNode c) {
        JsonNode input = c.get("input");
        JsonNode expected = c.get("expected");
        assertThat(input.get("kind").textValue()).isIn("MachineDeployment", "MachineSet", "MachinePool");
        CapacityPlan plan = plan(input, annotations(input));

        assertThat(plan.isDue()).as("a write is due: %s", plan).isEqualTo(expected.get("write").booleanValue());
        assertThat(plan.text().isPresent()).as("annotation: %s", plan)
                .isEqualTo(!expected.get("annotation").isNull());
        Set<Seen> effective = effective(expected);
        String text = plan.text().orElse(null);
        assertThat(new HashSet<>(AutoscalerReader.upTo135(text))).as("up to 1.35: %s", plan).isEqualTo(effective);
        if (input.get("featureGate").booleanValue() && choice(input) == OnInitialization.INCLUDE) {
            assertThat(new HashSet<>(AutoscalerReader.from136(taints(input), text))).as("from 1.36 on: %s", plan)
                    .isEqualTo(effective);
        }
        assertThat(plan(input, after(plan)).isDue()).as("again, after %s", plan).isFalse();
    }

    private static CapacityPlan plan(JsonNode input, Map<String, String> annotations) {
        CapacityPolicy policy = CapacityPolicy.standard()
                .withTaints(input.get("featureGate").booleanValue())
                .withOnInitialization(choice(input));
        return CapacityTaints.plan(taints(input), Map.of(), annotations, policy);
    }

    private static Map<String, String> annotations(JsonNode input) {
        Map<String, String> annotations = new TreeMap<>();
        if (input.get("annotation").isTextual()) {
            annotations.put(CapacityAnnotations.TAINTS, input.get("annotation").textValue());
        }
        if (input.has("tracked")) {
            String tracked = Vectors.elements(input.get("tracked")).stream()
                    .map(JsonNode::textValue)
                    .collect(Collectors.joining(","));
            annotations.put(CapacityAnnotations.TAINTS_TRACKING, tracked);
        }
        return annotations;
    }

    private static Map<String, String> after(CapacityPlan plan) {
        Map<String, String> annotations = new TreeMap<>();
        plan.text().ifPresent(text -> annotations.put(CapacityAnnotations.TAINTS, text));
        plan.tracking().ifPresent(text -> annotations.put(CapacityAnnotations.TAINTS_TRACKING, text));
        return annotations;
    }

    private static OnInitialization choice(JsonNode input) {
        return OnInitialization.of(input.path("onInitialization").asText("include")).orElseThrow();
    }

    private static List<MachineTaint> taints(JsonNode input) {
        return Vectors.elements(input.get("taints")).stream()
                .map(t -> new MachineTaint(t.path("key").asText(""), t.path("value").asText(""),
                        t.path("effect").asText(""), t.path("propagation").asText("")))
                .toList();
    }

    private static Set<Seen> effective(JsonNode expected) {
        return Vectors.elements(expected.get("effective")).stream()
                .map(t -> new Seen(t.get("key").textValue(), t.path("value").asText(""), t.get("effect").textValue()))
                .collect(Collectors.toSet());
    }
}
