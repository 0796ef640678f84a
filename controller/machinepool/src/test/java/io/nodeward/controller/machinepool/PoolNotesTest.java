package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.validation.Warning;
import io.nodeward.core.rules.validation.Warning.Reason;
import io.nodeward.core.runtime.cluster.Blocked;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PoolNotesTest {
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

    private final PoolNotes notes = new PoolNotes();

    @Test
    void nothing_is_known_until_every_node_was_looked_at() {
        assertThat(notes.free("a")).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b"))).isFalse();
        assertThat(notes.block("b", rejected("b"), true)).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b"))).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b", "c"))).isTrue();
        assertThat(notes.free("a")).isFalse();
    }

    @Test
    void a_condition_names_the_gravest_first_whatever_node_it_is_of() {
        notes.block("a", new Blocked("RepairsUndone", "a is undone"), true);
        notes.block("z", rejected("z"), true);
        assertThat(notes.worst()).contains(rejected("z"));

        notes.free("z");
        assertThat(notes.worst()).contains(new Blocked("RepairsUndone", "a is undone"));
    }

    @Test
    void a_condition_names_three_and_counts_the_rest() {
        for (String node : List.of("a", "b", "c", "d", "e")) {
            notes.block(node, rejected(node), true);
        }
        assertThat(notes.worst()).contains(new Blocked("NodeRejected",
                "a is refused; b is refused; c is refused; and 2 more"));
    }

    @Test
    void an_event_stays_in_its_words_while_its_reason_stands() {
        notes.block("b", rejected("b"), true);
        assertThat(notes.messages(false)).isEqualTo(Map.of("NodeRejected", "b is refused"));
        notes.block("a", rejected("a"), true);
        notes.free("b");
        assertThat(notes.messages(false)).isEqualTo(Map.of("NodeRejected", "b is refused"));

        notes.free("a");
        assertThat(notes.messages(false)).isEmpty();
        notes.block("a", rejected("a"), true);
        assertThat(notes.messages(false)).isEqualTo(Map.of("NodeRejected", "a is refused"));
    }

    @Test
    void what_a_plan_left_out_blocks_and_what_it_repaired_does_not() {
        notes.warn("a", List.of(new Warning(Reason.MALFORMED_TRACKING, "repaired")));
        assertThat(notes.worst()).isEmpty();
        assertThat(notes.messages(false)).isEqualTo(Map.of("MalformedTracking", "repaired"));

        notes.warn("a", List.of(new Warning(Reason.UNUSABLE_TAINT, "left out")));
        assertThat(notes.worst()).contains(new Blocked("UnusableTaint", "left out"));
    }

    @Test
    void what_may_pass_is_for_an_event_only_when_it_has_lasted() {
        notes.block("a", rejected("a"), false);
        assertThat(notes.worst()).contains(rejected("a"));
        assertThat(notes.isBlocked("a", rejected("a"))).isTrue();
        assertThat(notes.isBlocked("a", rejected("b"))).isFalse();
        assertThat(notes.messages(false)).isEmpty();
        assertThat(notes.messages(true)).isEqualTo(Map.of("NodeRejected", "a is refused"));
    }

    @Test
    void a_warning_of_one_node_stays_in_its_words_and_one_of_all_does_not() {
        notes.warn("b", List.of(new Warning(Reason.MALFORMED_TRACKING, "b")));
        notes.messages(false);
        notes.warn("a", List.of(new Warning(Reason.MALFORMED_TRACKING, "a")));
        assertThat(notes.messages(false)).isEqualTo(Map.of("MalformedTracking", "b"));

        notes.warn("a", List.of(new Warning(Reason.UNUSABLE_TAINT, "one")));
        notes.warn("b", List.of(new Warning(Reason.UNUSABLE_TAINT, "one")));
        assertThat(notes.messages(false)).isEqualTo(Map.of("UnusableTaint", "one"));
        notes.warn("a", List.of(new Warning(Reason.UNUSABLE_TAINT, "other")));
        notes.warn("b", List.of(new Warning(Reason.UNUSABLE_TAINT, "other")));
        assertThat(notes.messages(false)).isEqualTo(Map.of("UnusableTaint", "other"));
    }

    @Test
    void a_node_that_was_looked_at_in_vain_keeps_nobody_waiting() {
        notes.warn("a", List.of());
        assertThat(notes.haveSeen(Set.of("a"))).isFalse();
        assertThat(notes.look("a")).isTrue();
        assertThat(notes.haveSeen(Set.of("a"))).isTrue();
    }

    @Test
    void nodes_that_are_gone_are_not_spoken_of() {
        notes.block("a", rejected("a"), true);
        notes.uninitialized("b", true, NOON);
        notes.retain(Set.of("c"));
        assertThat(notes.worst()).isEmpty();
        assertThat(notes.messages(false)).isEmpty();
        assertThat(notes.uninitialized(NOON)).isEmpty();
    }

    @Test
    void only_nodes_that_bear_uninitialized_for_long_are_named() {
        notes.uninitialized("a", true, NOON);
        notes.uninitialized("b", true, NOON.plusSeconds(20));
        assertThat(notes.uninitialized("a", true, NOON.plusSeconds(30))).isFalse();

        assertThat(notes.uninitialized(NOON.plusSeconds(10))).contains("a since 2026-01-01T12:00:00Z");
        assertThat(notes.untilNext(NOON.plusSeconds(10))).contains(Duration.ofSeconds(10));
        assertThat(notes.untilNext(NOON.plusSeconds(20))).isEmpty();

        assertThat(notes.uninitialized("a", false, NOON)).isTrue();
        assertThat(notes.uninitialized(NOON.plusSeconds(10))).isEqualTo(Optional.empty());
    }

    private static Blocked rejected(String node) {
        return new Blocked("NodeRejected", node + " is refused");
    }
}
