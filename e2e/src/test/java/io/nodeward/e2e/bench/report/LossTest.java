package io.nodeward.e2e.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LossTest {
    private static final Map<String, Double> THEIRS = Map.of("patches", 200.0, "cpu_s", 2.0, "cpu_ms_per_node", 4.0);

    @Test
    void totals_are_lost_beside_the_same_work() {
        assertThat(losses(Map.of("patches", 200.0, "cpu_s", 3.0, "cpu_ms_per_node", 5.0)))
                .containsExactlyInAnyOrder("cpu_s", "cpu_ms_per_node");
    }

    @Test
    void totals_of_more_work_are_no_loss_and_what_each_part_of_it_took_is() {
        assertThat(losses(Map.of("patches", 1000.0, "cpu_s", 3.0, "cpu_ms_per_node", 5.0)))
                .containsExactly("cpu_ms_per_node");
    }

    @Test
    void who_is_ahead_loses_nothing() {
        assertThat(losses(Map.of("patches", 200.0, "cpu_s", 1.0, "cpu_ms_per_node", 3.0))).isEmpty();
    }

    private static List<String> losses(Map<String, Double> ours) {
        MadeUp run = new MadeUp().run("single", "nodeward-official", 1, ours, Map.of())
                .run("single", "upstream", 1, THEIRS, Map.of());
        return Loss.in(run.samples(), "single").stream().map(Loss::figure).toList();
    }
}
