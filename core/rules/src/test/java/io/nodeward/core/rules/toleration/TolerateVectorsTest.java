package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Vectors;
import io.nodeward.core.rules.toleration.Eviction.After;
import io.nodeward.core.rules.toleration.Eviction.Never;
import io.nodeward.core.rules.toleration.Eviction.Now;
import io.nodeward.core.rules.validation.FieldFault;
import io.nodeward.core.rules.validation.NodeTaintRules;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Every case of tolerate.json. */
class TolerateVectorsTest {
    @TestFactory
    Stream<DynamicTest> a_case_has_the_expected_result() {
        return Vectors.cases("tolerate.json").stream()
                .map(c -> dynamicTest(c.get("id").textValue(), () -> check(c, c.get("expect"))));
    }

    @Test
    void the_set_of_cases_is_whole() {
        Map<String, Long> kinds = Vectors.cases("tolerate.json").stream()
                .collect(Collectors.groupingBy(c -> c.get("kind").textValue(), Collectors.counting()));

        assertThat(kinds).isEqualTo(Map.of("match", 41L, "filter", 16L, "nodeEviction", 8L, "score", 6L,
                "validateTolerations", 10L, "validateTaints", 7L, "whitelist", 4L, "merge", 5L, "device", 13L));
    }

    private static void check(JsonNode c, JsonNode expect) {
        switch (c.get("kind").textValue()) {
            case "match" -> assertThat(tolerance(c).tolerates(toleration(c.get("toleration")), taint(c.get("taint"))))
                    .isEqualTo(expect.get("tolerates").booleanValue());
            case "filter" -> filter(c, expect);
            case "nodeEviction" -> assertThat(Eviction.of(taints(c), tolerations(c), tolerance(c)))
                    .isEqualTo(eviction(expect));
            case "score" -> score(c, expect);
            case "validateTolerations" -> faults(
                    TolerationRules.validate("tolerations", tolerations(c), tolerance(c)), expect);
            case "validateTaints" -> faults(NodeTaintRules.validate("taints", taints(c)), expect);
            case "whitelist" -> assertThat(
                    TolerationCover.refused(tolerations(c), tolerations(c.path("whitelist"))).isEmpty())
                    .isEqualTo(expect.get("allowed").booleanValue());
            case "merge" -> assertThat(TolerationCover.merge(tolerations(c), tolerations(c.path("defaults"))))
                    .isEqualTo(tolerations(expect.get("merged")));
            case "device" -> device(c, expect);
            default -> throw new IllegalArgumentException("no such kind: " + c);
        }
    }

    private static void filter(JsonNode c, JsonNode expect) {
        NodeFit fit = NodeFit.of(taints(c), tolerations(c), tolerance(c));

        assertThat(fit.schedulable()).isEqualTo(expect.get("schedulable").booleanValue());
        assertThat(fit.scheduling().map(NodeFit::text))
                .isEqualTo(Optional.ofNullable(expect.get("firstUntolerated").textValue()));
        assertThat(fit.admitted()).isEqualTo(expect.get("kubeletAdmits").booleanValue());
    }

    private static Eviction eviction(JsonNode expect) {
        return switch (expect.get("evict").textValue()) {
            case "never" -> new Never();
            case "now" -> new Now();
            default -> new After(Duration.ofSeconds(expect.get("seconds").longValue()));
        };
    }

    private static void score(JsonNode c, JsonNode expect) {
        Map<String, List<Taint>> nodes = new TreeMap<>();
        c.get("nodes").forEach(node -> nodes.put(node.get("name").textValue(), taints(node)));

        List<NodeScore> ranked = NodeScore.rank(nodes, tolerations(c), tolerance(c));

        assertThat(ranked).extracting(NodeScore::node).isEqualTo(
                Vectors.elements(expect.get("orderBestFirst")).stream().map(JsonNode::textValue).toList());
        assertThat(ranked).allSatisfy(node -> {
            assertThat(node.score()).isEqualTo(expect.get("score").get(node.node()).intValue());
            assertThat(node.intolerable())
                    .isEqualTo(expect.get("intolerablePreferNoSchedule").get(node.node()).intValue());
        });
    }

    private static void faults(List<FieldFault> faults, JsonNode expect) {
        Set<String> expected = Vectors.elements(expect.get("errors")).stream()
                .map(error -> error.get("field").textValue() + " " + error.get("type").textValue())
                .collect(Collectors.toSet());

        assertThat(faults.stream().map(fault -> fault.field() + " " + fault.type().reason()))
                .as("%s", faults)
                .allMatch(expected::contains)
                .containsAll(expected);
        assertThat(faults.isEmpty()).isEqualTo(expect.get("valid").booleanValue());
    }

    private static void device(JsonNode c, JsonNode expect) {
        List<DeviceTaint> taints = Vectors.elements(c.path("deviceTaints")).stream()
                .map(t -> new DeviceTaint(text(t, "key"), text(t, "value"), text(t, "effect"), Instant.EPOCH))
                .toList();

        DeviceVerdict verdict = DeviceVerdict.of(taints, tolerations(c.path("deviceTolerations")));

        assertThat(verdict.allocatable()).isEqualTo(expect.get("allocatable").booleanValue());
        assertThat(verdict.evictAt()).isEqualTo(expect.get("evict").textValue().equals("never")
                ? Optional.empty()
                : Optional.of(Instant.ofEpochSecond(expect.get("secondsAfterEpoch").longValue())));
    }

    private static Tolerance tolerance(JsonNode c) {
        return new Tolerance(c.path("comparisonOperators").booleanValue());
    }

    private static List<Taint> taints(JsonNode of) {
        return Vectors.elements(of.path("taints")).stream().map(TolerateVectorsTest::taint).toList();
    }

    private static Taint taint(JsonNode t) {
        return new Taint(text(t, "key"), text(t, "value"), text(t, "effect"), t.toString());
    }

    /** Of an array, or of what holds one. */
    private static List<Toleration> tolerations(JsonNode of) {
        JsonNode array = of.isObject() ? of.path("tolerations") : of;
        return Vectors.elements(array).stream().map(TolerateVectorsTest::toleration).toList();
    }

    private static Toleration toleration(JsonNode t) {
        JsonNode seconds = t.path("tolerationSeconds");
        return new Toleration(text(t, "key"), text(t, "operator"), text(t, "value"), text(t, "effect"),
                seconds.isMissingNode() ? OptionalLong.empty() : OptionalLong.of(seconds.longValue()));
    }

    private static String text(JsonNode object, String field) {
        return object.path(field).asText("");
    }
}
