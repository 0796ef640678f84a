package io.nodeward.core.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrakeTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "a");

    private final ManualTime time = new ManualTime();

    private Brake<ObjectKey, String> brake(int free, Duration window) {
        return new Brake<>(free, window, time::nanoTime);
    }

    private static boolean write(Brake<ObjectKey, String> brake, String declared) {
        if (brake.hold(KEY, declared).isPresent()) {
            return false;
        }
        brake.count(KEY, declared);
        return true;
    }

    @Test
    void writes_for_one_declaration_are_held_after_the_free_ones() {
        Brake<ObjectKey, String> brake = brake(3, Duration.ofHours(1));

        for (int write = 0; write < 3; write++) {
            assertThat(write(brake, "declared")).isTrue();
        }
        assertThat(brake.hold(KEY, "declared")).contains(Duration.ofHours(1));
        time.pass(Duration.ofMinutes(20));
        assertThat(brake.hold(KEY, "declared")).contains(Duration.ofMinutes(40));
        assertThat(brake.hold(new ObjectKey("ns", "b"), "declared")).isEmpty();
    }

    @Test
    void what_was_not_written_does_not_count() {
        Brake<ObjectKey, String> brake = brake(1, Duration.ofHours(1));
        for (int conflict = 0; conflict < 100; conflict++) {
            assertThat(brake.hold(KEY, "declared")).isEmpty();
        }
    }

    @Test
    void a_new_declaration_is_never_held() {
        Brake<ObjectKey, String> brake = brake(1, Duration.ofHours(1));

        for (int edit = 0; edit < 100; edit++) {
            assertThat(write(brake, "declared " + edit)).isTrue();
        }
        assertThat(write(brake, "declared 99")).isFalse();
    }

    @Test
    void the_window_ends_and_a_forgotten_key_starts_anew() {
        Brake<ObjectKey, String> brake = brake(1, Duration.ofHours(1));
        assertThat(write(brake, "declared")).isTrue();
        brake.forget(KEY);
        assertThat(write(brake, "declared")).isTrue();
        time.pass(Duration.ofHours(1).minusNanos(1));
        assertThat(write(brake, "declared")).isFalse();
        time.pass(Duration.ofNanos(1));
        assertThat(write(brake, "declared")).isTrue();
    }

    @Test
    void it_is_restless_until_a_whole_window_has_passed_in_which_nothing_was_held() {
        Brake<ObjectKey, String> brake = brake(1, Duration.ofHours(1));
        write(brake, "declared");
        assertThat(brake.restless(KEY)).isEmpty();
        time.pass(Duration.ofMinutes(20));
        write(brake, "declared");
        assertThat(brake.restless(KEY)).contains(Duration.ofHours(1));
        time.pass(Duration.ofHours(1).minusNanos(1));
        assertThat(brake.restless(KEY)).contains(Duration.ofNanos(1));
        time.pass(Duration.ofNanos(1));
        assertThat(brake.restless(KEY)).isEmpty();
    }

    @Test
    void writes_that_have_lasted_are_not_kept() {
        Brake<Integer, String> brake = new Brake<>(1, Duration.ofHours(1), time::nanoTime);
        for (int key = 0; key < 1_000; key++) {
            brake.count(key, "declared");
        }
        time.pass(Duration.ofHours(1));
        brake.count(1_000, "declared");
        assertThat(brake.size()).isEqualTo(1);
    }
}
