package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TolerationRulesTest {
    private static final Tolerance COMPARING = new Tolerance(true);
    private static final String VALUE_RULE =
            "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must"
                    + " start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345',"
                    + " regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            // key, operator, value, effect
            "a  | Exists | ~~ | ~~ | ~~",
            "a  | Equal  | v  | NoExecute | ~~",
            "a  | ~~     | v  | PreferNoSchedule | ~~",
            "~~ | Exists | ~~ | ~~ | ~~",
            "~~ | Equal  | v  | ~~ | t[0].operator: Invalid value: \"Equal\": operator must be Exists when `key` is"
                    + " empty, which means \"match all values and all keys\"",
            "a  | Exists | v  | ~~ | t[0].operator: Invalid value: \"v\": value must be empty when `operator` is"
                    + " 'Exists'",
            "a  | Equal  | v- | ~~ | t[0].operator: Invalid value: \"v-\": " + VALUE_RULE,
            "a  | In     | v  | ~~ | t[0].operator: Unsupported value: \"In\": supported values: \"Equal\", \"Exists\"",
            "a  | Gt     | 5  | ~~ | t[0].operator: Unsupported value: \"Gt\": supported values: \"Equal\", \"Exists\","
                    + " \"Lt\", \"Gt\"",
            "a  | Exists | ~~ | No | t[0].effect: Unsupported value: \"No\": supported values: \"NoSchedule\","
                    + " \"PreferNoSchedule\", \"NoExecute\""
    })
    void a_fault_is_told_as_the_api_server_tells_it(
            String key, String operator, String value, String effect, String text) {
        Toleration toleration = new Toleration(key, operator, value, effect, OptionalLong.empty());

        assertThat(String.join("\n", texts(TolerationRules.validate("t", List.of(toleration), Tolerance.DEFAULT))))
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "5     | ~~ | ~~",
            "-5    | ~~ | ~~",
            "05    | must be a valid decimal integer in canonical form | ~~",
            "~~    | must be non-empty | strconv.ParseInt: parsing \"\": invalid syntax",
            "x     | must be a valid decimal integer in canonical form"
                    + " | strconv.ParseInt: parsing \"x\": invalid syntax",
            "9223372036854775808 | ~~ | strconv.ParseInt: parsing \"9223372036854775808\": value out of range"
    })
    void a_number_is_checked_behind_the_gate(String value, String form, String number) {
        Toleration toleration = new Toleration("a", Toleration.LESS, value, "", OptionalLong.empty());

        assertThat(TolerationRules.validate("t", List.of(toleration), COMPARING))
                .allMatch(fault -> fault.field().equals("t[0].value"))
                .extracting(FieldFault::detail)
                .isEqualTo(List.of(form, number).stream().filter(fault -> !fault.isEmpty()).toList());
    }

    @Test
    void a_time_needs_no_execute_whatever_it_is() {
        Toleration good = Toleration.exists("a", "NoExecute").forSeconds(-5);
        Toleration bad = Toleration.exists("a", "").forSeconds(5);

        assertThat(texts(TolerationRules.validate("t", List.of(good, bad), COMPARING))).containsExactly(
                "t[1].effect: Invalid value: \"\": effect must be 'NoExecute' when `tolerationSeconds` is set");
    }

    @Test
    void every_fault_of_a_key_is_told() {
        assertThat(TolerationRules.validate("t", List.of(Toleration.exists("-".repeat(64), "")), COMPARING))
                .allMatch(fault -> fault.field().equals("t[0].key"))
                .hasSize(2);
    }

    @Test
    void tolerations_may_be_repeated_and_many() {
        List<Toleration> many = Collections.nCopies(300, Toleration.exists("a", ""));

        assertThat(TolerationRules.validate("t", many, Tolerance.DEFAULT)).isEmpty();
    }

    private static List<String> texts(List<FieldFault> faults) {
        return faults.stream().map(FieldFault::text).toList();
    }
}
