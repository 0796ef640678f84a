package io.nodeward.controller.dedicated;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How long pods stay that a budget holds up, or that tolerate the taint for a while. */
class EvictionDeadlineTest extends EvictionFixture {
    private void assertBudgetsHoldUp(Duration length) {
        int before = asksBudgets.size();
        pass(length);
        assertThat(gone).isEmpty();
        assertThat(asksBudgets.size()).isGreaterThan(before);
        assertThat(asksBudgets).containsOnly(true);
    }

    @Test
    void the_deadline_begins_when_budgets_first_hold_up_this_very_pod_in_this_process_for_this_spec() {
        shown = Optional.of(time.instant().minus(Duration.ofDays(1)));
        pods(1);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 60));
        show();
        assertBudgetsHoldUp(Duration.ofSeconds(59));
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 30));
        show();
        assertBudgetsHoldUp(Duration.ofSeconds(29));
        cluster.evictions.restart();
        assertBudgetsHoldUp(Duration.ofSeconds(29));
        pass(Duration.ofSeconds(32));
        assertThat(gone).containsExactly("p0");
        cluster.pod("cherry", "late", "n");
        progress();
        pass(Duration.ofSeconds(29));
        assertThat(gone).containsExactly("p0");
        pass(Duration.ofSeconds(3));
        assertThat(gone).containsExactly("p0", "late");
    }

    @Test
    void a_pod_that_comes_later_and_tolerates_the_taint_for_a_while_stays_so_long() {
        pods(1);
        declare(2, Map.of("eviction", "Respect"));
        disruptionsAllowed = 0;
        show();
        pass(Duration.ofMinutes(5));
        disruptionsAllowed = 9;
        put("late", "uid-late", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        progress();
        pass(Duration.ofSeconds(29));
        assertThat(gone).doesNotContain("late");
        pass(Duration.ofSeconds(2));
        assertThat(gone).contains("late");
    }

    @Test
    void a_pod_that_tolerates_the_taint_for_a_while_goes_after_it() {
        pods(0);
        put("p", "uid-p", List.of(Map.of("key", "dedicated", "operator", "Exists", "tolerationSeconds", 30)));
        declare(1, Map.of("eviction", "Respect"));
        pass(Duration.ofSeconds(20));
        show();
        pass(Duration.ofSeconds(29));
        assertThat(asksBudgets).isEmpty();
        pass(Duration.ofSeconds(2));
        assertThat(gone).containsExactly("p");
    }

    @Test
    void from_the_deadline_on_pods_are_deleted() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 60));
        pass(Duration.ofMinutes(2));
        show();
        pass(Duration.ofSeconds(59));
        assertThat(gone).isEmpty();
        assertThat(asksBudgets).isNotEmpty().containsOnly(true);
        pass(Duration.ofSeconds(2));
        assertThat(gone).hasSize(2);
        assertThat(asksBudgets.subList(asksBudgets.size() - 2, asksBudgets.size())).containsOnly(false);
    }

    /** Begins a pause of all writes. Returns what ends it. */
    private Runnable pause() {
        List<Runnable> held = new ArrayList<>();
        refusal = Optional.of(ApiFailure.paused("POST p0", "writes are paused", held::add));
        return () -> {
            refusal = Optional.empty();
            held.forEach(Runnable::run);
        };
    }

    private List<Boolean> asksBudgetsAfterAPause() {
        Runnable end = pause();
        pass(Duration.ofMinutes(10));
        asksBudgets.clear();
        end.run();
        pass(Duration.ofSeconds(1));
        return asksBudgets;
    }

    @Test
    void after_a_pause_in_which_the_deadline_passed_budgets_are_asked_once_more() {
        pods(1);
        disruptionsAllowed = 0;
        declare(1, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        show();
        pass(Duration.ofSeconds(1));
        disruptionsAllowed = 1;
        assertThat(asksBudgetsAfterAPause()).containsExactly(true);
        assertThat(gone).containsExactly("p0");
    }

    @Test
    void a_pod_whose_group_evicts_no_longer_is_not_deleted_after_its_last_eviction() {
        pods(1);
        disruptionsAllowed = 0;
        declare(1, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        show();
        pass(Duration.ofSeconds(1));
        whileAsked = () -> cluster.evictions.forget("g");
        assertThat(asksBudgetsAfterAPause()).containsExactly(true);
        assertThat(gone).isEmpty();
    }

    @Test
    void pods_that_are_held_up_again_after_a_pause_in_which_the_deadline_passed_are_deleted_at_once() {
        pods(2);
        disruptionsAllowed = 0;
        declare(2, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        show();
        pass(Duration.ofSeconds(1));
        assertThat(asksBudgetsAfterAPause()).containsExactlyInAnyOrder(true, true, false, false);
        assertThat(gone).containsExactlyInAnyOrder("p0", "p1");
    }
}
