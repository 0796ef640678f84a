package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Status;
import io.nodeward.core.spi.ApiFailure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.ParameterizedTest;

/** A rule that respects PodDisruptionBudgets, and the budget of all its pods. */
class BudgetEvictionTest {
    private static final String HELD_UP =
            "; PodDisruptionBudgets hold up %s, which is tried again; of Pod ns/%s The disruption budget b needs 9"
                    + " healthy pods and has 9 currently";
    private final EvictionFixture cluster = new EvictionFixture();

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void start(int pods, int perSecond, Map<String, Object> spec) {
        cluster.pods(pods);
        cluster.start();
        cluster.declare(Map.of("driver", EvictionFixture.DRIVER, "pool", "node-1"), "NoExecute", perSecond, spec);
        cluster.edit(Map.of("taint", Map.of("timeAdded", cluster.rule.time.instant().toString())));
        cluster.work();
    }

    private void start(int pods, int perSecond) {
        start(pods, perSecond, Map.of("eviction", "Respect"));
    }

    private long events() {
        return cluster.events().size();
    }

    @Test
    void the_server_asks_the_budgets_and_says_in_the_status_that_the_pod_is_evicted() {
        start(3, 10);
        assertThat(cluster.deleted).hasSize(3);
        assertThat(cluster.asksBudgets).containsOnly(true);
        assertThat(cluster.marked).isEmpty();
        assertThat(events()).isEqualTo(3);
    }

    /** Else pods would go past their budgets at the pace of the rule that respects them. */
    @Test
    void pods_under_a_rule_that_deletes_go_at_its_pace_and_not_at_that_of_one_that_respects_budgets() {
        cluster.pods(15);
        cluster.start();
        Map<String, Object> devices = Map.of("driver", EvictionFixture.DRIVER, "pool", "node-1");
        cluster.rule.declare("other", Map.of("deviceSelector", devices, "taint", Map.of("key", "example.com/other",
                "effect", "NoExecute", "evictionsPerSecond", 1, "timeAdded", cluster.rule.time.instant().toString())));
        cluster.declare(devices, "NoExecute", 1000, Map.of("eviction", "Respect"));
        cluster.edit(Map.of("taint", Map.of("timeAdded", cluster.rule.time.instant().toString())));
        cluster.pass(3);
        assertThat(cluster.deleted).as("ten at once, and one a second").hasSizeBetween(12, 13);
        assertThat(cluster.asksBudgets).containsOnly(false);
    }

    /** The API server answers so if a user deletes the budget meanwhile. */
    @Test
    void a_pod_that_is_there_although_the_server_does_not_find_it_is_tried_again() {
        cluster.missing = 1;
        start(1, 10);
        cluster.pass(3);
        assertThat(cluster.deleted).containsExactly("p0");
    }

    @Test
    void by_default_pods_are_deleted_whatever_their_budgets_say() {
        cluster.disruptionsAllowed = 0;
        start(3, 10, Map.of());
        assertThat(cluster.deleted).hasSize(3);
        assertThat(cluster.asksBudgets).containsOnly(false);
    }

    @Test
    void a_pod_that_a_budget_holds_up_has_no_event_and_is_tried_again_later_from_time_to_time() {
        cluster.disruptionsAllowed = 0;
        start(1, 10);
        int times = 1;
        for (int pause : List.of(5, 10, 20, 40, 60, 60)) {
            assertThat(cluster.asksBudgets).hasSize(times++);
            int jitter = pause / 5;
            cluster.pass(pause - jitter - 1);
            assertThat(cluster.asksBudgets).as("before %s s", pause).hasSize(times - 1);
            cluster.untilAsked(times, 2 * jitter + 1);
        }
        assertThat(events()).isZero();
        cluster.disruptionsAllowed = 1;
        cluster.pass(73);
        assertThat(cluster.deleted).containsExactly("p0");
        assertThat(events()).isOne();
    }

    @Test
    void another_pod_of_the_same_name_starts_with_the_first_pause() {
        cluster.disruptionsAllowed = 0;
        start(1, 10);
        cluster.untilAsked(5, 100);
        cluster.devices.life = "again";
        cluster.pods(1);
        cluster.pass(2);
        assertThat(cluster.asksBudgets).hasSize(6);
        cluster.untilAsked(7, 6);
        assertThat(cluster.asksBudgets).as("5 s later, jittered by a fifth").hasSize(7);
    }

