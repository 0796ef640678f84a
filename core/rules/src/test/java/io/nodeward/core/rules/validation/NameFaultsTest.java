package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Cases;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NameFaultsTest {
    private static final String FORM =
            "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric"
                    + " character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is"
                    + " '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
    private static final String DOMAIN_FORM =
            "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.',"
                    + " and must start and end with an alphanumeric character (e.g. 'example.com', regex used for"
                    + " validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

    @Test
    void each_fault_of_a_key_is_told() {
        assertThat(NameFaults.ofKey("a-")).containsExactly("name part " + FORM);
        assertThat(NameFaults.ofKey("")).containsExactly("name part must be non-empty", "name part " + FORM);
        assertThat(NameFaults.ofKey("a/")).containsExactly("name part must be non-empty", "name part " + FORM);
        assertThat(NameFaults.ofKey("/a")).containsExactly("prefix part must be non-empty");
        assertThat(NameFaults.ofKey("A/b")).containsExactly(DOMAIN_FORM);
        assertThat(NameFaults.ofKey("a/b/c")).containsExactly("a valid label key " + FORM
                + " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')");
        assertThat(NameFaults.ofKey("b".repeat(64))).containsExactly("name part must be no more than 63 bytes");
        assertThat(NameFaults.ofKey("a".repeat(254) + "/b"))
                .containsExactly("prefix part must be no more than 253 bytes");
        assertThat(NameFaults.ofKey("A".repeat(254) + "/b-")).containsExactly(
                "prefix part must be no more than 253 bytes", DOMAIN_FORM, "name part " + FORM);
        assertThat(NameFaults.ofKey("-".repeat(63))).containsExactly("name part " + FORM);
        assertThat(NameFaults.ofKey("A".repeat(253) + "/b")).containsExactly(DOMAIN_FORM);
        assertThat(NameFaults.ofKey("\u00e4".repeat(32)))
                .containsExactly("name part must be no more than 63 bytes", "name part " + FORM);
        assertThat(NameFaults.ofKey("\u00e4".repeat(31))).containsExactly("name part " + FORM);
    }

    @Test
    void each_fault_of_a_value_is_told() {
        assertThat(NameFaults.ofValue("v".repeat(64))).containsExactly("must be no more than 63 bytes");
        assertThat(NameFaults.ofValue("-")).singleElement().asString()
                .startsWith("a valid label must be an empty string or consist of")
                .endsWith("regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')");
        assertThat(NameFaults.ofValue(" ".repeat(64))).hasSize(2);
        assertThat(NameFaults.ofValue(" ".repeat(63))).hasSize(1);
    }

    @Test
    void faults_are_told_of_exactly_what_is_not_accepted() {
        Random random = new Random(7);
        String letters = "aA0-_./ \u00e4";
        int keys = 0;
        int values = 0;
        int all = 5 * Cases.COUNT / 2;
        for (int i = 0; i < all; i++) {
            StringBuilder text = new StringBuilder();
            for (int length = random.nextInt(6); length > 0; length--) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            String name = text.toString();
            assertThat(NameFaults.ofKey(name).isEmpty()).as(name).isEqualTo(NodeAcceptance.isQualifiedName(name));
            assertThat(NameFaults.ofValue(name).isEmpty()).as(name).isEqualTo(NodeAcceptance.isLabelValue(name));
            keys += NodeAcceptance.isQualifiedName(name) ? 1 : 0;
            values += NodeAcceptance.isLabelValue(name) ? 1 : 0;
        }
        assertThat(keys).as("good and bad keys were met").isBetween(all / 50, all - all / 50);
        assertThat(values).as("good and bad values were met").isBetween(all / 50, all - all / 50);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "NoSchedule       | ~~",
            "PreferNoSchedule | ~~",
            "NoExecute        | ~~",
            "~~               | t[0].effect: Required value",
            "NoScheduleNoAdmit | t[0].effect: Unsupported value: \"NoScheduleNoAdmit\": supported values: \"NoSchedule\","
                    + " \"PreferNoSchedule\", \"NoExecute\""
    })
    void a_node_has_three_effects(String effect, String faults) {
        assertThat(texts(taint("a", "b", effect))).isEqualTo(faults);
    }

    @Test
    void a_taint_needs_a_key_and_a_label_value() {
        assertThat(texts(taint("", "", "NoExecute"))).isEqualTo("t[0].key: Invalid value: \"\": name part must be"
                + " non-empty\nt[0].key: Invalid value: \"\": name part " + FORM);
        assertThat(texts(taint("a", "-".repeat(64), "NoExecute")))
                .startsWith("t[0].value: Invalid value: \"---")
                .contains("---\": must be no more than 63 bytes;a valid label must")
                .doesNotContain("\n");
    }

    @Test
    void of_a_name_that_is_one_label_dots_are_named_apart() {
        assertThat(NameFaults.ofLabel("gpu-0")).isEmpty();
        assertThat(NameFaults.ofLabel("gpu.0")).containsExactly("must not contain dots");
        assertThat(NameFaults.ofLabel("Gpu.0")).singleElement().asString()
                .startsWith("a lowercase RFC 1123 label must");
    }

    @Test
    void the_second_of_two_with_one_key_and_effect_is_the_duplicate() {
        assertThat(texts(taint("a", "1", "NoExecute"), taint("a", "1", "NoSchedule"), taint("a", "2", "NoExecute")))
                .isEqualTo("t[2]: Duplicate value: {\"Key\":\"a\",\"Value\":\"2\",\"Effect\":\"NoExecute\","
                        + "\"TimeAdded\":null}: taints must be unique by key and effect pair");
    }

    @Test
    void what_cannot_be_seen_is_escaped_in_quotes() {
        assertThat(Quoted.of("")).isEqualTo("\"\"");
        assertThat(Quoted.of("a b\u00e4\u20ac")).isEqualTo("\"a b\u00e4\u20ac\"");
        assertThat(Quoted.of("a\"b\\c")).isEqualTo("\"a\\\"b\\\\c\"");
        assertThat(Quoted.of("a\nb\tc\r\f\b\u0007\u000b")).isEqualTo("\"a\\nb\\tc\\r\\f\\b\\a\\v\"");
        assertThat(Quoted.of("\u0001\u007f")).isEqualTo("\"\\x01\\x7f\"");
        assertThat(Quoted.of("~\u0080")).isEqualTo("\"~\\u0080\"");
        assertThat(Quoted.of("\u00a0\u2028\u200b")).isEqualTo("\"\\u00a0\\u2028\\u200b\"");
        assertThat(Quoted.of("\ud83d\ude00\udb40\udc01")).isEqualTo("\"\ud83d\ude00\\U000e0001\"");
    }

    private static String texts(Taint... taints) {
        return String.join("\n", NodeTaintRules.validate("t", List.of(taints)).stream().map(FieldFault::text).toList());
    }

    private static Taint taint(String key, String value, String effect) {
        return new Taint(key, value, effect, "");
    }
}
