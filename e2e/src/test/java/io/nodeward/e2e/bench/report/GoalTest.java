package io.nodeward.e2e.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.bench.report.Goal.Bound;
import io.nodeward.e2e.bench.report.Goal.Outcome;
import io.nodeward.e2e.bench.report.Goal.Verdict;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoalTest {
    private static final String NODEWARD = "nodeward-official";

    private static Outcome drain(MadeUp samples) {
        return judge("at least 0.85 of the ideal", samples);
    }

    private static Outcome judge(String part, MadeUp samples) {
        return judge(part, "", samples);
    }

    private static Outcome judge(String part, String start, MadeUp samples) {
        Goal goal = Goals.all().stream()
                .filter(g -> g.text().contains(part) && g.text().startsWith(start) && g.backend().equals("official"))
                .findFirst().orElseThrow();
        return goal.judge(samples.samples());
    }

    private static MadeUp rates(double[] nodeward, double... ideal) {
        return new MadeUp().figure("drain-2000", NODEWARD, "nodes_per_s", nodeward)
                .figure("drain-2000", "ideal", "nodes_per_s", ideal);
    }

    @Test
    void a_ratio_is_of_each_pair_and_its_median_decides() {
        // By medians alone it would be 90 / 100.
        Outcome outcome = drain(rates(new double[]{90, 80, 100}, 100, 100, 200));
        assertThat(outcome.spreads()).containsExactly(new Spread(0.8, 0.5, 0.9, 3));
        assertThat(outcome.verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void a_goal_is_met_at_its_limit() {
        assertThat(drain(rates(new double[]{85, 90, 10}, 100, 100, 100)).verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void runs_that_were_not_beside_each_other_are_not_divided() {
        MadeUp samples = new MadeUp()
                .run("drain-2000", NODEWARD, 1, Map.of("nodes_per_s", 100.0), Map.of())
                .run("drain-2000", "ideal", 2, Map.of("nodes_per_s", 100.0), Map.of());
        assertThat(drain(samples).verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void a_goal_that_was_not_measured_in_each_pair_is_not_met() {
        assertThat(drain(rates(new double[]{100, 100}, 100, 100, 100)).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        assertThat(drain(rates(new double[]{10, 10}, 100, 100, 100)).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void without_samples_no_goal_is_met() {
        assertThat(Goals.all()).isNotEmpty()
                .allSatisfy(goal -> assertThat(goal.judge(new Samples(List.of())).verdict())
                        .isEqualTo(Verdict.NOT_MEASURED));
    }

    @Test
    void one_run_that_gave_no_number_makes_the_rest_worthless() {
        assertThat(drain(rates(new double[]{100, Double.NaN, 100}, 100, 100, 100)).verdict())
                .isEqualTo(Verdict.NOT_MEASURED);
        assertThat(drain(rates(new double[]{100, 100, 100}, 100, 0, 100)).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        MadeUp nothing = new MadeUp().figure("restart", NODEWARD, "cpu_s", Double.NaN);
        assertThat(judge("CPU until the first repaired", nothing).verdict()).isEqualTo(Verdict.NOT_MEASURED);
    }

    @Test
    void a_count_must_hold_in_every_run() {
        assertThat(judge("0 writes, no list", new MadeUp().figure("idle", NODEWARD, "writes", 0, 0, 0)
                .figure("idle", NODEWARD, "lists", 0, 0, 0)).verdict()).isEqualTo(Verdict.MET);
        assertThat(judge("0 writes, no list", new MadeUp().figure("idle", NODEWARD, "writes", 0, 1, 0)
                .figure("idle", NODEWARD, "lists", 0, 0, 0)).verdict()).isEqualTo(Verdict.MISSED);
        assertThat(judge("192 MiB", new MadeUp().figure("scale-10000", NODEWARD, "peak_rss_mib", 150, 193, 150))
                .verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void a_small_fleet_neither_meets_nor_misses_a_goal() {
        for (Map<String, Double> fleet : List.of(Map.of("fleet", 100.0), Map.<String, Double>of())) {
            MadeUp small = new MadeUp().figureOf(fleet, "restart", NODEWARD, "writes", 0, 0)
                    .figureOf(fleet, "restart", NODEWARD, "cpu_s", 9, 9);
            assertThat(judge("0 writes", "Restart", small).verdict()).isEqualTo(Verdict.NOT_MEASURED);
            assertThat(judge("CPU until the first repaired", small).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        }
        MadeUp whole = new MadeUp().figure("restart", NODEWARD, "writes", 0, 0);
        assertThat(judge("0 writes", "Restart", whole).verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void the_same_machine_is_compared_with_two_hops_on_the_same_machine() {
        MadeUp samples = new MadeUp().figure("same-machine", NODEWARD, "p50_ms", 6)
                .figure("single", "ideal", "p50_ms", 6).figure("same-machine", "ideal", "p50_ms", 3);
        assertThat(judge("Same Machine", samples).spreads().getFirst().median()).isEqualTo(2);
    }

    @Test
    void the_projection_is_of_both_backends() {
        Goal goal = Goals.all().stream().filter(g -> g.text().contains("Projection")).findFirst().orElseThrow();
        assertThat(goal.judge(new MadeUp().figure("micro", "nodeward", "projection_mb_per_s", 150).samples()).verdict())
                .isEqualTo(Verdict.MET);
        assertThat(goal.judge(new MadeUp().figure("micro", "nodeward", "projection_mb_per_s", 149).samples()).verdict())
                .isEqualTo(Verdict.MISSED);
    }

    @Test
    void work_left_undone_is_no_patch_saved() {
        assertThat(judge("changed Node: 1", allPatches(1)).verdict()).isEqualTo(Verdict.MET);
        assertThat(judge("changed Node: 1", allPatches(0.9995)).verdict()).isEqualTo(Verdict.MISSED);
        assertThat(judge("changed Node: 1", allPatches(1.0005)).verdict()).isEqualTo(Verdict.MISSED);
    }

    private static MadeUp allPatches(double value) {
        MadeUp samples = new MadeUp();
        for (String scenario : List.of("drain-2000", "burst-500", "burst-2000", "single")) {
            samples.figure(scenario, NODEWARD, "patches_per_node", value);
        }
        return samples;
    }

    @Test
    void a_goal_of_two_scenarios_is_not_met_by_one_and_missed_by_one() {
        MadeUp half = new MadeUp().figure("burst-500", NODEWARD, "cpu_ms_per_node", 1)
                .figure("burst-500", "upstream-raised", "cpu_ms_per_node", 10);
        assertThat(judge("1/5 of upstream", half).verdict()).isEqualTo(Verdict.NOT_MEASURED);
        half.figure("burst-2000", NODEWARD, "cpu_ms_per_node", 3)
                .figure("burst-2000", "upstream-raised", "cpu_ms_per_node", 10);
        assertThat(judge("1/5 of upstream", half).verdict()).isEqualTo(Verdict.MISSED);
    }

    @Test
    void heap_per_node_is_what_forty_thousand_more_take() {
        MadeUp samples = new MadeUp().figure("served-10000", NODEWARD, "live_heap_mib", 20)
                .figure("served-50000", NODEWARD, "live_heap_mib", 60);
        Outcome outcome = judge("Live heap", samples);
        assertThat(outcome.spreads().getFirst().median()).isEqualTo(40.0 * 1024 * 1024 / 40_000);
        assertThat(outcome.verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void a_burst_is_compared_with_the_sum_of_its_parts() {
        MadeUp samples = new MadeUp();
        for (String scenario : List.of("burst-500", "burst-2000")) {
            samples.figure(scenario, NODEWARD, "last_node_s", 12, 14)
                    .figure(scenario, "triggers-alone", "triggers_s", 6, 6)
                    .figure(scenario, "patches-alone", "last_node_s", 4, 4);
        }
        Outcome outcome = judge("plus patches alone", samples);
        assertThat(outcome.spreads().getFirst()).isEqualTo(new Spread((1.2 + 1.4) / 2, 1.2, 1.4, 2));
        assertThat(outcome.verdict()).isEqualTo(Verdict.MET);
    }

    @Test
    void each_goal_has_a_line_per_backend_of_its_own_figures() {
        assertThat(Goals.all()).extracting(Goal::backend).containsOnly("fabric8", "official", "both");
        assertThat(Goals.all()).filteredOn(goal -> goal.backend().equals("fabric8")).allSatisfy(
                goal -> assertThat(goal.measures()).isNotEmpty()
                        .allSatisfy(measure -> assertThat(measure.words()).contains("nodeward-fabric8")
                                .doesNotContain("nodeward-official")));
        assertThat(Goals.all()).extracting(Goal::bound).contains(Bound.values());
    }
}
