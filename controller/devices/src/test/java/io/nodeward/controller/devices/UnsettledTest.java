package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnsettledTest {
    private final Unsettled<Integer> unsettled = new Unsettled<>();
    private final List<Integer> settled = new ArrayList<>();

    @Test
    void one_that_fails_is_tried_again_and_holds_up_no_other() {
        IntStream.range(0, 10).forEach(unsettled::add);
        assertThat(unsettled.settle(this::settle)).hasValueSatisfying(
                failure -> assertThat(failure).hasMessageMatching("[37] is bad").hasNoSuppressedExceptions());
        assertThat(settled).containsExactlyInAnyOrder(0, 1, 2, 4, 5, 6, 8, 9);
        settled.clear();
        assertThat(unsettled.settle(settled::add)).isEmpty();
        assertThat(settled).containsExactlyInAnyOrder(3, 7);
        assertThat(unsettled.settle(this::settle)).isEmpty();
    }

    private void settle(int key) {
        if (key == 3 || key == 7) {
            throw new IllegalStateException(key + " is bad");
        }
        settled.add(key);
    }

    @Test
    void what_changes_while_it_is_worked_off_is_worked_off_again() {
        unsettled.add(1);
        unsettled.settle(key -> unsettled.add(key));
        unsettled.settle(settled::add);
        assertThat(settled).containsExactly(1);
    }
}
