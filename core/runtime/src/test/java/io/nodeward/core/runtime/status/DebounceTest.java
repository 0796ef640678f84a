package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DebounceTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Optional<Blocked> ONE = Optional.of(new Blocked("Reason", "one"));
    private static final Optional<Blocked> TWO = Optional.of(new Blocked("Reason", "two"));

    private final Debounce debounce = new Debounce(Duration.ofSeconds(30));

    @Test
    void other_words_wait_and_the_end_does_not() {
        assertThat(debounce.of(ONE, NOON)).isEqualTo(ONE);
        assertThat(debounce.left(ONE, NOON)).isZero();

        assertThat(debounce.of(TWO, NOON.plusSeconds(10))).isEqualTo(ONE);
        assertThat(debounce.left(TWO, NOON.plusSeconds(10))).isEqualTo(Duration.ofSeconds(20));
        assertThat(debounce.of(TWO, NOON.plusSeconds(30))).isEqualTo(TWO);

        assertThat(debounce.of(Optional.empty(), NOON.plusSeconds(31))).isEmpty();
        assertThat(debounce.of(ONE, NOON.plusSeconds(32))).isEqualTo(ONE);
    }

    @Test
    void a_clock_that_is_set_back_keeps_no_words() {
        assertThat(debounce.of(ONE, NOON)).isEqualTo(ONE);
        assertThat(debounce.of(TWO, NOON.minusSeconds(3600))).isEqualTo(TWO);
        assertThat(debounce.left(TWO, NOON.minusSeconds(3600))).isZero();
        assertThat(debounce.of(ONE, NOON.minusSeconds(3599))).isEqualTo(TWO);
        assertThat(debounce.left(ONE, NOON.minusSeconds(3599))).isEqualTo(Duration.ofSeconds(29));
    }

    @Test
    void the_same_words_stand_however_long() {
        assertThat(debounce.of(ONE, NOON)).isEqualTo(ONE);
        assertThat(debounce.of(ONE, NOON.plusSeconds(100))).isEqualTo(ONE);
        assertThat(debounce.of(TWO, NOON.plusSeconds(101))).isEqualTo(TWO);
    }
}
