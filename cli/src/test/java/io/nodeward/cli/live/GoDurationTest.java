package io.nodeward.cli.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "30, 30000", "30s, 30000", "1h30m, 5400000", "1.5s, 1500", "250ms, 250", "2m3s, 123000",
            "31536000, 31536000000",
            "8760h, 31536000000"})
    void what_kubectl_takes_is_taken(String text, long millis) {
        assertThat(GoDuration.parse("--timeout", text).toMillis()).isEqualTo(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"31536001", "8760h1ms", "9999999999999999999h"})
    void more_than_a_year_is_refused_with_its_flag(String text) {
        assertThatThrownBy(() -> GoDuration.parse("--timeout", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--timeout " + text + " is too long: at most 8760h, which is 365 days");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1s", "1d", "s", "1s2", "99999999999999999999999s"})
    void anything_else_is_refused_with_its_flag(String text) {
        assertThatThrownBy(() -> GoDuration.parse("--timeout", text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("--timeout " + text + " is no duration");
    }
}
