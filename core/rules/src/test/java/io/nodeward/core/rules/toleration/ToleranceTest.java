package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ToleranceTest {
    private static final Tolerance COMPARING = new Tolerance(true);
    private static final Taint TAINT = Taint.of("k", "v", "NoSchedule");

    @ParameterizedTest
    @CsvSource({
            // key, operator, value, effect, tolerates
            "k, Exists, '', NoSchedule, true",
            "k, Exists, '', '',         true",
            "'', Exists, '', '',        true",
            "k, Equal, v, NoSchedule,   true",
            "k, '', v, '',              true",
            "'', '', v, '',             true",
            "k, Equal, w, NoSchedule,   false",
            "k, Equal, '', NoSchedule,  false",
            "l, Exists, '', '',         false",
            "K, Exists, '', '',         false",
            "k, Exists, '', NoExecute,  false",
            "'', Exists, '', NoExecute, false",
            "k, NotIn, v, '',           false",
            "k, equal, v, '',           false"
    })
    void a_toleration_matches_by_effect_key_and_operator(
            String key, String operator, String value, String effect, boolean tolerates) {
        Toleration toleration = new Toleration(key, operator, value, effect, OptionalLong.empty());

        assertThat(Tolerance.DEFAULT.tolerates(toleration, TAINT)).isEqualTo(tolerates);
        assertThat(COMPARING.tolerates(toleration, TAINT)).isEqualTo(tolerates);
    }

    @ParameterizedTest
    @CsvSource({
            // taint's value, operator, toleration's value, tolerates
            "901, Gt, 900, true",
            "900, Gt, 900, false",
            "899, Gt, 900, false",
            "899, Lt, 900, true",
            "900, Lt, 900, false",
            "901, Lt, 900, false",
            "-1, Lt, 0, true",
            "0, Gt, -1, true",
            "9223372036854775807, Gt, -9223372036854775808, true",
            "9223372036854775808, Gt, 0, false",
            "5, Gt, 04, false",
            "05, Gt, 4, false",
            "5, Gt, +4, false",
            "5, Gt, -0, false",
            "5, Gt, '', false",
            "'', Lt, 4, false",
            "4.5, Gt, 4, false"
    })
    void numbers_are_compared_behind_the_gate_alone(String found, String operator, String limit, boolean tolerates) {
        Taint taint = new Taint("k", found, "NoSchedule", "");
        Toleration toleration = new Toleration("k", operator, limit, "", OptionalLong.empty());

        assertThat(COMPARING.tolerates(toleration, taint)).isEqualTo(tolerates);
        assertThat(Tolerance.DEFAULT.tolerates(toleration, taint)).isFalse();
    }

    @Test
    void a_comparison_too_minds_key_and_effect() {
        Taint taint = Taint.of("k", "5", "NoSchedule");

        assertThat(COMPARING.tolerates(compare("k", "NoSchedule"), taint)).isTrue();
        assertThat(COMPARING.tolerates(compare("", ""), taint)).isTrue();
        assertThat(COMPARING.tolerates(compare("l", "NoSchedule"), taint)).isFalse();
        assertThat(COMPARING.tolerates(compare("k", "NoExecute"), taint)).isFalse();
    }

    @Test
    void of_several_the_first_that_matches_counts() {
        Toleration other = Toleration.exists("l", "");
        Toleration first = Toleration.exists("k", "").forSeconds(5);
        Toleration second = Toleration.equalTo("k", "v", "");

        assertThat(Tolerance.DEFAULT.first(List.of(other, first, second), TAINT)).contains(first);
        assertThat(Tolerance.DEFAULT.first(List.of(other, second, first), TAINT)).contains(second);
        assertThat(Tolerance.DEFAULT.first(List.of(other), TAINT)).isEmpty();
    }

    private static Toleration compare(String key, String effect) {
        return new Toleration(key, Toleration.GREATER, "4", effect, OptionalLong.empty());
    }
}
