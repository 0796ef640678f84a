package io.nodeward.core.runtime.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.controller.NoExecuteLimit.Limited;
import io.nodeward.core.runtime.controller.NoExecuteLimit.Settings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NoExecuteLimitTest {
    private static final NodeChange WHOLE = change(Taint.of("out", "", "NoExecute"));
    private static final Optional<NodeChange> REST = Optional.of(change());

    private long now;
    private final NoExecuteLimit<String, Integer> limit = limit(Settings.DEFAULT);
    private final List<String> counted = new ArrayList<>();
    private final List<Integer> let = new ArrayList<>();

    @Test
    void nodes_of_an_owner_get_it_one_after_the_other_and_those_of_another_at_the_same_time() {
        join("a", 0, 20);
        assertThat(ask(1, "a", 0).again().orElseThrow().after()).as("after a start the window counts as used")
                .isEqualTo(Duration.ofSeconds(6));
        assertThat(ask(2, "a", 0).again().orElseThrow().after()).isEqualTo(Duration.ofSeconds(12));
        assertThat(ask(50, "b", 0).again().orElseThrow().after()).isEqualTo(Duration.ofSeconds(6));
        assertThat(ask(1, "a", 0).change()).isEqualTo(REST.orElseThrow());
        now += Duration.ofSeconds(6).toNanos();
        assertThat(ask(1, "a", 0)).isEqualTo(new Limited(WHOLE, Optional.empty()));
        limit.written(1);
        assertThat(limit.waiting("a")).containsExactly(2);
        assertThat(ask(2, "a", 0).again().orElseThrow().after()).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void more_than_a_tenth_of_the_nodes_wait_until_their_number_is_confirmed() {
        join("a", 0, 200);
        IntStream.range(0, 20).forEach(node -> ask(node, "a", 0));
        assertThat(limit.stopped("a")).isEmpty();
        assertThat(ask(20, "a", 0)).as("the harmless rest is not held up").isEqualTo(
                new Limited(REST.orElseThrow(), Optional.empty()));
        assertThat(limit.stopped("a").orElseThrow().blocked().message()).isEqualTo("21 of 200 Nodes would newly get"
                + " NoExecute, which evicts their pods; to confirm, set the annotation"
                + " nodeward.io/confirmed-noexecute-nodes to 21");
        now += Duration.ofHours(1).toNanos();
        assertThat(ask(20, "a", 20).change()).isEqualTo(REST.orElseThrow());
        assertThat(let).isEmpty();
        assertThat(ask(20, "a", 21).change()).as("the first token came long ago").isEqualTo(WHOLE);
        assertThat(ask(19, "a", 21).again()).isPresent();
        assertThat(let).as("those that wait hear of it").hasSize(21);
    }

    @Test
    void ten_nodes_need_no_confirmation_however_few_the_owner_has() {
        IntStream.range(0, 10).forEach(node -> ask(node, "a", 0));
        assertThat(limit.stopped("a")).isEmpty();
        ask(10, "a", 0);
        assertThat(limit.stopped("a")).isPresent();
        counted.clear();
        limit.forget(10);
        assertThat(limit.stopped("a")).isEmpty();
        assertThat(counted).containsExactly("a");
        assertThat(let).hasSize(10);
    }

    @Test
    void a_node_that_does_not_get_it_any_more_waits_no_longer_and_one_that_changes_hands_counts_for_its_new_owner() {
        IntStream.range(0, 11).forEach(node -> ask(node, "a", 0));
        assertThat(limit.limit(3, "a", 0, change(), Optional.empty()).change()).isEqualTo(change());
        assertThat(limit.stopped("a")).isEmpty();
        ask(4, "b", 0);
        assertThat(limit.waiting("a")).hasSize(9);
        assertThat(limit.waiting("b")).containsExactly(4);
        assertThat(limit.waiting()).isEqualTo(10);
        limit.forget(4);
        assertThat(limit.waiting("b")).isEmpty();
    }

    @Test
    void an_owner_hears_of_numbers_that_change_and_of_nothing_else() {
        ask(1, "a", 0);
        assertThat(counted).containsExactly("a");
        ask(1, "a", 0);
        limit.limit(2, "a", 0, change(), Optional.empty());
        assertThat(counted).hasSize(1);
        ask(1, "a", 7);
        assertThat(counted).hasSize(2);
    }

    @Test
    void zero_is_no_limit() {
        NoExecuteLimit<String, Integer> none = limit(Settings.NONE);
        IntStream.range(0, 100).forEach(node -> assertThat(none.limit(node, "a", 0, WHOLE, REST))
                .isEqualTo(new Limited(WHOLE, Optional.empty())));
        NoExecuteLimit<String, Integer> paced = limit(new Settings(10, 0));
        IntStream.range(0, 100).forEach(node -> paced.limit(node, "a", 0, WHOLE, REST));
        assertThat(paced.stopped("a")).isEmpty();
    }

    @Test
    void what_is_no_number_confirms_nothing() {
        for (String text : List.of("", "-1", "1e3", "10 ", "9999999999", "all")) {
            assertThat(NoExecuteLimit.confirmed(Map.of(TaintAnnotations.CONFIRMED, text))).as(text).isZero();
        }
        assertThat(NoExecuteLimit.confirmed(Map.of())).isZero();
        assertThat(NoExecuteLimit.confirmed(Map.of(TaintAnnotations.CONFIRMED, "1000"))).isEqualTo(1000);
    }

    private void join(String owner, int from, int to) {
        IntStream.range(from, to).forEach(node -> limit.limit(node, owner, 0, change(), Optional.empty()));
    }

    private Limited ask(int node, String owner, long confirmed) {
        return limit.limit(node, owner, confirmed, WHOLE, REST);
    }

    private NoExecuteLimit<String, Integer> limit(Settings settings) {
        NoExecuteLimit<String, Integer> made = new NoExecuteLimit<>(settings, () -> now);
        made.whenCounted(owner -> counted.add(owner));
        made.whenLet(node -> let.add(node));
        return made;
    }

    private static NodeChange change(Taint... taints) {
        return new NodeChange("n", "1", Optional.of(List.of(taints)).filter(some -> !some.isEmpty()), new TreeMap<>(),
                new TreeMap<>());
    }
}
