package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class NoExecutePacerTest {
    private static final ObjectKey A = ObjectKey.clusterScoped("a");
    private static final ObjectKey B = ObjectKey.clusterScoped("b");
    private static final ObjectKey C = ObjectKey.clusterScoped("c");

    private final AtomicLong now = new AtomicLong(-7);
    private final NoExecutePacer pacer = new NoExecutePacer(4, now::get);

    @BeforeEach
    void start_is_over() {
        pass(15);
    }

    @Test
    void after_a_start_the_first_waits_as_if_one_had_gone_before() {
        NoExecutePacer restarted = new NoExecutePacer(4, now::get);
        assertThat(restarted.left(A)).isEqualTo(Duration.ofSeconds(15));
        assertThat(restarted.left(B)).isEqualTo(Duration.ofSeconds(30));
        pass(15);
        assertThat(restarted.left(A)).isZero();
    }

    @Test
    void the_first_goes_at_once_and_each_other_at_a_time_of_its_own() {
        assertThat(pacer.left(A)).isZero();
        assertThat(pacer.left(B)).isEqualTo(Duration.ofSeconds(15));
        assertThat(pacer.left(C)).isEqualTo(Duration.ofSeconds(30));
        pass(10);
        assertThat(pacer.left(B)).isEqualTo(Duration.ofSeconds(5));
        assertThat(pacer.waiting()).isEqualTo(3);
        pass(5);
        assertThat(pacer.left(B)).isZero();
        assertThat(pacer.left(C)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void one_whose_write_failed_keeps_its_turn() {
        assertThat(pacer.left(A)).isZero();
        pass(100);
        assertThat(pacer.left(A)).isZero();
        pacer.release(A);
        assertThat(pacer.left(B)).as("A has only now gone").isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void turns_that_nobody_used_are_free_when_nobody_waits() {
        for (int i = 0; i < 100; i++) {
            pacer.left(ObjectKey.clusterScoped("n" + i));
        }
        for (int i = 0; i < 100; i++) {
            pacer.release(ObjectKey.clusterScoped("n" + i));
        }
        assertThat(pacer.left(A)).as("n0 has used its turn").isEqualTo(Duration.ofSeconds(15));
        assertThat(pacer.waiting()).isOne();
    }

    @Test
    void after_a_pause_no_more_go_at_once_than_before() {
        pacer.left(A);
        pacer.release(A);
        pass(1000);
        assertThat(pacer.left(B)).isZero();
        assertThat(pacer.left(C)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void of_those_whose_turns_have_passed_only_one_goes_at_once() {
        List.of(A, B, C).forEach(pacer::left);
        pass(100); // no write could be made
        assertThat(pacer.left(B)).isZero();
        assertThat(pacer.left(C)).isEqualTo(Duration.ofSeconds(15));
        assertThat(pacer.left(A)).as("has a turn of its own").isEqualTo(Duration.ofSeconds(30));
        pacer.release(B);
        pass(15);
        assertThat(pacer.left(C)).isZero();
        assertThat(pacer.left(A)).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void a_turn_that_came_a_little_late_delays_the_next_and_takes_its_place_from_nobody() {
        List.of(A, B, C).forEach(pacer::left);
        pass(20);
        assertThat(pacer.left(B)).isZero();
        pass(10);
        assertThat(pacer.left(C)).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void a_limit_below_one_is_refused() {
        assertThatThrownBy(() -> new NoExecutePacer(0, now::get)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("--dedicated-noexecute-nodes-per-minute: must be 1 or more");
    }

    private void pass(int seconds) {
        now.addAndGet(Duration.ofSeconds(seconds).toNanos());
    }
}
