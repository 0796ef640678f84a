package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** Who is paused tells why a declared taint is not there, and the annotation on a Cluster says less than its spec. */
class ExplainPausesTest {
    private static final String CLUSTER = "name: prod}\nspec:\n  controlPlaneRef";
    private static final String PROD = "name: prod}";
    private static final String PAUSED = "name: prod, annotations: {cluster.x-k8s.io/paused: \"\"}}";

    @Test
    void the_annotation_of_a_paused_cluster_stops_it_and_its_class_and_no_machine() throws IOException {
        String always = "value: a100, effect: NoSchedule, propagation: Always}";
        String more = Typed.fleet().replace(CLUSTER, CLUSTER.replace(PROD, PAUSED))
                .replace(always + "]", always + ", {key: more, effect: NoSchedule, propagation: Always}]");
        JsonNode missing = ExplainGatesTest.missing(more);
        assertThat(missing.findValuesAsText("taint")).containsExactly("warming:NoExecute", "new:NoExecute",
                "more:NoSchedule", "team:NoSchedule");
        assertThat(missing.findValuesAsText("reason")).containsExactly("InitializationOver", "Due", "Paused",
                "Replaced");
        assertThat(ExplainGatesTest.missing(more, "--feature-gates=TopologyTaintPropagation=true").at("/3/because")
                .asText()).isEqualTo("Cluster fleet/prod is paused");
    }

    @Test
    void a_cluster_that_is_paused_by_its_spec_stops_all() throws IOException {
        String paused = Typed.fleet().replace(CLUSTER, CLUSTER.replace("spec:", "spec:\n  paused: true"));
        JsonNode missing = ExplainGatesTest.missing(paused, "--feature-gates=AllAlpha=true");
        assertThat(missing.findValuesAsText("reason")).hasSize(3).containsOnly("Paused");
    }

    @Test
    void nothing_comes_from_a_pool_to_its_machines_while_its_cluster_is_paused() throws IOException {
        String paused = ExplainGatesTest.POOL.replace(PROD + "\n---", PAUSED + "\n---");
        JsonNode taint = ExplainGatesTest.missing(paused, "--feature-gates=MachinePoolTaintPropagation=true").path(0);
        assertThat(taint.path("because").asText()).isEqualTo("Cluster fleet/prod is paused");
        assertThat(ExplainGatesTest.missing(paused).at("/0/reason").asText()).isEqualTo("PoolGate");
    }
}
