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
        assertThat(notes.free("a", List.of())).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b"))).isFalse();
        assertThat(notes.block("b", rejected("b"))).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b"))).isTrue();
        assertThat(notes.haveSeen(Set.of("a", "b", "c"))).isTrue();
        assertThat(notes.free("a", List.of())).isFalse();
    }

    @Test
    void a_condition_names_the_gravest_first_whatever_node_it_is_of() {
        notes.block("a", new Blocked("RepairsUndone", "a is undone"));
        notes.block("z", rejected("z"));
        assertThat(notes.worst()).contains(rejected("z"));

        notes.free("z", List.of());
        assertThat(notes.worst()).contains(new Blocked("RepairsUndone", "a is undone"));
    }

    @Test
    void a_condition_names_three_and_counts_the_rest() {
        for (String node : List.of("a", "b", "c", "d", "e")) {
            notes.block(node, rejected(node));
        }
        assertThat(notes.worst()).contains(new Blocked("NodeRejected",
                "a is refused; b is refused; c is refused; and 2 more"));
    }

    @Test
    void an_event_stays_in_its_words_while_its_reason_stands() {
        notes.block("b", rejected("b"));
        assertThat(notes.messages()).isEqualTo(Map.of("NodeRejected", "b is refused"));
        notes.block("a", rejected("a"));
        notes.free("b", List.of());
        assertThat(notes.messages()).isEqualTo(Map.of("NodeRejected", "b is refused"));

        notes.free("a", List.of());
        assertThat(notes.messages()).isEmpty();
        notes.block("a", rejected("a"));
        assertThat(notes.messages()).isEqualTo(Map.of("NodeRejected", "a is refused"));
    }

    @Test
    void what_a_plan_left_out_blocks_and_what_it_repaired_does_not() {
        notes.free("a", List.of(new Warning(Reason.MALFORMED_TRACKING, "repaired")));
        assertThat(notes.worst()).isEmpty();
        assertThat(notes.messages()).isEqualTo(Map.of("MalformedTracking", "repaired"));

        notes.free("a", List.of(new Warning(Reason.UNUSABLE_TAINT, "left out")));
        assertThat(notes.worst()).contains(new Blocked("UnusableTaint", "left out"));
    }

    @Test
    void nodes_that_are_gone_are_not_spoken_of() {
        notes.block("a", rejected("a"));
        notes.uninitialized("b", true, NOON);
        notes.retain(Set.of("c"));
        assertThat(notes.worst()).isEmpty();
        assertThat(notes.messages()).isEmpty();
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
