package io.nodeward.e2e.bench.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.bench.scenario.PairedScenario.Turn;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PairedScenarioTest {
    private static final List<Turn> TURNS = Stream.concat(
            Stream.of("a", "b", "c").map(name -> Turn.each(name, (pair, samples) -> {})),
            Stream.of(Turn.once("first", (pair, samples) -> {}))).toList();

    private static List<String> order(int pair) {
        return PairedScenario.inOrder(TURNS, pair).stream().map(Turn::contender).toList();
    }

    @Test
    void who_begins_moves_on_and_every_other_pair_runs_backwards() {
        assertThat(order(1)).containsExactly("a", "b", "c", "first");
        assertThat(order(2)).containsExactly("b", "a", "c");
        assertThat(order(3)).containsExactly("c", "a", "b");
        assertThat(order(4)).containsExactly("a", "c", "b");
    }
}
