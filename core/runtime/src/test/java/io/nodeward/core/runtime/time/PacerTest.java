package io.nodeward.core.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.time.Pacer.Limit;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PacerTest {
    private static final String A = "a";
    private static final String B = "b";
    private static final String C = "c";

    private static final List<Limit> FOUR_A_MINUTE = List.of(Limit.perMinute("four", 4));

    private final AtomicLong now = new AtomicLong(-7);
    private final Pacer<String> pacer = new Pacer<>(now::get);

    private final Set<String> gone = new HashSet<>();

    @BeforeEach
    void one_has_gone_before() {
        left("before");
        pacer.release("before");
        pass(15);
    }

    @Test
    void after_a_start_the_first_waits_as_if_one_had_gone_before() {
        Pacer<String> restarted = new Pacer<>(now::get);
        pass(1000); // until then nobody asks
        assertThat(restarted.left(A, FOUR_A_MINUTE)).isEqualTo(Duration.ofSeconds(15));
        assertThat(restarted.left(B, FOUR_A_MINUTE)).isEqualTo(Duration.ofSeconds(30));
        pass(15);
        assertThat(restarted.left(A, FOUR_A_MINUTE)).isZero();
    }

    @Test
    void a_restart_gives_up_all_turns_and_tokens() {
        assertThat(left(A)).isZero();
        left(B);
        pass(1000);
        pacer.restart();
        assertThat(pacer.waiting()).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
        assertThat(left(A)).as("it was the last to go").isEqualTo(Duration.ofSeconds(30));
    }

    @Test
    void the_first_goes_at_once_and_each_other_at_a_time_of_its_own() {
        assertThat(left(A)).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
        assertThat(left(C)).isEqualTo(Duration.ofSeconds(30));
        pass(10);
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(5));
        assertThat(pacer.waiting()).isEqualTo(3);
        pass(5);
        assertThat(left(B)).isZero();
        assertThat(left(C)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void the_first_token_of_an_empty_bucket_takes_as_long_as_the_limit_says_and_the_others_keep_their_distance() {
        List<Limit> late = List.of(Limit.perMinute("late", 4).startingAfter(Duration.ofMinutes(1)));
        assertThat(pacer.left(A, late)).isEqualTo(Duration.ofMinutes(1));
        assertThat(pacer.left(B, late)).isEqualTo(Duration.ofSeconds(75));
        pass(60);
        assertThat(pacer.left(A, late)).isZero();
        assertThat(pacer.left(B, late)).isEqualTo(Duration.ofSeconds(15));
        List<Limit> soon = List.of(Limit.perMinute("soon", 4).startingAfter(Duration.ofSeconds(1)));
        assertThat(pacer.left(C, soon)).as("never before the first would come anyway")
                .isEqualTo(Duration.ofSeconds(15));
    }

    /** Three a second, asked for ten times a second: a fraction of a token is left each time. */
    @Test
    void who_asks_a_little_late_takes_no_fraction_of_a_token() {
        gone("x", 10, fast(3));
        gone.clear();
        for (int tick = 1; tick <= 100; tick++) {
            now.addAndGet(Duration.ofMillis(100).toNanos());
            gone("y", 60, fast(3));
        }
        assertThat(gone).hasSize(30);
    }

    @Test
    void when_a_bucket_is_forgotten_nobody_has_a_turn_in_it() {
        assertThat(left(A)).isZero();
        assertThat(left(B)).isPositive();
        assertThat(pacer.left(C, List.of(new Limit("other", 4, 1, true)))).isZero();
        pacer.forget("four");
        assertThat(pacer.waiting()).isEqualTo(1);
        pacer.release(B);
        assertThat(pacer.waiting()).isEqualTo(1);
    }

    @Test
    void one_whose_write_failed_keeps_its_turn() {
        assertThat(left(A)).isZero();
        pass(100);
        assertThat(left(A)).isZero();
        pacer.release(A);
        assertThat(left(B)).as("A has only now gone").isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void one_who_went_last_goes_again_at_once_and_the_next_waits_from_then_on() {
        assertThat(left(A)).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
        pass(14);
        assertThat(left(A)).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
        pass(15);
        assertThat(left(B)).isZero();
        assertThat(left(A)).as("B has gone since").isPositive();
    }

    @Test
    void turns_that_nobody_used_are_free_when_nobody_waits() {
        for (int i = 0; i < 100; i++) {
            left("n" + i);
        }
        for (int i = 0; i < 100; i++) {
            pacer.release("n" + i);
        }
        assertThat(left(A)).as("n0 has used its turn").isEqualTo(Duration.ofSeconds(15));
        assertThat(pacer.waiting()).isOne();
    }

    @Test
    void after_a_pause_no_more_go_at_once_than_before() {
        left(A);
        pacer.release(A);
        pass(1000);
        assertThat(left(B)).isZero();
        assertThat(left(C)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void of_those_whose_turns_have_passed_only_one_goes_at_once() {
        List.of(A, B, C).forEach(this::left);
        pass(100); // no write could be made
        assertThat(left(B)).isZero();
        assertThat(left(C)).isEqualTo(Duration.ofSeconds(15));
        assertThat(left(A)).as("has a turn of its own").isEqualTo(Duration.ofSeconds(30));
        pacer.release(B);
        pass(15);
        assertThat(left(C)).isZero();
        assertThat(left(A)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void a_turn_that_came_a_little_late_delays_the_next_and_takes_its_place_from_nobody() {
        List.of(A, B, C).forEach(this::left);
        pass(20);
        assertThat(left(B)).isZero();
        pass(10);
        assertThat(left(C)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_bucket_that_starts_full_lets_a_burst_through_and_then_its_rate() {
        assertThat(gone("x", 60, fast(1))).isEqualTo(10);
        pass(1);
        assertThat(gone("x", 60, fast(1))).isEqualTo(11);
        assertThat(pacer.left("x59", fast(1))).as("the last of 60").isEqualTo(Duration.ofSeconds(49));
        for (int second = 2; second <= 50; second++) {
            pass(1);
            assertThat(gone("x", 60, fast(1))).isEqualTo(10 + second);
        }
        pass(5);
        IntStream.range(0, 60).forEach(i -> pacer.release("x" + i));
        gone.clear();
        assertThat(gone("y", 60, fast(1))).as("after five seconds").isEqualTo(1);
    }

    @Test
    void a_burst_is_once_in_the_life_of_a_bucket() {
        gone("x", 10, fast(1));
        pass(100_000);
        gone.clear();
        assertThat(gone("y", 60, fast(1))).isEqualTo(1);
        pass(1);
        assertThat(gone("y", 60, fast(1))).isEqualTo(2);
    }

    @Test
    void what_is_left_of_a_burst_stays_and_becomes_no_more() {
        assertThat(gone("x", 4, fast(1))).isEqualTo(4);
        assertThat(pacer.left("x3", fast(1))).as("again, without another token").isZero();
        IntStream.range(0, 4).forEach(i -> pacer.release("x" + i));
        pass(100_000);
        gone.clear();
        assertThat(gone("y", 60, fast(1))).isEqualTo(6);
        pass(1);
        assertThat(gone("y", 60, fast(1))).isEqualTo(7);
    }

    @Test
    void a_fast_bucket_keeps_one_and_what_comes_in_a_tenth_of_a_second() {
        gone("x", 10, fast(1));
        pass(100_000);
        gone.clear();
        assertThat(gone("y", 60, fast(50))).isEqualTo(6);
        pass(100_000);
        gone.clear();
        assertThat(gone("z", 60, fast(1_000_000_000))).as("never more than the burst").isEqualTo(10);
    }

    @Test
    void who_asks_a_little_late_slows_nobody_down() {
        gone("x", 10, fast(20));
        gone.clear();
        for (int tick = 0; tick < 20; tick++) {
            now.addAndGet(Duration.ofMillis(100).toNanos());
            assertThat(gone("y", 60, fast(20))).isEqualTo(2 * (tick + 1));
        }
    }

    @Test
    void a_bucket_that_starts_empty_has_what_has_come_since_the_first_asked() {
        List<Limit> slow = List.of(new Limit("one", 0.2, 10, false));
        pass(100_000);
        assertThat(gone("x", 60, slow)).isZero();
        pass(4);
        assertThat(gone("x", 60, slow)).isZero();
        pass(1);
        assertThat(gone("x", 60, slow)).isEqualTo(1);
        assertThat(pacer.left("x59", slow)).isEqualTo(Duration.ofSeconds(59 * 5));
    }

    @Test
    void another_rate_counts_at_once_for_who_waits() {
        gone("x", 60, fast(1));
        assertThat(pacer.left("x59", fast(1))).isEqualTo(Duration.ofSeconds(50));
        assertThat(pacer.left("x59", fast(50))).isEqualTo(Duration.ofSeconds(1));
        assertThat(pacer.left("x59", fast(2))).isEqualTo(Duration.ofSeconds(25));
        assertThat(gone("x", 60, fast(1_000_000_000))).as("no new burst comes of it").isEqualTo(10);
    }

    @Test
    void under_several_limits_the_shortest_wait_counts_and_one_token_goes() {
        List<Limit> both = List.of(new Limit("slow", 1, 10, true), new Limit("fast", 20, 10, true));
        assertThat(gone("x", 60, both)).as("a token each").isEqualTo(20);
        assertThat(pacer.left("x59", both)).isEqualTo(Duration.ofMillis(39 * 50));
        for (int tick = 0; tick < 39; tick++) {
            assertThat(gone("x", 60, both)).isLessThan(60);
            now.addAndGet(Duration.ofMillis(50).toNanos());
        }
        assertThat(gone("x", 60, both)).isEqualTo(60);
    }

    @Test
    void one_that_goes_by_one_limit_keeps_no_turn_of_another() {
        Limit slow = new Limit("slow", 1, 1, true);
        assertThat(pacer.left(A, List.of(slow))).isZero();
        assertThat(pacer.left(B, List.of(slow))).isEqualTo(Duration.ofSeconds(1));
        assertThat(pacer.left(B, List.of(slow, new Limit("other", 1, 1, true)))).isZero();
        assertThat(pacer.left(C, List.of(slow))).isEqualTo(Duration.ofSeconds(2));
        List.of(A, C).forEach(pacer::release);
        assertThat(pacer.left(C, List.of(slow))).as("nobody waits").isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void a_bucket_that_is_forgotten_is_as_at_first() {
        gone("x", 60, fast(1));
        pacer.forget("one");
        gone.clear();
        assertThat(gone("y", 60, fast(1))).isEqualTo(10);
    }

    @Test
    void a_token_that_is_given_back_is_for_the_next() {
        assertThat(left(A)).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
        pacer.giveBack(A);
        assertThat(pacer.waiting()).isOne();
        assertThat(left(B)).isZero();
        assertThat(left(A)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void a_key_that_gave_its_token_back_needs_another() {
        assertThat(left(A)).isZero();
        pacer.giveBack(A);
        assertThat(left(A)).isZero();
        assertThat(left(B)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void a_burst_that_is_given_back_is_there_later() {
        assertThat(gone("x", 60, fast(1))).isEqualTo(10);
        IntStream.range(0, 9).forEach(i -> pacer.giveBack("x" + i));
        IntStream.range(9, 60).forEach(i -> pacer.release("x" + i));
        gone.clear();
        assertThat(gone("y", 60, fast(1))).isEqualTo(9);
    }

    @Test
    void the_token_of_all_together_is_given_back_too() {
        Pacer<String> limited = new Pacer<>(now::get, new Limit("all", 1, 1, true));
        assertThat(limited.left(A, List.of(new Limit("one", 1, 1, true)))).isZero();
        assertThat(limited.left(B, List.of(new Limit("other", 1, 1, true)))).isEqualTo(Duration.ofSeconds(1));
        limited.giveBack(A);
        assertThat(limited.left(B, List.of(new Limit("other", 1, 1, true)))).isZero();
    }

    private static List<Limit> fast(long perSecond) {
        return List.of(new Limit("one", perSecond, 10, true));
    }

    /** How many of so many have gone by now. */
    private int gone(String prefix, int count, List<Limit> limits) {
        IntStream.range(0, count).mapToObj(i -> prefix + i)
                .filter(who -> !gone.contains(who) && pacer.left(who, limits).isZero()).forEach(gone::add);
        return gone.size();
    }

    private Duration left(String who) {
        return pacer.left(who, FOUR_A_MINUTE);
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
