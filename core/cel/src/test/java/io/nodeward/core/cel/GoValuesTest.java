package io.nodeward.core.cel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What strconv.ParseFloat of Go answers for an underscore in a number. */
class GoValuesTest {
    @ParameterizedTest
    @CsvSource({
            "1_23.50_0_0e+1_2, 1.235e14",
            "0x1_fp0, 31",
            "0XA_b.C_dp0, 171.80078125",
            "0x_1_2.3_4_5p+1_2, 74565",
            "-0x1_ep-1, -15"})
    void an_underscore_may_stand_between_digits_and_after_a_prefix(String text, double number) {
        assertThat(GoValues.number(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @ValueSource(strings = {"_1", "1_", "1__0", "1_.5", "1._5", "1_e5", "1e_5", "1_a", "_0x1p0", "0_x1p0", "0x__1p0",
            "0x1__fp0", "0xf_.8p0", "0x1._fp0", "0x1_p0", "0x1p_1", "0x1p1_", "0x1p1_a", "0x_.8p0", "0x_p0"})
    void it_may_stand_nowhere_else(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> GoValues.number(text)).withMessageContaining("'double'");
    }
}
