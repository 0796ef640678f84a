package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.Vectors;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MachineTaintRulesTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "5      | spec.taints type",
            "{}     | spec.taints type",
            "\"a\"  | spec.taints type",
            "[5]    | spec.taints[0] type",
            "[null] | spec.taints[0] type",
            "[[]]   | spec.taints[0] type",
            "[{}]   | spec.taints[0].key required, spec.taints[0].effect required, spec.taints[0].propagation required",
            "[{'key':null,'effect':'NoSchedule','propagation':'Always'}] | spec.taints[0].key required",
            "[{'key':'a','effect':null,'propagation':'Always'}]          | spec.taints[0].effect required",
            "[{'key':'a','effect':'NoExecute','propagation':null}]       | spec.taints[0].propagation required",
            "[{'key':'a','effect':1,'propagation':'Always'}]             | spec.taints[0].effect type",
            "[{'key':'a','effect':'NoExecute','propagation':true}]       | spec.taints[0].propagation type",
            "[{'key':'a','value':{},'effect':'NoExecute','propagation':'Always'}]            | spec.taints[0].value type",
            "[{'key':'a','value':null,'effect':'NoExecute','propagation':'OnInitialization'}] | ~~",
            "[{'key':'a','effect':'','propagation':'Always'}]            | spec.taints[0].effect effect.enum",
            "[{'key':'/a','effect':'NoExecute','propagation':'Always'}]  | spec.taints[0].key key.pattern",
            "[{'key':'a/','effect':'NoExecute','propagation':'Always'}]  | spec.taints[0].key key.pattern",
            "[{'key':'a\\n','effect':'NoExecute','propagation':'Always'}] | spec.taints[0].key key.pattern"
    })
    void a_fault_is_named_with_its_field_and_class(String json, String faults) {
        List<Violation> violations = MachineTaintRules.validate(
                "spec.taints", true, ValidateVectorsTest.list(Vectors.parse(json.replace('\'', '"'))));

        assertThat(String.join(", ", violations.stream().map(v -> v.field() + ' ' + v.reason().text()).toList()))
                .isEqualTo(faults);
    }

    @Test
    void a_wrong_type_says_what_was_wanted_and_found() {
        assertThat(MachineTaintRules.validate("spec.taints", true, Given.wrongType("number")))
                .containsExactly(new Violation(
                        "spec.taints", Violation.Reason.TYPE, "must be of type array, is number"));
        assertThat(MachineTaintRules.validate("spec.taints", true, Given.of(List.of(Given.absent()))))
                .containsExactly(new Violation(
                        "spec.taints[0]", Violation.Reason.TYPE, "must be of type object, is null"));
    }

    @Test
    void lengths_are_counted_in_code_points() {
        String twoCharsEach = "\uD83D\uDE00";
        List<Violation> violations = validate(new MachineTaint(
                twoCharsEach.repeat(253), twoCharsEach.repeat(63), "NoSchedule", MachineTaint.ALWAYS));

        assertThat(ValidateVectorsTest.reasons(violations)).containsExactly("key.pattern", "value.pattern");
        assertThat(ValidateVectorsTest.reasons(validate(new MachineTaint(
                "a".repeat(254), "b".repeat(64), "NoSchedule", MachineTaint.ALWAYS))))
                .containsExactly("key.maxLength", "value.maxLength");
        assertThat(validate(new MachineTaint("a".repeat(253), "b".repeat(63), "NoSchedule", MachineTaint.ALWAYS)))
                .isEmpty();
    }

    @Test
    void the_second_of_two_is_the_duplicate() {
        MachineTaint taint = new MachineTaint("a", "1", "NoSchedule", MachineTaint.ALWAYS);
        MachineTaint once = new MachineTaint("a", "2", "NoSchedule", MachineTaint.ON_INITIALIZATION);

        assertThat(validate(taint, once)).singleElement().satisfies(v -> {
            assertThat(v.field()).isEqualTo("spec.taints[1]");
            assertThat(v.message()).contains("a:NoSchedule");
        });
    }

    @Test
    void a_switched_off_gate_refuses_any_item_but_not_an_absent_list() {
        MachineTaint taint = new MachineTaint("a", "", "NoSchedule", MachineTaint.ALWAYS);

        Given<List<Given<DeclaredTaint>>> one = Given.of(List.of(Given.of(Fleet.declared(taint))));

        assertThat(MachineTaintRules.validate("spec.taints", false, one))
                .extracting(Violation::reason)
                .containsExactly(Violation.Reason.FEATURE_GATE);
        assertThat(MachineTaintRules.validate("spec.taints", false, Given.of(List.of())))
                .extracting(Violation::reason)
                .containsExactly(Violation.Reason.MIN_ITEMS);
        assertThat(MachineTaintRules.validate("spec.taints", false, Given.absent())).isEmpty();
    }

    @Test
    void sixty_five_items_are_too_many_and_said_once() {
        MachineTaint taint = new MachineTaint("a", "", "NoSchedule", MachineTaint.ALWAYS);

        assertThat(validate(Collections.nCopies(65, taint).toArray(MachineTaint[]::new)))
                .filteredOn(v -> v.reason() == Violation.Reason.MAX_ITEMS)
                .singleElement()
                .satisfies(v -> assertThat(v.message()).contains("64", "65"));
    }

    @Test
    void every_message_says_something() {
        MachineTaint worst = new MachineTaint("", "b ", "c", "d");
        MachineTaint reserved = new MachineTaint(ClusterApi.UNINITIALIZED_TAINT, "", "", "");

        assertThat(validate(worst, reserved)).allSatisfy(v -> assertThat(v.message()).isNotBlank());
    }

    private static List<Violation> validate(MachineTaint... taints) {
        List<Given<DeclaredTaint>> items = List.of(taints).stream().map(t -> Given.of(Fleet.declared(t))).toList();
        return MachineTaintRules.validate("spec.taints", true, Given.of(items));
    }
}
