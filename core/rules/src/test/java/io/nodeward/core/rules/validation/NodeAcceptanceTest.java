package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeAcceptanceTest {
    @ParameterizedTest
    @ValueSource(strings = {
            "a", "A", "z", "Z", "0", "9", "a-b_c.D", "example.com/a", "a/b", "0-9.z-a/X", "9/9", "a--b/c"
    })
    void qualified_names(String key) {
        assertThat(NodeAcceptance.isQualifiedName(key)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {
            "", "-a", "a-", "a.", "_a", "a b", "a:b", "a\n", "\u00e4", "/a", "a/", "/", "a/b/c", "A/b", "a_b/c", "-a/b",
            "a-/b", ".a/b", "a./b", "a..b/c", "a.-b/c", "a-.b/c", "@", "[", "`", "{", "a/{", "{/a", "`/a", ":", "/:"
    })
    void other_texts_are_none(String key) {
        assertThat(NodeAcceptance.isQualifiedName(key)).isFalse();
    }

    @Test
    void the_domain_has_at_most_253_characters_and_the_name_63() {
        assertThat(NodeAcceptance.isQualifiedName("a".repeat(253) + '/' + "b".repeat(63))).isTrue();
        assertThat(NodeAcceptance.isQualifiedName("a".repeat(254) + "/b")).isFalse();
        assertThat(NodeAcceptance.isQualifiedName("a/" + "b".repeat(64))).isFalse();
        assertThat(NodeAcceptance.isQualifiedName("b".repeat(64))).isFalse();
    }

    @Test
    void a_value_is_empty_or_a_name() {
        assertThat(List.of("", "a", "1.2_3-X", "b".repeat(63))).allMatch(NodeAcceptance::isLabelValue);
        assertThat(List.of("a/b", "-", "a-", " ", "b".repeat(64))).noneMatch(NodeAcceptance::isLabelValue);
    }

    @Test
    void effects_are_three() {
        assertThat(List.of("NoSchedule", "PreferNoSchedule", "NoExecute")).allMatch(NodeAcceptance::isEffect);
        assertThat(List.of("", "noSchedule", "NoAdmit")).noneMatch(NodeAcceptance::isEffect);
    }

    @Test
    void every_fault_is_named_with_its_field() {
        assertThat(NodeAcceptance.violations("spec.taints[3]", new MachineTaint("a-", "b-", "c", "")))
                .extracting(v -> v.field() + ' ' + v.reason().text())
                .containsExactly(
                        "spec.taints[3].key key.pattern",
                        "spec.taints[3].value value.pattern",
                        "spec.taints[3].effect effect.enum");
        assertThat(NodeAcceptance.violations("spec.taints[3]", new MachineTaint("a", "b", "NoExecute", ""))).isEmpty();
    }
}
