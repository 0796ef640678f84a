package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A Cluster's condition is about some of what its topology made, and says which. */
class ExplainBlockedTest {
    private static JsonNode gap(String message) throws IOException {
        String more = "value: a100, effect: NoSchedule, propagation: Always}";
        String fleet = Typed.fleet()
                .replace(more + "]", more + ", {key: more, effect: NoSchedule, propagation: Always}]\n"
                        + "status: {conditions: [{type: nodeward.io/TopologyBlocked, status: \"True\","
                        + " reason: WriteForbidden, message: \"" + message + "\"}]}");
        JsonNode gap = ExplainGatesTest.missing(fleet, "--feature-gates=TopologyTaintPropagation=true").path(2);
        assertThat(gap.path("taint").asText()).isEqualTo("more:NoSchedule");
        return gap;
    }

    @ParameterizedTest
    @ValueSource(strings = {"MachineDeployment prod-gpu: no right",
            "MachineDeployment a, MachineDeployment prod-gpu: no",
            "KubeadmControlPlane prod-cp, MachineDeployment a, MachineDeployment b and others: no right",
            "somebody else wrote this"})
    void what_may_be_meant_is_blocked(String message) throws IOException {
        assertThat(gap(message).path("reason").asText()).isEqualTo("Blocked");
        assertThat(gap(message).path("because").asText())
                .isEqualTo("Cluster fleet/prod is blocked (WriteForbidden): " + message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KubeadmControlPlane prod-cp: no right", "MachineDeployment prod-gpu-2: no right",
            "MachinePool prod-gpu, MachineDeployment a: MachineDeployment prod-gpu is none of them"})
    void another_of_the_same_cluster_blocks_nobody(String message) throws IOException {
        assertThat(gap(message).path("reason").asText()).isEqualTo("NotPropagated");
    }
}
