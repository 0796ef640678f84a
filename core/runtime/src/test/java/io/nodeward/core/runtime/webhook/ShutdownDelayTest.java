package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ShutdownDelayTest {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final ShutdownDelay delay = new ShutdownDelay(() -> now);

    @Test
    void callers_have_five_seconds_from_its_start() {
        assertThat(delay.left(Duration.ofSeconds(25))).isEqualTo(Duration.ofSeconds(5));
        delay.start();
        now = now.plusSeconds(2);
        assertThat(delay.left(Duration.ofSeconds(25))).isEqualTo(Duration.ofSeconds(3));
        now = now.plusSeconds(60);
        assertThat(delay.left(Duration.ofSeconds(25))).isZero();
    }

    @Test
    void it_takes_no_more_than_what_is_left_of_the_time_of_all_controllers() {
        assertThat(delay.left(Duration.ofSeconds(4))).isEqualTo(Duration.ofSeconds(4));
        assertThat(delay.left(Duration.ZERO)).isZero();
        assertThat(delay.left(Duration.ofSeconds(-1))).isZero();
    }
}
