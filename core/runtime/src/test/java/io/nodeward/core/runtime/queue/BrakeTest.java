package io.nodeward.core.runtime.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class BrakeTest {
    private static final ObjectKey KEY = new ObjectKey("ns", "a");

    private static boolean write(Brake<ObjectKey, String> brake, String declared) {
        if (brake.hold(KEY, declared).isPresent()) {
            return false;
        }
        brake.count(KEY, declared);
        return true;
    }

    @Test
    void writes_for_one_declaration_are_held_after_the_free_ones() {
        Brake<ObjectKey, String> brake = new Brake<>(3, Duration.ofHours(1));

        for (int write = 0; write < 3; write++) {
            assertThat(write(brake, "declared")).isTrue();
        }
        assertThat(brake.hold(KEY, "declared"))
                .hasValueSatisfying(hold -> assertThat(hold).isPositive().isLessThanOrEqualTo(Duration.ofHours(1)));
        assertThat(brake.hold(new ObjectKey("ns", "b"), "declared")).isEmpty();
    }

    @Test
    void what_was_not_written_does_not_count() {
        Brake<ObjectKey, String> brake = new Brake<>(1, Duration.ofHours(1));
        for (int conflict = 0; conflict < 100; conflict++) {
            assertThat(brake.hold(KEY, "declared")).isEmpty();
        }
    }

    @Test
    void a_new_declaration_is_never_held() {
        Brake<ObjectKey, String> brake = new Brake<>(1, Duration.ofHours(1));

        for (int edit = 0; edit < 100; edit++) {
            assertThat(write(brake, "declared " + edit)).isTrue();
        }
        assertThat(write(brake, "declared 99")).isFalse();
    }

    @Test
    void the_window_ends_and_a_forgotten_key_starts_anew() throws Exception {
        Brake<ObjectKey, String> brake = new Brake<>(1, Duration.ofMillis(500));
        assertThat(write(brake, "declared")).isTrue();
        brake.forget(KEY);
        assertThat(write(brake, "declared")).isTrue();
        Thread.sleep(600);
        assertThat(write(brake, "declared")).isTrue();
    }

    @Test
    void writes_that_have_lasted_are_not_kept() throws Exception {
        Brake<Integer, String> brake = new Brake<>(1, Duration.ofMillis(200));
        for (int key = 0; key < 1_000; key++) {
            brake.count(key, "declared");
        }
        Thread.sleep(300);
        brake.count(1_000, "declared");
        assertThat(brake.size()).isEqualTo(1);
    }
}
