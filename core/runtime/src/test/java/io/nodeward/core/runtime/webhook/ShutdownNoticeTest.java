package io.nodeward.core.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ShutdownNoticeTest {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    @Test
    void callers_have_five_seconds_from_its_start() {
        assertThat(notice(null, 25)).isEqualTo(Duration.ofSeconds(5));
        assertThat(notice(NOW.minusSeconds(2), 25)).isEqualTo(Duration.ofSeconds(3));
        assertThat(notice(NOW.minusSeconds(62), 25)).isZero();
    }

    @Test
    void it_takes_no_more_than_what_is_left_of_the_time_of_all_controllers() {
        assertThat(notice(null, 4)).isEqualTo(Duration.ofSeconds(4));
        assertThat(notice(null, 0)).isZero();
        assertThat(notice(null, -1)).isZero();
    }

    private static Duration notice(@Nullable Instant retired, long left) {
        return WebhookController.notice(retired, NOW, NOW.plusSeconds(left));
    }
}
