package io.nodeward.core.runtime.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.meta.Finding;
import io.nodeward.api.meta.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContributionsTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final Optional<Awaited> AWAITED =
            Optional.of(new Awaited(Reason.NODES_UNINITIALIZED, "waiting: ", "; soon"));

    private final Contributions contributions =
            contributions(OwnerPolicy.atOnce("test", key -> "", key -> key));
    /** Messages name members. */
    private final Contributions lasting = contributions(OwnerPolicy.lasting("test", target -> "", member -> member,
            (names, others, first) -> String.join(", ", names) + (others ? " and others" : "") + ": " + first));

    private static Contributions contributions(OwnerPolicy<String> policy) {
        return new Contributions(policy, Duration.ofSeconds(30));
    }

    private boolean block(String member, Blocked by, boolean atOnce) {
        return contributions.block(member, new Contributions.Note(member, by, atOnce));
    }

    @Test
    void nothing_is_known_until_every_node_was_looked_at() {
        assertThat(contributions.free("a")).isTrue();
        assertThat(contributions.areKnown(Set.of("a", "b"))).isFalse();
        assertThat(block("b", rejected("b"), true)).isTrue();
        assertThat(contributions.areKnown(Set.of("a", "b"))).isTrue();
        assertThat(contributions.areKnown(Set.of("a", "b", "c"))).isTrue();
        assertThat(contributions.free("a")).isFalse();
    }

    @Test
    void a_condition_names_the_gravest_first_whatever_node_it_is_of() {
        block("a", new Blocked(Reason.DRIFT_RECURRING, "a is undone"), true);
        block("z", rejected("z"), true);
        assertThat(contributions.worst()).contains(rejected("z"));

        contributions.free("z");
        assertThat(contributions.worst()).contains(new Blocked(Reason.DRIFT_RECURRING, "a is undone"));
    }

    @Test
    void a_reason_that_the_list_lacks_comes_after_all_others() {
        block("a", new Blocked("New", "new"), true);
        assertThat(contributions.worst()).contains(new Blocked("New", "new"));
        block("b", new Blocked(Reason.DRIFT_RECURRING, "b is undone"), true);
        assertThat(contributions.worst()).hasValueSatisfying(
                worst -> assertThat(worst.reason()).isEqualTo("DriftRecurring"));
    }

    @Test
    void a_condition_names_three_and_counts_the_rest() {
        for (String node : List.of("a", "b", "c", "d", "e")) {
            block(node, rejected(node), true);
        }
        assertThat(contributions.worst()).contains(new Blocked(Reason.NODE_REJECTED,
                "a is refused; b is refused; c is refused; and 2 more"));
    }

    @Test
    void an_event_stays_in_its_words_while_its_reason_stands() {
        block("b", rejected("b"), true);
        assertThat(contributions.messages(false)).isEqualTo(Map.of("NodeRejected", "b is refused"));
        block("a", rejected("a"), true);
        contributions.free("b");
        assertThat(contributions.messages(false)).isEqualTo(Map.of("NodeRejected", "b is refused"));

        contributions.free("a");
        assertThat(contributions.messages(false)).isEmpty();
        block("a", rejected("a"), true);
        assertThat(contributions.messages(false)).isEqualTo(Map.of("NodeRejected", "a is refused"));
    }

    @Test
    void what_a_plan_left_out_blocks_and_what_it_repaired_does_not() {
        contributions.find("a", List.of(malformed("repaired")));
        assertThat(contributions.worst()).isEmpty();
        assertThat(contributions.messages(false)).isEqualTo(Map.of("MalformedTracking", "repaired"));

        contributions.find("a", List.of(unusable("left out")));
        assertThat(contributions.worst()).contains(new Blocked(Reason.UNUSABLE_TAINT, "left out"));
    }

    @Test
    void what_may_pass_is_for_an_event_only_when_it_has_lasted() {
        block("a", rejected("a"), false);
        assertThat(contributions.worst()).contains(rejected("a"));
        assertThat(contributions.isBlocked("a", rejected("a"))).isTrue();
        assertThat(contributions.isBlocked("a", rejected("b"))).isFalse();
        assertThat(contributions.messages(false)).isEmpty();
        assertThat(contributions.messages(true)).isEqualTo(Map.of("NodeRejected", "a is refused"));
    }

    @Test
    void a_warning_of_one_node_stays_in_its_words_and_one_of_all_does_not() {
        contributions.find("b", List.of(malformed("b")));
        contributions.messages(false);
        contributions.find("a", List.of(malformed("a")));
        assertThat(contributions.messages(false)).isEqualTo(Map.of("MalformedTracking", "b"));

        contributions.find("a", List.of(unusable("one")));
        contributions.find("b", List.of(unusable("one")));
        assertThat(contributions.messages(false)).isEqualTo(Map.of("UnusableTaint", "one"));
        contributions.find("a", List.of(unusable("other")));
        contributions.find("b", List.of(unusable("other")));
        assertThat(contributions.messages(false)).isEqualTo(Map.of("UnusableTaint", "other"));
    }

    @Test
    void a_node_that_was_looked_at_in_vain_keeps_nobody_waiting() {
        contributions.find("a", List.of());
        assertThat(contributions.areKnown(Set.of("a"))).isFalse();
        assertThat(contributions.look("a")).isTrue();
        assertThat(contributions.areKnown(Set.of("a"))).isTrue();
    }

    @Test
    void nodes_that_are_gone_are_not_spoken_of() {
        block("a", rejected("a"), true);
        contributions.await("b", AWAITED, NOON);
        contributions.find("d", List.of(unusable("left out")));
        contributions.look("c");
        assertThat(contributions.areKnown(Set.of("c"))).isTrue();
        assertThat(contributions.worst()).isEmpty();
        assertThat(contributions.messages(false)).isEmpty();
        assertThat(contributions.awaited(NOON)).isEmpty();
    }

    @Test
    void only_nodes_that_bear_uninitialized_for_long_are_named() {
        contributions.await("a", AWAITED, NOON);
        contributions.await("b", AWAITED, NOON.plusSeconds(20));
        assertThat(contributions.await("a", AWAITED, NOON.plusSeconds(30))).isFalse();

        assertThat(contributions.awaited(NOON.plusSeconds(10))).contains(
                new Blocked(Reason.NODES_UNINITIALIZED, "waiting: a since 2026-01-01T12:00:00Z; soon"));
        assertThat(contributions.untilNext(NOON.plusSeconds(10))).contains(Duration.ofSeconds(10));
        assertThat(contributions.untilNext(NOON.plusSeconds(20))).isEmpty();

        assertThat(contributions.await("a", Optional.empty(), NOON)).isTrue();
        assertThat(contributions.awaited(NOON.plusSeconds(10))).isEqualTo(Optional.empty());
    }

    @Test
    void each_reason_names_whom_it_concerns_and_the_first_that_there_are_others() {
        blockLasting("a", "TaintsRejected");
        assertThat(lasting.worst()).contains(new Blocked(Reason.TAINTS_REJECTED, "a: because of a"));

        blockLasting("b", "FieldConflict");
        assertThat(lasting.worst()).contains(new Blocked(Reason.FIELD_CONFLICT, "b and others: because of b"));
        assertThat(lasting.messages(false)).isEmpty();
        assertThat(lasting.messages(true)).isEqualTo(
                Map.of("FieldConflict", "b: because of b", "TaintsRejected", "a: because of a"));
    }

    @Test
    void three_are_named() {
        for (String name : List.of("a", "b", "c")) {
            blockLasting(name, "TaintsRejected");
        }
        assertThat(lasting.worst()).contains(new Blocked(Reason.TAINTS_REJECTED, "a, b, c: because of a"));
        blockLasting("d", "TaintsRejected");
        assertThat(lasting.worst()).contains(new Blocked(Reason.TAINTS_REJECTED, "a, b, c and others: because of a"));
    }

    @Test
    void an_event_that_names_members_follows_them() {
        blockLasting("b", "TaintsRejected");
        assertThat(lasting.messages(true)).isEqualTo(Map.of("TaintsRejected", "b: because of b"));
        blockLasting("a", "TaintsRejected");
        assertThat(lasting.messages(true)).isEqualTo(Map.of("TaintsRejected", "a, b: because of a"));

        assertThat(lasting.free("a")).isTrue();
        assertThat(lasting.free("b")).isTrue();
        assertThat(lasting.worst()).isEmpty();
        assertThat(lasting.messages(true)).isEmpty();
    }

    private void blockLasting(String member, String reason) {
        lasting.block(member, new Contributions.Note(member, new Blocked(reason, "because of " + member), false));
    }

    private static Finding malformed(String message) {
        return new Finding("MalformedTracking", message, false, true);
    }

    private static Finding unusable(String message) {
        return new Finding("UnusableTaint", message, true, false);
    }

    private static Blocked rejected(String node) {
        return new Blocked(Reason.NODE_REJECTED, node + " is refused");
    }
}
