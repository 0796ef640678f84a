package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordSizeTest {
    private static final int LENGTH = 10_000;
    private static final String TEXT = "x".repeat(LENGTH);
    private static final int LITTLE = 500;

    /** Private, as that of a controller may be. */
    private record Holder(String name, Object value) {}

    static List<Object> holdingOneText() {
        return List.of(TEXT, new Holder("", TEXT), new Holder("", new Holder("", TEXT)), List.of("", TEXT),
                Map.of(TEXT, ""), Map.of("", TEXT), Map.of("", List.of(new Holder(TEXT, 1))), Optional.of(TEXT),
                new byte[LENGTH]);
    }

    @ParameterizedTest
    @MethodSource("holdingOneText")
    void a_text_counts_wherever_it_is(Object value) {
        assertThat(RecordSize.characters(value)).isBetween((long) LENGTH, (long) LENGTH + LITTLE);
    }

    @Test
    void nothing_is_little() {
        assertThat(RecordSize.characters(new Holder("", Optional.empty()))).isLessThan(LITTLE);
    }

    @Test
    void many_empty_values_are_not_nothing() {
        assertThat(RecordSize.characters(Collections.nCopies(LENGTH, ""))).isGreaterThan(LENGTH);
    }
}
