package io.nodeward.core.runtime.time;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class WriteLimiterTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "a");

    private static final Duration HALF_AN_HOUR = Duration.ofMinutes(30);

    private final ManualTime time = new ManualTime();

    private WriteLimiter<ObjectKey, String> limiter(int free, Duration window) {
        return new WriteLimiter<>(free, window, HALF_AN_HOUR, time::nanoTime);
    }

    private static boolean write(WriteLimiter<ObjectKey, String> limiter, String declared) {
        if (limiter.hold(KEY, declared).isPresent()) {
            return false;
        }
        limiter.count(KEY, declared);
        return true;
    }

    @Test
    void writes_for_one_declaration_are_held_after_the_free_ones() {
        WriteLimiter<ObjectKey, String> limiter = limiter(3, Duration.ofHours(1));

        for (int write = 0; write < 3; write++) {
            assertThat(write(limiter, "declared")).isTrue();
        }
        assertThat(limiter.hold(KEY, "declared")).contains(Duration.ofHours(1));
        time.pass(Duration.ofMinutes(20));
        assertThat(limiter.hold(KEY, "declared")).contains(Duration.ofMinutes(40));
        assertThat(limiter.hold(new ObjectKey("ns", "b"), "declared")).isEmpty();
    }

    @Test
    void what_was_not_written_does_not_count() {
        WriteLimiter<ObjectKey, String> limiter = limiter(1, Duration.ofHours(1));
        for (int conflict = 0; conflict < 100; conflict++) {
            assertThat(limiter.hold(KEY, "declared")).isEmpty();
        }
    }

    @Test
    void a_new_declaration_is_never_held() {
        WriteLimiter<ObjectKey, String> limiter = limiter(1, Duration.ofHours(1));

        for (int edit = 0; edit < 100; edit++) {
            assertThat(write(limiter, "declared " + edit)).isTrue();
        }
        assertThat(write(limiter, "declared 99")).isFalse();
    }

    @Test
    void the_window_ends_and_a_forgotten_key_starts_anew() {
        WriteLimiter<ObjectKey, String> limiter = limiter(1, Duration.ofHours(1));
        assertThat(write(limiter, "declared")).isTrue();
        limiter.forget(KEY);
        assertThat(write(limiter, "declared")).isTrue();
        time.pass(Duration.ofHours(1).minusNanos(1));
        assertThat(write(limiter, "declared")).isFalse();
        time.pass(Duration.ofNanos(1));
        assertThat(write(limiter, "declared")).isTrue();
    }

    /** Returns how many writes are made in this time if another writer undoes each of them within a second. */
    private int undone(WriteLimiter<ObjectKey, String> limiter, Duration span) {
        int writes = 0;
        for (long second = 0; second < span.toSeconds(); second++) {
            writes += write(limiter, "declared") ? 1 : 0;
            time.pass(Duration.ofSeconds(1));
        }
        return writes;
    }

    @Test
    void while_another_writer_goes_on_each_window_is_twice_as_long_up_to_half_an_hour() {
        WriteLimiter<ObjectKey, String> limiter = limiter(20, Duration.ofMinutes(1));
        for (int minutes : new int[]{1, 2, 4, 8, 16, 30, 30}) {
            assertThat(undone(limiter, Duration.ofMinutes(minutes))).as("%s minutes", minutes).isEqualTo(20);
            assertThat(limiter.restless(KEY)).as("%s minutes", minutes).isPresent();
        }
    }

    @Test
    void after_a_window_without_a_held_write_the_first_length_counts_again() {
        WriteLimiter<ObjectKey, String> limiter = limiter(20, Duration.ofMinutes(1));
        undone(limiter, Duration.ofMinutes(3));
        time.pass(Duration.ofMinutes(4));
        assertThat(undone(limiter, Duration.ofMinutes(1))).isEqualTo(20);
        assertThat(undone(limiter, Duration.ofMinutes(2))).as("it goes on").isEqualTo(20);
        assertThat(write(limiter, "declared")).isTrue();
        assertThat(write(limiter, "declared anew")).as("a new declaration").isTrue();
        assertThat(undone(limiter, Duration.ofMinutes(2))).isEqualTo(40);
    }

    @Test
    void a_window_that_is_to_be_no_longer_does_not_grow() {
        Duration minute = Duration.ofMinutes(1);
        WriteLimiter<ObjectKey, String> limiter = new WriteLimiter<>(5, minute, minute, time::nanoTime);
        assertThat(undone(limiter, Duration.ofMinutes(10))).isEqualTo(50);
    }

    @Test
    void a_question_whether_it_is_restless_does_not_shorten_the_next_window() {
        WriteLimiter<ObjectKey, String> limiter = limiter(20, Duration.ofMinutes(1));
        undone(limiter, Duration.ofMinutes(1));
        time.pass(Duration.ofMillis(59_500));
        assertThat(limiter.restless(KEY)).as("the last write was held a minute and half a second ago").isEmpty();
        assertThat(undone(limiter, Duration.ofMinutes(2))).isEqualTo(20);
    }

    @Test
    void few_writes_in_each_window_are_never_held() {
        WriteLimiter<ObjectKey, String> limiter = limiter(1, Duration.ofMinutes(1));
        for (int hour = 0; hour < 10; hour++) {
            assertThat(write(limiter, "declared")).isTrue();
            time.pass(Duration.ofMinutes(1));
        }
    }

    @Test
    void a_sweep_forgets_no_key_whose_windows_grow() {
        WriteLimiter<ObjectKey, String> limiter = limiter(20, Duration.ofMinutes(1));
        undone(limiter, Duration.ofMinutes(1));
        for (int key = 0; key < 1_000; key++) {
            limiter.count(new ObjectKey("ns", "other" + key), "declared");
        }
        assertThat(undone(limiter, Duration.ofMinutes(2))).isEqualTo(20);
    }

    @Test
    void it_is_restless_until_a_whole_window_has_passed_in_which_nothing_was_held() {
        WriteLimiter<ObjectKey, String> limiter = limiter(1, Duration.ofHours(1));
        write(limiter, "declared");
        assertThat(limiter.restless(KEY)).isEmpty();
        time.pass(Duration.ofMinutes(20));
        write(limiter, "declared");
        assertThat(limiter.restless(KEY)).contains(Duration.ofHours(1));
        time.pass(Duration.ofHours(1).minusNanos(1));
        assertThat(limiter.restless(KEY)).contains(Duration.ofNanos(1));
        time.pass(Duration.ofNanos(1));
        assertThat(limiter.restless(KEY)).isEmpty();
    }

    @Test
    void writes_that_have_lasted_are_not_kept() {
        WriteLimiter<Integer, String> limiter =
                new WriteLimiter<>(1, Duration.ofHours(1), HALF_AN_HOUR, time::nanoTime);
        for (int key = 0; key < 1_000; key++) {
            limiter.count(key, "declared");
        }
        time.pass(Duration.ofHours(1));
        limiter.count(1_000, "declared");
        assertThat(limiter.size()).isEqualTo(1);
    }
}
