package io.nodeward.e2e.bench.scale;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class ServedFleetTest {
    private static final int KB = 1000;

    @Test
    void its_nodes_are_as_large_as_promised() {
        try (ServedFleet fleet = ServedFleet.of(1, 3)) {
            for (JsonNode node : fleet.workloads().getFirst().list("nodes")) {
                assertThat(node.toString().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(14_500, 15 * KB + 500);
            }
        }
    }

    @Test
    void machine_and_node_of_each_pair_name_each_other_and_no_two_are_the_same() {
        try (ServedFleet fleet = ServedFleet.of(2, 300)) {
            List<String> declared = fleet.management().list("machines").stream()
                    .map(m -> m.at("/status/nodeRef/name").asText() + m.at("/spec/providerID").asText())
                    .toList();
            List<String> there = fleet.workloads().stream().flatMap(server -> server.list("nodes").stream())
                    .map(n -> n.at("/metadata/name").asText() + n.at("/spec/providerID").asText())
                    .toList();
            assertThat(there).doesNotHaveDuplicates().hasSize(600).containsExactlyInAnyOrderElementsOf(declared);
        }
    }
}
