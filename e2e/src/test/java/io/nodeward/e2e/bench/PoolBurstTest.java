package io.nodeward.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.bench.contender.NodewardContender;
import io.nodeward.e2e.bench.load.IdealClient;
import io.nodeward.e2e.bench.load.Testbed;
import io.nodeward.e2e.bench.scenario.Entrants;
import io.nodeward.e2e.bench.scenario.Scenarios;
import io.nodeward.e2e.bench.scenario.Setup;
import io.nodeward.e2e.controlplane.ControlPlane;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a fleet of its own, as its Machines make way for the pool. */
@Tag("deep")
class PoolBurstTest {
    private static final int SIZE = 20;

    @Test
    void one_edit_of_a_pool_takes_one_patch_for_each_node_and_nothing_else() {
        List<String> said = new ArrayList<>();
        List<Sample> samples = new ArrayList<>();
        List<String> gate = List.of("--feature-gates=MachinePoolTaintPropagation=true");
        Entrants entrants = new Entrants(
                List.of(new NodewardContender("official", BenchTest.CONTROLLER, "test", List.of())),
                List.of(), List.of(),
                List.of(new NodewardContender("official", BenchTest.CONTROLLER, "test", gate)), List.of(),
                List.of());
        try (Testbed bed = Testbed.on(ControlPlane.shared(), "bench-pool", said::add);
                IdealClient ideal = new IdealClient(bed)) {
            Scenarios.all(new Setup(bed, ideal, entrants, true), SIZE / 2, SIZE).stream()
                    .filter(scenario -> scenario.name().equals("pool-" + SIZE)).findFirst().orElseThrow()
                    .run(2, samples::add);
        }
        assertThat(said).noneMatch(line -> line.contains("FAILED"));
        assertThat(samples).extracting(Sample::contender)
                .containsExactlyInAnyOrder("ideal", "ideal", "nodeward-official", "nodeward-official");
        assertThat(samples).filteredOn(sample -> sample.contender().equals("nodeward-official"))
                .allSatisfy(sample -> assertThat(sample.figures()).containsEntry("patches", (double) SIZE)
                        .containsEntry("patches_per_node", 1.0).containsEntry("other_requests", 0.0)
                        .containsEntry("conflicts", 0.0));
    }
}
