package io.nodeward.core.runtime.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.testkit.ManualTime;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ReadBudgetTest {
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);

    @Test
    void twice_a_seconds_worth_goes_at_once_and_the_rest_at_its_rate() {
        ReadBudget budget = new ReadBudget(10, timers);
        long now = time.nanoTime();
        for (int i = 0; i < 20; i++) {
            assertThat(budget.reserve(now)).as("read %d", i).isZero();
        }
        for (int i = 1; i <= 30; i++) {
            assertThat(budget.reserve(now)).as("late read %d", i).isEqualTo(i * SECOND / 10);
        }
    }

    @Test
    void what_was_spent_comes_back_with_time_and_no_more_than_that() {
        ReadBudget budget = new ReadBudget(10, timers);
        long now = time.nanoTime();
        for (int i = 0; i < 20; i++) {
            budget.reserve(now);
        }
        assertThat(budget.reserve(now + SECOND / 10)).isZero();
        assertThat(budget.reserve(now + SECOND / 10)).isPositive();
        long later = now + 3600 * SECOND;
        for (int i = 0; i < 20; i++) {
            assertThat(budget.reserve(later)).isZero();
        }
        assertThat(budget.reserve(later)).isPositive();
    }

    @Test
    void without_a_limit_nothing_waits() {
        ReadBudget budget = new ReadBudget(0, timers);
        long now = time.nanoTime();
        for (int i = 0; i < 100_000; i++) {
            assertThat(budget.reserve(now)).isZero();
        }
    }
}
