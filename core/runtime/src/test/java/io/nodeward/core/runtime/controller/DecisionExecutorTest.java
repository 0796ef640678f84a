package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Status;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.status.Blocked;
import io.nodeward.core.runtime.time.Backoff;
import io.nodeward.core.spi.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DecisionExecutorTest extends ExecutorFixture {
    @Test
    void it_decides_writes_once_and_reports() {
        left = Duration.ZERO;
        assertThat(executor.apply("k")).isEqualTo(Result.done());
        assertThat(calls).containsExactly("decide", "planned", "write by manager", "executed", "in effect");
    }

    @Test
    void nothing_to_change_is_no_request() {
        decision = new Decision.Change(OWNER, ObjectChange.node(new ObjectKey("ns", "c"), NODE,
                new NodeChange("n", "1", Optional.empty(), new TreeMap<>(), new TreeMap<>())), "a", List.of(),
                Optional.empty());
        executor.apply("k");
        assertThat(calls).containsExactly("decide", "planned", "executed", "in effect");
    }

    @Test
    void what_is_in_effect_ends_a_refusal_as_an_empty_change_does() {
        decision = new Decision.InEffect(OWNER, List.of());
        left = Duration.ZERO;
        assertThat(executor.apply("k")).isEqualTo(Result.done());
        assertThat(calls).containsExactly("decide", "planned", "executed", "in effect");
        left = LEFT;
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "its status to change or last"));
    }

    @Test
    void a_status_that_is_not_final_brings_the_key_back() {
        assertThat(executor.apply("k")).isInstanceOfSatisfying(
                Result.RequeueAfter.class, again -> assertThat(again.after()).isEqualTo(LEFT));
    }

    @Test
    void a_newer_object_is_decided_on_at_once_and_written_with_certainty() {
        writer = (change, manager, again) -> again ? new Applied.Written() : new Applied.Outdated(failure(409));
        executor.apply("k");
        assertThat(calls).containsExactly("decide", "planned", "write by manager", "decide", "planned",
                "write by manager again", "executed", "in effect");
    }

    @Test
    void a_change_of_the_owner_itself_is_decided_on_again_and_one_of_an_object_of_the_same_name_is_not() {
        writer = (change, manager, again) -> {
            decision = new Decision.InEffect(OWNER, List.of());
            return new Applied.Written();
        };
        decision = applied("g");
        executor.apply("k");
        assertThat(calls).containsExactly("decide", "planned", "write by manager", "decide", "planned", "executed",
                "in effect");
        calls.clear();
        decision = applied("other.g");
        executor.apply("k");
        assertThat(calls).containsExactly("decide", "planned", "write by manager", "executed", "in effect");
    }

    private static Decision applied(String group) {
        ObjectChange update = ObjectChange.apply(new ObjectKind(group, "v1", "Machine", "machines", true),
                OWNER.regarding().key(), Tree.of(Map.of())).seenIn(new ObjectCache<>());
        return new Decision.Change(OWNER, update, "", List.of(), Optional.empty());
    }

    @Test
    void a_removal_that_waits_is_a_finding_when_it_has_lasted() {
        Decision.Change all = new Decision.Change(OWNER, ObjectChanges.ofObject().of(Part.ANNOTATIONS, Map.of()), "a",
                List.of(), Optional.empty());
        Result.RequeueAfter later = new Result.RequeueAfter(Duration.ofSeconds(5), "the newest version");
        Decision.Change withheld = all.withhold(all.change(), new Withheld(later, Optional.empty()));
        assertThat(withheld.findings()).isEmpty();
        assertThat(withheld.withheld()).isTrue();
        assertThat(withheld.recheck()).contains(later);
        assertThat(all.withhold(all.change(), new Withheld(later, Optional.of("why"))).findings())
                .containsExactly(new Finding("RemovalWithheld", "why", true, false));
    }

    @Test
    void an_object_that_changes_all_the_time_goes_back_to_the_queue_after_twenty_tries() {
        writer = (change, manager, again) -> new Applied.Outdated(failure(409));
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Conflict.class);
        assertThat(calls).filteredOn("decide"::equals).hasSize(20);
        assertThat(calls).endsWith("failed");
    }

    @Test
    void a_refusal_is_tried_once_more_and_then_left_to_the_next_change() {
        writer = (change, manager, again) -> {
            throw failure(422);
        };
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "Node n to be accepted"));
        left = Duration.ZERO;
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Rejected.class);
        assertThat(calls).filteredOn("not written: NodeRejected, Node n was refused: why, certain"::equals).hasSize(2);
    }

    @Test
    void a_controller_may_have_refused_writes_tried_again_after_pauses_that_grow_until_one_is_taken() {
        DecisionExecutor<String> patient =
                executor(WriteLimits.retrying(new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10))));
        ObjectWriter accepting = writer;
        ObjectWriter refusing = (change, manager, again) -> {
            throw failure(422);
        };
        left = Duration.ZERO;
        for (int minutes : new int[]{1, 2, 4, 8, 10, 10, 0, 1}) {
            writer = minutes == 0 ? accepting : refusing;
            Result result = patient.apply("k");
            if (minutes == 0) {
                assertThat(result).isEqualTo(Result.done());
            } else {
                assertThat(result).isInstanceOfSatisfying(Result.RequeueAfter.class,
                        again -> assertThat(again.after()).isBetween(
                                Duration.ofSeconds(48L * minutes), Duration.ofSeconds(72L * minutes)));
            }
        }
    }

    @Test
    void a_refused_write_is_not_sent_again_when_only_its_status_comes_back_from_a_conflict() {
        List<String> sent = new ArrayList<>();
        writer = (change, manager, again) -> {
            sent.add(manager);
            throw failure(422);
        };
        left = Duration.ofSeconds(1);
        outdated = true;
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(left, "Node n to be accepted"));
        left = LEFT;
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "Node n to be accepted"));
        assertThat(sent).hasSize(1);
        assertThat(calls).filteredOn("not written: NodeRejected, Node n was refused: why, certain"::equals).hasSize(2);

        outdated = false;
        executor.apply("k");
        assertThat(sent).as("when it was to be tried again").hasSize(2);
    }

    @Test
    void a_round_that_sends_nothing_lengthens_no_pause() {
        DecisionExecutor<String> patient =
                executor(WriteLimits.retrying(new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10))));
        writer = (change, manager, again) -> {
            throw failure(422);
        };
        left = Duration.ofSeconds(1);
        outdated = true;
        patient.apply("k");
        left = Duration.ZERO;
        assertThat(patient.apply("k")).isInstanceOfSatisfying(Result.RequeueAfter.class,
                again -> assertThat(again.after()).isBetween(Duration.ofSeconds(48), Duration.ofSeconds(72)));
    }

    @Test
    void another_change_is_sent_whatever_the_status_of_the_one_before_met() {
        writer = (change, manager, again) -> {
            throw failure(422);
        };
        left = Duration.ofSeconds(1);
        outdated = true;
        executor.apply("k");
        decision = change("b");
        executor.apply("k");
        assertThat(calls).filteredOn("write by manager"::equals).hasSize(2);
    }

    /** Each touch of the Node brings the key back. */
    @Test
    void a_server_that_refuses_each_write_and_touches_the_object_is_asked_less_and_less() {
        int[] text = {0};
        writer = (change, manager, again) -> {
            throw ApiFailure.of(new Status(422, "Invalid", "why " + text[0]++, 0), "PATCH", Optional.empty());
        };
        left = Duration.ZERO;
        for (int sent : new int[]{20, 40, 40, 60}) {
            for (int second = 0; second < 60; second++) {
                try {
                    executor.apply("k");
                } catch (ApiFailure.Rejected refused) {
                    assertThat(refused).hasMessageContaining("why " + (text[0] - 1));
                }
                time.pass(Duration.ofSeconds(1));
            }
            assertThat(text[0]).isEqualTo(sent);
        }
        assertThat(executor.apply("k")).isEqualTo(
                Result.requeueAfter(Duration.ofMinutes(3), "Node n to be accepted"));
        assertThat(calls).last().isEqualTo("not written: NodeRejected, Node n was refused: why 59, certain");
        decision = change("b");
        assertThatThrownBy(() -> executor.apply("k")).as("another declaration").hasMessageContaining("why 60");
        writer = (change, manager, again) -> new Applied.Written();
        assertThat(executor.apply("k")).as("an accepted write").isEqualTo(Result.done());
    }

    @Test
    void a_refused_write_is_tried_again_sooner_if_the_status_asks_for_it() {
        DecisionExecutor<String> patient =
                executor(WriteLimits.retrying(new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(10))));
        writer = (change, manager, again) -> {
            throw failure(422);
        };
        assertThat(patient.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "Node n to be accepted"));
    }

    @Test
    void a_missing_right_is_reported_if_it_lasts_and_tried_as_any_other_failure() {
        writer = (change, manager, again) -> {
            throw failure(403);
        };
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Forbidden.class);
        assertThat(calls).endsWith("not written: NodeRejected, Node n was refused: why, not certain");
    }

    @Test
    void a_missing_right_in_the_management_cluster_is_reported_at_once() {
        decision = new Decision.Change(
                OWNER, ObjectChanges.ofObject().of(Part.ANNOTATIONS, Map.of()), "a", List.of(), Optional.empty());
        writer = (change, manager, again) -> {
            throw failure(403);
        };
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Forbidden.class);
        assertThat(calls).endsWith("not written: CapacityRefused, annotations were refused: why, certain");
    }

    @Test
    void what_is_to_be_in_a_namespace_that_is_missing_is_reported_and_tried_until_it_is_there() {
        decision = new Decision.Change(OWNER, ObjectChanges.ofObject(), "a", List.of(), Optional.empty());
        writer = (change, manager, again) -> {
            throw ApiFailure.of(new Status(404, "NotFound", "namespaces ns not found", 0), "POST x", Optional.empty());
        };
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "Kind ns/name to be accepted"));
        assertThat(calls).endsWith(
                "not written: KindRejected, Kind ns/name was refused: namespaces ns not found, certain");
        left = Duration.ZERO;
        for (int minutes : new int[]{2, 4, 8, 10, 10}) {
            assertThat(executor.apply("k")).isInstanceOfSatisfying(Result.RequeueAfter.class,
                    again -> assertThat(again.after()).isBetween(
                            Duration.ofSeconds(48L * minutes), Duration.ofSeconds(72L * minutes)));
        }
    }

    @Test
    void a_controller_may_hold_back_writes_sooner_and_for_longer() {
        DecisionExecutor<String> strict = executor(WriteLimits.of(1, Duration.ofMinutes(5)));
        left = Duration.ZERO;
        assertThat(strict.apply("k")).isEqualTo(Result.done());
        assertThat(strict.apply("k"))
                .isEqualTo(Result.requeueAfter(Duration.ofMinutes(5), "others to stop changing Node n"));
        assertThat(calls).last().asString().endsWith("after 1 writes in 5 minutes the next waits");
    }

    @Test
    void what_no_event_may_tell_of_is_decided_on_again_and_sooner_if_the_status_asks_for_it() {
        Decision.Change change = (Decision.Change) change("a");
        Result.RequeueAfter later = new Result.RequeueAfter(Duration.ofMinutes(1), "an answer");
        decision = new Decision.Change(change.owner(), change.change(), "a", List.of(), Optional.empty(),
                Optional.of(later), false);
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "its status to change or last"));
        for (Duration none : List.of(Duration.ZERO, Duration.ofMinutes(2))) {
            left = none;
            assertThat(executor.apply("k")).as("the status asks for %s", none).isEqualTo(later);
        }
    }

    @Test
    void what_was_reported_of_an_object_that_is_another_controllers_now_is_taken_away() {
        decision = new Decision.Gone("adopted", Optional.of(OWNER));
        left = Duration.ZERO;
        assertThat(executor.apply("k")).isEqualTo(Result.waiting("nothing: adopted"));
        assertThat(calls).containsExactly("decide", "forget", "executed", "in effect");
        left = LEFT;
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "its status to change or last"));
    }

    @Test
    void a_controller_learns_of_a_change_that_no_answer_came_to() {
        writer = (change, manager, again) -> {
            throw failure(503);
        };
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(calls).endsWith("failed", "unanswered");
        calls.clear();
        writer = (change, manager, again) -> new Applied.Unanswered(failure(503));
        assertThatThrownBy(() -> executor.apply("k")).as("a deletion").isInstanceOf(ApiFailure.Unreachable.class);
        assertThat(calls).endsWith("failed", "unanswered");
        writer = (change, manager, again) -> {
            throw failure(429);
        };
        assertThatThrownBy(() -> executor.apply("k")).isInstanceOf(ApiFailure.Throttled.class);
        assertThat(calls).endsWith("failed");
    }

    @Test
    void writes_that_others_undo_are_held_back_and_that_is_over_when_it_has_lasted() {
        for (int write = 0; write < 20; write++) {
            executor.apply("k");
        }
        calls.clear();
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "others to stop changing Node n"));
        assertThat(calls).containsExactly("decide", "planned", "held back: DriftRecurring, Node n: somebody keeps"
                + " undoing what is declared; after 20 writes in a minute the next waits");
        left = Duration.ZERO;
        assertThat(executor.apply("k"))
                .isEqualTo(Result.requeueAfter(Duration.ofMinutes(1), "others to stop changing Node n"));
        decision = change("b");
        assertThat(executor.apply("k")).isEqualTo(
                Result.requeueAfter(Duration.ofMinutes(1), "what was repaired to last"));
        decision = new Decision.InEffect(OWNER, List.of());
        assertThat(executor.apply("k")).isEqualTo(
                Result.requeueAfter(Duration.ofMinutes(1), "what was repaired to last"));
        time.pass(Duration.ofMinutes(1));
        assertThat(executor.apply("k")).isEqualTo(Result.done());
    }

    @Test
    void a_decision_that_changes_nothing_is_made_again_when_it_says_so_or_sooner() {
        Optional<Result.RequeueAfter> recheck = Optional.of(new Result.RequeueAfter(Duration.ofHours(1), "a time"));
        Blocked blocked = new Blocked("Reason", "message");
        for (Decision each : List.of(new Decision.InEffect(OWNER, List.of(), recheck),
                new Decision.Blocked(OWNER, blocked, false, recheck))) {
            decision = each;
            left = Duration.ZERO;
            assertThat(executor.apply("k")).isEqualTo(recheck.get());
            left = LEFT;
            assertThat(executor.apply("k")).isInstanceOfSatisfying(Result.RequeueAfter.class,
                    sooner -> assertThat(sooner.after()).isEqualTo(LEFT));
        }
    }

    @Test
    void a_dry_run_counts_for_no_limit() {
        writer = (change, manager, again) -> new Applied.DryRun();
        for (int plan = 0; plan < 100; plan++) {
            executor.apply("k");
        }
        assertThat(calls).filteredOn("in effect"::equals).hasSize(100);
    }

    @Test
    void a_cluster_that_went_away_meanwhile_is_waited_for() {
        writer = (change, manager, again) -> new Applied.Unavailable("the cluster");
        assertThat(executor.apply("k")).isEqualTo(Result.waiting("the cluster"));
        assertThat(calls).endsWith("write by manager", "executed", "waiting");
    }

    @Test
    void what_is_gone_is_forgotten_everywhere() {
        decision = new Decision.Gone("deleted");
        assertThat(executor.apply("k")).isEqualTo(Result.waiting("nothing: deleted"));
        assertThat(calls).containsExactly("decide", "forget", "executed");
    }

    @Test
    void what_is_blocked_comes_back_until_it_is_reported() {
        decision = new Decision.Blocked(OWNER, new Blocked("NodeNotJoined", "no Node"), false);
        assertThat(executor.apply("k")).isEqualTo(Result.requeueAfter(LEFT, "the end of NodeNotJoined"));
        left = Duration.ZERO;
        assertThat(executor.apply("k")).isEqualTo(Result.waiting("the end of NodeNotJoined"));
    }

    private static ApiFailure failure(int code) {
        return ApiFailure.of(new Status(code, "Reason", "why", 0), "PATCH x", Optional.empty());
    }
}
