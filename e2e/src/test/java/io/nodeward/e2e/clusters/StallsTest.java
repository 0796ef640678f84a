package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.clusters.Arrivals.Arrival;
import io.nodeward.e2e.clusters.Arrivals.Window;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StallsTest {
    private static final Duration WINDOW = Duration.ofSeconds(10);

    /** Long before any stall that this test itself could meet. */
    private final long start = System.nanoTime() - Duration.ofHours(1).toNanos();

    @Test
    void a_stall_is_of_the_windows_that_have_a_part_of_it_and_of_no_other() throws InterruptedException {
        try (Stalls stalls = new Stalls()) {
            stalls.add(at(20), at(22.9));

            assertThat(stalls.secondsIn(new Window(at(9), at(19), 1))).isZero();
            assertThat(stalls.secondsIn(new Window(at(11), at(21), 1))).isEqualTo(2);
            assertThat(stalls.secondsIn(new Window(at(22), at(32), 1))).isEqualTo(2);
            assertThat(stalls.secondsIn(new Window(at(23), at(33), 1))).isZero();
        }
    }

    @Test
    void less_than_a_second_is_no_stall_however_often() throws InterruptedException {
        try (Stalls stalls = new Stalls()) {
            for (int i = 0; i < 10; i++) {
                stalls.add(at(i), at(i + 0.9));
            }
            assertThat(stalls.secondsIn(new Window(at(0), at(10), 1))).isZero();
        }
    }

    @Test
    void what_arrives_is_counted_with_what_came_in_the_time_before() {
        Arrivals arrivals = new Arrivals();
        for (double second : List.of(0.0, 1.0, 9.0, 10.5, 30.0)) {
            arrivals.add(new Arrival("GET", "/", at(second)));
        }
        arrivals.add(new Arrival("GET", "/version", at(30)));

        assertThat(arrivals.windows(WINDOW, Arrival::isRead)).extracting(Window::count)
                .containsExactly(1, 2, 3, 3, 1);
        assertThat(arrivals.windows(WINDOW, any -> true)).last()
                .isEqualTo(new Window(at(20), at(30), 2));
    }

    private long at(double second) {
        return start + (long) (second * Duration.ofSeconds(1).toNanos());
    }
}
