package io.nodeward.core.rules.validation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DecimalIntegerTest {
    @ParameterizedTest
    @CsvSource({"0, 0", "7, 7", "-7, -7", "10, 10", "9223372036854775807, 9223372036854775807",
            "-9223372036854775808, -9223372036854775808"})
    void one_form_of_each_number_is_canonical(String text, long number) {
        assertThat(DecimalInteger.canonical(text)).hasValue(number);
        assertThat(DecimalInteger.anyForm(text)).hasValue(number);
        assertThat(DecimalInteger.formFault(text)).isEmpty();
        assertThat(DecimalInteger.numberFault(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"00, 0", "-0, 0", "+7, 7", "007, 7", "-07, -7"})
    void other_forms_are_numbers_too(String text, long number) {
        assertThat(DecimalInteger.anyForm(text)).hasValue(number);
        assertThat(DecimalInteger.numberFault(text)).isEmpty();
        assertThat(DecimalInteger.canonical(text)).isEmpty();
        assertThat(DecimalInteger.formFault(text)).contains("must be a valid decimal integer in canonical form");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "+", "a", "1a", "1.5", " 1", "1 ", "0x10", "1_000", "--1", "\u0661", "/", ":"})
    void other_texts_are_none(String text) {
        assertThat(DecimalInteger.anyForm(text)).isEmpty();
        assertThat(DecimalInteger.numberFault(text)).get().asString().endsWith(": invalid syntax");
        assertThat(DecimalInteger.formFault(text)).contains("must be a valid decimal integer in canonical form");
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"})
    void numbers_of_more_than_64_bits_are_out_of_range(String text) {
        assertThat(DecimalInteger.anyForm(text)).isEmpty();
        assertThat(DecimalInteger.canonical(text)).isEmpty();
        assertThat(DecimalInteger.formFault(text)).isEmpty();
        assertThat(DecimalInteger.numberFault(text))
                .contains("strconv.ParseInt: parsing \"" + text + "\": value out of range");
    }

    @Test
    void the_empty_text_is_told_apart() {
        String text = "";

        assertThat(DecimalInteger.formFault(text)).contains("must be non-empty");
        assertThat(DecimalInteger.numberFault(text)).contains("strconv.ParseInt: parsing \"\": invalid syntax");
        assertThat(DecimalInteger.canonical(text)).isEmpty();
    }
}
