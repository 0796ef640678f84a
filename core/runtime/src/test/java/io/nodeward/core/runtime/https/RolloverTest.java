package io.nodeward.core.runtime.https;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.https.Rollover.Certified;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RolloverTest {
    private static final Duration SETTLING = Duration.ofSeconds(10);
    private static final Duration LIFE = Duration.ofDays(30);
    private static final Instant START = Instant.parse("2046-01-01T00:00:00Z");
    private static final Certified ONE = made(START);
    private static final Certified OTHER = made(START);

    private final Rollover rollover = new Rollover();
    private Instant now = START;

    private static Certified made(Instant at) {
        return certified(KeyRing.made(List.of("localhost"), at, LIFE));
    }

    private static Certified certified(KeyRing ring) {
        return new Certified(ring.server(), ring.authorities());
    }

    @Test
    void there_is_nothing_to_show_before_there_is_a_key() {
        assertThat(rollover.step(now)).isEmpty();
        assertThat(rollover.isThere(now)).isFalse();
        assertThat(rollover.isUrgent(now)).isFalse();
        assertThat(rollover.left(now)).isEmpty();
    }

    @Test
    void the_first_key_is_shown_at_once() {
        rollover.aim(ONE);
        assertThat(rollover.step(now)).contains(ONE.key());
        assertThat(rollover.trusted()).isEqualTo(ONE.authorities());
        assertThat(rollover.left(now)).isEmpty();
        rollover.told(ONE.authorities(), now);
        assertThat(rollover.left(now)).contains(SETTLING);
        assertThat(rollover.isThere(now)).isFalse();
        now = now.plus(SETTLING);
        assertThat(rollover.isThere(now)).isTrue();
        assertThat(rollover.left(now)).isEmpty();
    }

    @Test
    void after_the_clock_was_set_back_a_key_that_is_not_valid_yet_is_replaced_at_once() {
        now = START.plus(Duration.ofDays(20));
        Certified early = made(now);
        settleOn(early);
        now = START;
        assertThat(rollover.isUrgent(now)).isTrue();
        rollover.aim(OTHER);
        rollover.step(now);
        assertThat(rollover.step(now)).contains(OTHER.key());
        assertThat(rollover.isUrgent(now)).isFalse();
    }

    @Test
    void after_the_clock_was_set_back_the_time_to_settle_begins_anew() {
        settleOn(ONE);
        now = now.minus(Duration.ofMinutes(30));
        assertThat(rollover.isThere(now)).isFalse();
        assertThat(rollover.left(now)).contains(SETTLING);
        later();
        assertThat(rollover.isThere(now)).isTrue();
    }

    @Test
    void both_authorities_are_trusted_before_the_new_key_is_shown_and_until_that_has_settled() {
        settleOn(ONE);
        rollover.aim(OTHER);

        assertThat(rollover.step(now)).contains(ONE.key());
        assertThat(rollover.trusted()).containsExactly(ONE.authorities().getFirst(), OTHER.authorities().getFirst());
        later();
        assertThat(rollover.step(now)).as("nobody has been told").contains(ONE.key());
        rollover.told(ONE.authorities(), now);
        later();
        assertThat(rollover.step(now)).as("told of others").contains(ONE.key());
        rollover.told(rollover.trusted(), now);
        assertThat(rollover.step(now.plus(SETTLING).minusMillis(1))).contains(ONE.key());
        later();
        assertThat(rollover.step(now)).contains(OTHER.key());
        assertThat(rollover.trusted()).hasSize(2);
        assertThat(rollover.left(now)).contains(SETTLING);
        assertThat(rollover.step(now.plus(SETTLING).minusMillis(1))).contains(OTHER.key());
        assertThat(rollover.trusted()).hasSize(2);
        later();
        rollover.step(now);
        assertThat(rollover.trusted()).isEqualTo(OTHER.authorities());
        assertThat(rollover.isThere(now)).isFalse();
        rollover.told(OTHER.authorities(), now);
        later();
        assertThat(rollover.isThere(now)).isTrue();
    }

    @Test
    void a_goal_that_changes_on_the_way_is_gone_for_from_where_it_stands() {
        settleOn(ONE);
        rollover.aim(OTHER);
        rollover.step(now);
        Certified third = made(START);
        rollover.aim(third);
        for (int i = 0; i < 5; i++) {
            ServerKey shown = rollover.step(now).orElseThrow();
            assertThat(rollover.trusted())
                    .containsAll(shown.equals(ONE.key()) ? ONE.authorities() : third.authorities());
            rollover.told(rollover.trusted(), now);
            later();
        }
        assertThat(rollover.step(now)).contains(third.key());
        assertThat(rollover.trusted()).isEqualTo(third.authorities());
    }

    @Test
    void a_key_that_is_about_to_end_is_not_waited_with() {
        settleOn(ONE);
        now = ONE.key().expires().minus(Duration.ofMinutes(30));
        assertThat(rollover.isUrgent(now)).isTrue();
        Certified fresh = made(now);
        rollover.aim(fresh);
        rollover.step(now);
        assertThat(rollover.step(now)).contains(fresh.key());
        assertThat(rollover.trusted()).containsAll(fresh.authorities());
    }

    @Test
    void an_authority_that_comes_in_addition_is_told_of_and_changes_no_key() {
        settleOn(ONE);
        rollover.aim(new Certified(ONE.key(),
                List.of(ONE.authorities().getFirst(), OTHER.authorities().getFirst())));
        assertThat(rollover.step(now)).contains(ONE.key());
        assertThat(rollover.trusted()).hasSize(2);
        rollover.told(rollover.trusted(), now);
        later();
        assertThat(rollover.isThere(now)).isTrue();
    }

    private void settleOn(Certified first) {
        rollover.aim(first);
        rollover.step(now);
        rollover.told(rollover.trusted(), now);
        later();
        assertThat(rollover.isThere(now)).isTrue();
    }

    private void later() {
        now = now.plus(SETTLING);
    }
}