    @Test
    void the_condition_says_how_many_a_budget_holds_up_and_which() {
        cluster.disruptionsAllowed = 1;
        start(10, 10);
        cluster.pass(11);
        String held = cluster.deleted.getFirst().equals("p0") ? "p1" : "p0";
        assertThat(cluster.progress("message"))
                .isEqualTo("9 pods in 1 namespace to be evicted; 1 pod evicted since the controller started"
                        + HELD_UP.formatted(9, held));
        cluster.disruptionsAllowed = 9;
        cluster.pass(25);
        assertThat(cluster.progress("message")).isEqualTo("10 pods evicted since the controller started");
    }

    @Test
    void a_pod_that_a_budget_holds_up_costs_no_token() {
        cluster.disruptionsAllowed = 0;
        start(10, 1);
        assertThat(cluster.asksBudgets).as("all ten at once").hasSize(10);
        cluster.disruptionsAllowed = 10;
        cluster.pass(7);
        assertThat(cluster.deleted).as("as if it was the first time").hasSize(10);
    }

    /** The pod may be gone. */
    @Test
    void a_reply_that_is_lost_costs_the_token() {
        cluster.refusal = Optional.of(ApiFailure.unreachable("POST", "connection reset", new IOException("reset")));
        start(10, 1);
        cluster.refusal = Optional.empty();
        cluster.pass(5);
        assertThat(cluster.deleted).as("one a second, and the last may go again without another").hasSizeBetween(5, 6);
    }

    @Test
    void after_the_deadline_pods_are_deleted_all_the_same_and_not_before() {
        cluster.disruptionsAllowed = 0;
        start(2, 10, Map.of("eviction", "Respect", "deadlineSeconds", 100));
        cluster.pass(99);
        assertThat(cluster.asksBudgets).containsOnly(true);
        assertThat(cluster.deleted).isEmpty();
        cluster.pass(2);
        assertThat(cluster.deleted).hasSize(2);
        assertThat(cluster.marked).as("by Nodeward, which deletes them").hasSize(2);
        assertThat(cluster.asksBudgets).filteredOn(asks -> !asks).hasSize(2);
        assertThat(events()).isEqualTo(2);
    }

    /** Begins a pause of all writes after the first request, lets the deadline pass, and ends the pause. */
    private void startAndPassDeadlineInAPause() {
        cluster.disruptionsAllowed = 0;
        start(2, 10, Map.of("eviction", "Respect", "deadlineSeconds", 300));
        List<Runnable> held = new ArrayList<>();
        cluster.refusal = Optional.of(ApiFailure.paused("POST", "writes are paused", held::add));
        cluster.pass(600);
        cluster.refusal = Optional.empty();
        cluster.asksBudgets.clear();
        cluster.marked.clear();
        held.forEach(Runnable::run);
    }

    @Test
    void after_a_pause_in_which_the_deadline_passed_budgets_are_asked_once_more() {
        startAndPassDeadlineInAPause();
        cluster.disruptionsAllowed = 2;
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(2);
        assertThat(cluster.asksBudgets).containsExactly(true, true);
        assertThat(cluster.marked).isEmpty();
    }

    @Test
    void pods_that_are_held_up_again_after_a_pause_in_which_the_deadline_passed_are_deleted_at_once() {
        startAndPassDeadlineInAPause();
        cluster.pass(1);
        assertThat(cluster.deleted).hasSize(2);
        assertThat(cluster.asksBudgets).containsExactlyInAnyOrder(true, true, false, false);
        assertThat(cluster.marked).hasSize(2);
    }

