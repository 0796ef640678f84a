package io.nodeward.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.bench.contender.NodewardContender;
import io.nodeward.e2e.bench.load.IdealClient;
import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.bench.scenario.Entrants;
import io.nodeward.e2e.bench.scenario.Scenarios;
import io.nodeward.e2e.bench.scenario.Setup;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The bench on a small fleet: that it works, and what does not depend on how fast this machine is. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BenchTest {
    private static final int SIZE = 20;
    private static final List<String> CONTROLLER = List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-Dtest.log.level=WARN",
            "-cp", System.getProperty("java.class.path"), "io.nodeward.controller.app.Main");

    private final List<String> said = new ArrayList<>();
    private final Testbed bed = Testbed.on(ControlPlane.shared(), "bench", said::add);
    private final IdealClient ideal = new IdealClient(bed);
    private final List<Scenario> scenarios = Scenarios.all(
            new Setup(
                    bed,
                    ideal,
                    new Entrants(
                            List.of(new NodewardContender("official", CONTROLLER, "test")),
                            List.of(), List.of(), List.of()),
                    true),
            SIZE / 2, SIZE);

    @BeforeAll
    void warm_up() {
        run("drain-" + SIZE);
    }

    @AfterAll
    void clean_up() {
        ideal.close();
        bed.close();
    }

    @Test
    void a_drain_takes_one_patch_for_each_node_and_nothing_else() {
        List<Sample> samples = run("drain-" + SIZE);
        assertThat(samples).extracting(Sample::contender).containsExactlyInAnyOrder("ideal", "nodeward-official");
        assertOnePatchEach(of("nodeward-official", samples));
        assertThat(samples).allSatisfy(sample -> {
            assertThat(sample.series().get("seen_s")).hasSize(SIZE).isSorted();
            assertThat(sample.figures()).containsKeys("nodes_per_s", "first_node_s", "apiserver_cpu_s");
        });
    }

    @Test
    void a_burst_takes_one_patch_for_each_node_and_nothing_else() {
        List<Sample> samples = run("burst-" + SIZE);
        assertOnePatchEach(of("nodeward-official", samples));
        assertThat(of("nodeward-official", samples).series().get("latency_ms")).hasSize(SIZE);
        assertThat(of("triggers-alone", samples).figures()).containsKey("triggers_s");
        assertThat(of("patches-alone", samples).figures()).containsKey("last_node_s");
    }

    @Test
    void single_changes_take_one_patch_each_and_nothing_else() {
        List<Sample> samples = run("single");
        assertOnePatchEach(of("nodeward-official", samples));
        assertThat(of("ideal", samples).figures()).containsKeys("p50_ms", "p99_ms");
    }

    @Test
    void nothing_is_written_or_listed_while_nothing_happens() {
        Map<String, Double> figures = of("nodeward-official", run("idle")).figures();
        assertThat(figures).containsEntry("writes", 0.0).containsEntry("lists", 0.0).containsEntry("requests", 0.0);
    }

    private static void assertOnePatchEach(Sample sample) {
        assertThat(sample.figures())
                .containsEntry("patches_per_node", 1.0)
                .containsEntry("other_requests", 0.0)
                .containsEntry("conflicts", 0.0);
    }

    private List<Sample> run(String name) {
        List<Sample> samples = new ArrayList<>();
        scenarios.stream().filter(scenario -> scenario.name().equals(name)).findFirst().orElseThrow()
                .run(1, samples::add);
        return samples;
    }

    private static Sample of(String contender, List<Sample> samples) {
        return samples.stream().filter(sample -> sample.contender().equals(contender)).findFirst().orElseThrow();
    }
}
