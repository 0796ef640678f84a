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
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The bench on a small fleet: that it works, and what does not depend on how fast this machine is. */
@Tag("deep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class BenchTest {
    private static final int SIZE = 20;
    static final List<String> CONTROLLER = List.of(
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
                            List.of(new NodewardContender("official", CONTROLLER, "test", List.of())),
                            List.of(), List.of(), List.of(), List.of(), List.of()),
                    true),
            SIZE / 2, SIZE);

    private List<Sample> drainAndBurst = List.of();

    @BeforeAll
    void warm_up_and_measure() {
        run("drain-" + SIZE);
        drainAndBurst = run("drain-" + SIZE);
    }

    @AfterAll
    void clean_up() {
        ideal.close();
        bed.close();
    }

    @Test
    void a_drain_takes_one_patch_for_each_node_and_nothing_else() {
        List<Sample> samples = in("drain-" + SIZE, drainAndBurst);
        assertThat(samples).extracting(Sample::contender).containsExactlyInAnyOrder("ideal", "nodeward-official");
        assertOnePatchEach(of("nodeward-official", samples));
        assertThat(of("nodeward-official", samples).figures()).containsKey("cold_cpu_ms_per_node");
        assertThat(samples).allSatisfy(sample -> {
            assertThat(sample.series().get("seen_s")).hasSize(SIZE).isSorted();
            assertThat(sample.figures()).containsKeys("nodes_per_s", "first_node_s", "apiserver_cpu_s");
        });
    }

    @Test
    void a_burst_takes_one_patch_for_each_node_and_nothing_else() {
        List<Sample> samples = in("burst-" + SIZE, drainAndBurst);
        assertOnePatchEach(of("nodeward-official", samples));
        assertThat(of("nodeward-official", samples).series().get("latency_ms")).hasSize(SIZE)
                .as("ms since each change was sent")
                .satisfies(all -> assertThat(Arrays.stream(all)).allMatch(ms -> ms > 0));
        assertThat(of("triggers-alone", samples).figures()).containsKey("triggers_s");
        assertThat(of("patches-alone", samples).figures()).containsKey("last_node_s");
    }

    @Test
    void all_that_a_running_controller_meets_is_measured_in_one_process() {
        int before = said.size();
        List<String> parts = List.of("single", "same-machine", "twenty-per-second", "drift", "idle", "heartbeats",
                "heartbeats-burst");
        List<Sample> samples = run(parts.toArray(String[]::new));
        assertThat(said.subList(before, said.size())).noneMatch(line -> line.contains("FAILED"));
        assertThat(samples).filteredOn(sample -> sample.contender().equals("nodeward-official"))
                .extracting(Sample::scenario).isEqualTo(parts);
        assertThat(samples).filteredOn(sample -> sample.contender().equals("ideal"))
                .extracting(Sample::scenario).containsExactly("single", "same-machine");
        assertThat(samples).allSatisfy(sample -> assertThat(sample.figures()).containsEntry("fleet", (double) SIZE));
        assertThat(samples).filteredOn(sample -> List.of("single", "same-machine", "drift").contains(sample.scenario()))
                .allSatisfy(sample -> assertThat(sample.figures()).containsKeys("p50_ms", "p99_ms"))
                .filteredOn(sample -> sample.contender().equals("nodeward-official"))
                .allSatisfy(BenchTest::assertOnePatchEach);
        assertThat(part("twenty-per-second", samples).figures()).containsEntry("final_right", 1.0)
                .containsEntry("changes", 40.0);
        assertThat(part("idle", samples).figures())
                .containsEntry("writes", 0.0).containsEntry("lists", 0.0).containsEntry("requests", 0.0);
        assertThat(part("heartbeats", samples).figures()).containsEntry("writes", 0.0).containsEntry("lists", 0.0)
                .containsKey("cpu_ms_per_heartbeat");
        assertThat(part("heartbeats-burst", samples).figures()).containsKeys("patches_per_node", "last_node_s");
    }

    @Test
    void the_small_burst_of_upstream_is_shown_beside_that_of_those_who_share_as_well() {
        Entrants entrants =
                new Entrants(List.of(), List.of(new NodewardContender("official", CONTROLLER, "test", List.of())),
                        List.of(), List.of(), List.of(),
                        List.of(new NodewardContender("fabric8", CONTROLLER, "test", List.of())));
        List<Sample> samples = run(
                Scenarios.all(new Setup(bed, ideal, entrants, true), SIZE / 2, SIZE), "burst-" + SIZE / 2);
        assertThat(samples).filteredOn(sample -> sample.contender().equals("nodeward-fabric8"))
                .extracting(Sample::scenario).containsExactly("fair-pair");
        assertThat(of("nodeward-official", in("fair-pair", samples)).figures())
                .isEqualTo(of("nodeward-official", in("burst-" + SIZE / 2, samples)).figures());
    }

    @Test
    void parts_can_be_had_one_by_one() {
        Scenario steady = scenarios.stream().filter(scenario -> scenario.names().contains("idle")).findFirst()
                .orElseThrow();
        assertThat(steady.only(List.of("drift", "idle")).names()).containsExactly("drift", "idle");
    }

    private static void assertOnePatchEach(Sample sample) {
        assertThat(sample.figures())
                .containsEntry("patches_per_node", 1.0)
                .containsEntry("other_requests", 0.0)
                .containsEntry("conflicts", 0.0);
    }

    private List<Sample> run(String... names) {
        return run(scenarios, names);
    }

    private static List<Sample> run(List<Scenario> scenarios, String... names) {
        List<Sample> samples = new ArrayList<>();
        scenarios.stream().filter(scenario -> scenario.names().contains(names[0])).findFirst().orElseThrow()
                .only(List.of(names)).run(1, samples::add);
        return samples;
    }

    private static List<Sample> in(String scenario, List<Sample> samples) {
        return samples.stream().filter(sample -> sample.scenario().equals(scenario)).toList();
    }

    private static Sample part(String scenario, List<Sample> samples) {
        return of("nodeward-official", in(scenario, samples));
    }

    private static Sample of(String contender, List<Sample> samples) {
        return samples.stream().filter(sample -> sample.contender().equals(contender)).findFirst().orElseThrow();
    }
}
