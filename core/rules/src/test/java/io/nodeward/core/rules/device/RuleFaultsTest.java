package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.json.Trees;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RuleFaultsTest {
    private static final String PUBLISHED = "spec.deviceSelector.publishedTaint.";
    private static final String DOMAIN = "a.".repeat(126) + "b";

    @ParameterizedTest
    @ValueSource(strings = {"gpu", "gpu.example.com/hot", "x/a_b-c.D", "notkubernetes.io/x",
            "kubernetes.io.example.com/x"})
    void a_key_that_labels_may_have_can_be_used(String key) {
        assertThat(ofTaint("key", key)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "key   | ''                  | Required value",
            "key   | /x                  | prefix part must be non-empty",
            "key   | a/b/c               | a valid label key must consist of",
            "key   | A.com/x             | prefix part a lowercase RFC 1123 subdomain",
            "key   | x/-                 | name part must consist of",
            "key   | kubernetes.io/x     | keys under kubernetes.io are reserved for Kubernetes",
            "key   | dra.kubernetes.io/x | keys under kubernetes.io are reserved for Kubernetes",
            "value | a b                 | a valid label must be",
            "effect | ''                 | Required value",
            "effect | PreferNoSchedule   | Unsupported value: \"PreferNoSchedule\": supported values: \"None\"",
    })
    void a_taint_that_no_device_can_have_is_a_fault(String field, String value, String fault) {
        assertThat(ofTaint(field, value)).singleElement().asString()
                .startsWith("spec.taint." + field + ": ").contains(fault);
    }

    @Test
    void texts_and_numbers_of_a_taint_have_limits() {
        assertThat(ofTaint("value", "v".repeat(63))).isEmpty();
        assertThat(ofTaint("value", "v".repeat(64))).singleElement().asString().contains("no more than 63 bytes");
        assertThat(ofTaint("key", DOMAIN + "/" + "k".repeat(63))).isEmpty();
        assertThat(ofTaint("key", "a" + DOMAIN + "/k")).singleElement().asString().contains("no more than 253 bytes");
        assertThat(ofTaint("description", "\uD83D\uDE00".repeat(1024))).isEmpty();
        assertThat(ofTaint("description", "d".repeat(1025))).singleElement().asString()
                .contains("no more than 1024 characters").hasSizeLessThan(300);
        int overhead = "{\"x\":\"\"}".length();
        assertThat(ofTaint("data", Map.of("x", "d".repeat(10_240 - overhead)))).isEmpty();
        assertThat(ofTaint("data", Map.of("x", "d".repeat(10_241 - overhead)))).containsExactly(
                "spec.taint.data: Invalid value: \"10241 bytes\": must be no more than 10240 bytes as JSON");
        assertThat(ofTaint("evictionsPerSecond", 1)).isEmpty();
        assertThat(ofTaint("evictionsPerSecond", 0)).containsExactly(
                "spec.taint.evictionsPerSecond: Invalid value: \"0\": must be greater than or equal to 1");
        assertThat(ofTaint("evictionsPerSecond", 1000)).isEmpty();
        assertThat(ofTaint("evictionsPerSecond", 1001)).containsExactly(
                "spec.taint.evictionsPerSecond: Invalid value: \"1001\": must be less than or equal to 1000");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
            "deviceClassName | gpu.example.com | true", "deviceClassName | Gpu | false", "deviceClassName | '' | false",
            "driver | gpu.example.com | true", "driver | gpu/example | false", "driver | '' | false",
            "pool | node-1 | true", "pool | rack.a/node-1/x | true", "pool | node_1 | false", "pool | a//b | false",
            "pool | /a | false", "pool | '' | false",
            "device | gpu-0 | true", "device | gpu.0 | false", "device | -0 | false", "device | '' | false",
    })
    void a_name_that_no_device_can_have_is_a_fault(String field, String name, boolean good) {
        List<String> faults = ofSelector(Map.of(field, name));
        if (good) {
            assertThat(faults).isEmpty();
        } else {
            assertThat(faults).singleElement().asString()
                    .startsWith("spec.deviceSelector." + field + ": Invalid value");
        }
    }

    @Test
    void names_have_limits() {
        assertThat(ofSelector(Map.of("deviceClassName", DOMAIN, "driver", "d".repeat(63), "pool", DOMAIN, "device",
                "d".repeat(63)))).isEmpty();
        assertThat(ofSelector(Map.of("deviceClassName", DOMAIN + "c", "driver", "d".repeat(64), "pool", DOMAIN + "/c",
                "device", "d".repeat(64)))).hasSize(4).allMatch(fault -> fault.contains("must be no more than "));
    }

    @Test
    void a_published_taint_is_one_that_a_driver_may_have() {
        assertThat(ofPublished(Map.of("key", "dra.kubernetes.io/x", "value", "", "effect", "None"))).isEmpty();
        assertThat(ofPublished(Map.of("key", "k"))).isEmpty();
        assertThat(ofPublished(Map.of())).containsExactly(PUBLISHED + "key: Required value");
        assertThat(ofPublished("k")).containsExactly(PUBLISHED + "key: Required value");
        assertThat(ofPublished(Map.of("key", "k", "value", 1)))
                .containsExactly(PUBLISHED + "key: Required value");
        assertThat(ofPublished(Map.of("key", "a/b/c", "value", "a b", "effect", "Later"))).satisfiesExactly(
                fault -> assertThat(fault).startsWith(PUBLISHED + "key: Invalid value: \"a/b/c\""),
                fault -> assertThat(fault).startsWith(PUBLISHED + "value: Invalid value: \"a b\""),
                fault -> assertThat(fault).isEqualTo(PUBLISHED + "effect: Unsupported value:"
                        + " \"Later\": supported values: \"None\", \"NoSchedule\", \"NoExecute\""));
    }

    private static List<String> ofPublished(Object taint) {
        return ofSelector(Map.of("publishedTaint", taint));
    }

    @Test
    void an_expression_that_cannot_be_evaluated_is_named_by_its_place() {
        assertThat(ofSelector(expressions(List.of("good", "bad", "good")))).containsExactly(
                "spec.deviceSelector.selectors[1].cel.expression: Invalid value: \"bad\": 1:2: it is bad");
    }

    @Test
    void long_expressions_and_what_is_said_of_them_are_shown_in_part() {
        String expression = "bad \uD83D\uDE00".repeat(2000);
        assertThat(ofSelector(expressions(List.of(expression)))).singleElement().asString()
                .contains("bad \uD83D\uDE00bad").hasSizeLessThan(600);
    }

    @Test
    void there_are_as_many_expressions_as_a_claim_may_have() {
        assertThat(ofSelector(expressions(Collections.nCopies(32, "good")))).isEmpty();
        assertThat(ofSelector(expressions(Collections.nCopies(33, "bad")))).containsExactly(
                "spec.deviceSelector.selectors: Invalid value: \"33 items\": must have at most 32 items");
    }

    @Test
    void a_rule_without_a_selector_and_one_with_an_empty_selector_can_be_meant() {
        Tree taint = Tree.of(Map.of("key", "k", "effect", "None"));
        assertThat(of(Tree.of(Map.of("taint", taint)))).isEmpty();
        assertThat(of(Tree.of(Map.of("taint", taint, "deviceSelector", Map.of())))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"hot, true", "example.com/hot, false", "'', false", "a b, false"})
    void a_good_key_without_a_domain_is_warned_of(String key, boolean warned) {
        List<String> warnings = RuleFaults.warnings(
                DeviceTaintRule.of(Tree.of(Map.of("taint", Map.of("key", key, "effect", "None")))));
        if (warned) {
            assertThat(warnings).singleElement().asString()
                    .startsWith("spec.taint.key: hot has no domain").contains("example.com/hot");
        } else {
            assertThat(warnings).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"{'driver':'d'} | 1", "{} | 1", "{'deviceClassName':'c'} | 0", "'' | 0"})
    void a_rule_by_names_alone_is_warned_that_no_device_recovers(String selector, int warnings) {
        Map<String, Object> spec = new HashMap<>(Map.of("untaintAfter", "10m", "taint",
                Map.of("key", "example.com/hot", "effect", "NoSchedule")));
        if (!selector.isEmpty()) {
            spec.put("deviceSelector", Trees.read(selector.replace('\'', '"')));
        }
        assertThat(RuleFaults.warnings(DeviceTaintRule.of(Tree.of(spec)))).hasSize(warnings)
                .allMatch(text -> text.startsWith("spec.untaintAfter: it has no effect"));
    }

    private static Map<String, Object> expressions(List<String> expressions) {
        return Map.of("selectors",
                expressions.stream().map(text -> Map.of("cel", Map.of("expression", text))).toList());
    }

    private static List<String> ofTaint(String field, Object value) {
        Map<String, Object> taint = new HashMap<>(Map.of("key", "example.com/k", "effect", "None"));
        taint.put(field, value);
        return of(Tree.of(Map.of("taint", taint)));
    }

    private static List<String> ofSelector(Map<String, Object> selector) {
        return of(
                Tree.of(Map.of("taint", Map.of("key", "example.com/k", "effect", "None"), "deviceSelector", selector)));
    }

    private static List<String> of(Tree spec) {
        return RuleFaults.of(DeviceTaintRule.of(spec), expression -> expression.startsWith("bad")
                ? Optional.of("1:2: it is " + expression)
                : Optional.empty()).stream().map(FieldFault::text).toList();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", value = {
            "-       | -        | -",
            "Delete  | -        | -",
            "Respect | -        | -",
            "Respect | 1        | -",
            "Respect | 31536000 | -",
            "Respect | 0        | spec.deadlineSeconds: Invalid value: \"0\": must be between 1 and 31536000",
            "Respect | 31536001 | spec.deadlineSeconds: Invalid value: \"31536001\": must be between 1 and 31536000",
            "Delete  | 60       | spec.deadlineSeconds: Invalid value: \"60\": may only be set together with eviction: Respect",
            "-       | 60       | spec.deadlineSeconds: Invalid value: \"60\": may only be set together with eviction: Respect",
            "Evict   | -        | spec.eviction: Unsupported value: \"Evict\": supported values: \"Delete\", \"Respect\"",
    })
    void a_deadline_is_one_of_an_eviction_that_respects_budgets(String eviction, Long deadline, String fault) {
        Map<String, Object> spec = new HashMap<>(Map.of("taint", Map.of("key", "example.com/hot", "effect", "None")));
        Optional.ofNullable(eviction).ifPresent(mode -> spec.put("eviction", mode));
        Optional.ofNullable(deadline).ifPresent(seconds -> spec.put("deadlineSeconds", seconds));
        assertThat(RuleFaults.of(DeviceTaintRule.of(Tree.of(spec)), any -> Optional.empty()))
                .extracting(FieldFault::text).isEqualTo(Optional.ofNullable(fault).stream().toList());
        spec.putAll(Map.of("driver", "gpu.example.com", "pool", "p"));
        assertThat(RuleFaults.of(DeviceTaintSlice.of(Tree.of(spec)))).extracting(FieldFault::text)
                .isEqualTo(Optional.ofNullable(fault).stream().toList());
    }
}