    /** A webhook may refuse Evictions alone, or be broken, and a server may not know them. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', value = {"403,Forbidden,no", "422,Invalid,no", "405,MethodNotAllowed,no",
            "500,InternalError,Internal error occurred: failed calling webhook \"v\"",
            "429,TooManyRequests,admission webhook \"v\" denied the request: migrating",
            "503,ServiceUnavailable,admission webhook \"v\" denied the request: later"})
    void a_pod_whose_last_eviction_is_refused_for_something_else_is_deleted_in_the_same_turn(
            int code, String reason, String message) {
        startAndPassDeadlineInAPause();
        cluster.refusesEvictionsAlone = true;
        cluster.refusal = Optional.of(ApiFailure.of(
                new Status(code, reason, message, 0), "POST", Optional.empty()));
        cluster.pass(1);
        assertThat(cluster.asksBudgets).containsExactlyInAnyOrder(true, true, false, false);
        assertThat(cluster.deleted).hasSize(2);
    }

    @ParameterizedTest
    @CsvSource({"503,ServiceUnavailable,later", "429,TooManyRequests,later", "500,'',etcdserver: leader changed"})
    void an_outage_is_no_answer_to_the_last_eviction(int code, String reason, String message) {
        startAndPassDeadlineInAPause();
        cluster.refusal = Optional.of(ApiFailure.of(new Status(code, reason, message, 0), "POST", Optional.empty()));
        cluster.pass(60);
        assertThat(cluster.asksBudgets).isNotEmpty().containsOnly(true);
        assertThat(cluster.deleted).isEmpty();
    }

    @Test
    void a_pod_that_need_not_go_any_more_is_not_marked_after_its_last_eviction() {
        startAndPassDeadlineInAPause();
        cluster.whileAsked = () -> cluster.effect("None");
        cluster.pass(5);
        assertThat(cluster.asksBudgets).contains(true).doesNotContain(false);
        assertThat(cluster.marked).isEmpty();
    }

    @Test
    void a_pod_that_need_not_go_any_more_is_not_deleted_after_its_last_eviction() {
        startAndPassDeadlineInAPause();
        cluster.whileMarked = () -> cluster.effect("None");
        cluster.pass(5);
        assertThat(cluster.asksBudgets).contains(true).doesNotContain(false);
        assertThat(cluster.deleted).isEmpty();
    }

    /** A token is for the pod that asks first, and the last of these have their turns long after they were asked about. */
    @Test
    void more_pods_than_the_pace_lets_go_in_two_minutes_go_at_that_pace_after_the_deadline() {
        cluster.disruptionsAllowed = 0;
        start(150, 1, Map.of("eviction", "Respect", "deadlineSeconds", 60));
        cluster.pass(60 + 150);
        assertThat(cluster.deleted).hasSizeBetween(140, 150);
        assertThat(cluster.asksBudgets).filteredOn(asks -> !asks).hasSizeBetween(140, 150);
    }

    @Test
    void a_pod_that_is_gone_is_held_up_no_longer() {
        cluster.disruptionsAllowed = 0;
        start(1, 10, Map.of("eviction", "Respect"));
        cluster.pass(80);
        assertThat(cluster.progress("message")).contains("PodDisruptionBudgets hold up 1");
        DevicesFixture.remove(cluster.devices.caches.pods(), "ns", "p0");
        cluster.pass(15);
        assertThat(cluster.progress("message")).as("although it was to be tried again later").doesNotContain("hold up");
    }

    @Test
    void pods_that_are_held_up_go_at_once_when_the_rule_respects_budgets_no_more() {
        cluster.disruptionsAllowed = 0;
        start(3, 10);
        cluster.pass(40);
        cluster.edit(Map.of("eviction", "Delete"));
        cluster.pass(2);
        assertThat(cluster.deleted).hasSize(3);
    }

    @Test
    void a_pod_that_is_held_up_and_then_need_not_go_is_not_counted() {
        cluster.disruptionsAllowed = 0;
        start(2, 10);
        cluster.pass(2);
        cluster.devices.pod("p0", "node-1", "Succeeded", Map.of(), false);
        cluster.pass(30);
        assertThat(cluster.progress("message"))
                .isEqualTo("1 pod in 1 namespace to be evicted" + HELD_UP.formatted(1, "p1"));
    }

    /** A server that has enough says 429 too. */
    @Test
    void a_server_that_has_enough_holds_up_nobody_for_long() {
        cluster.refusal = Optional.of(ApiFailure.of(
                new Status(429, "TooManyRequests", "the server has enough", 1), "POST", Optional.empty()));
        start(1, 10);
        cluster.refusal = Optional.empty();
        cluster.pass(3);
        assertThat(cluster.deleted).containsExactly("p0");
    }
}
