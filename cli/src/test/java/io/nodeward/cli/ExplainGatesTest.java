package io.nodeward.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.nodeward.cli.Cluster.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said of the controller's gates tells why a declared taint is not there. */
class ExplainGatesTest {
    /** A Node of a Machine that a pool has made. */
    static final String POOL = """
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Cluster
            metadata: {namespace: fleet, name: prod}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: MachinePool
            metadata: {namespace: fleet, name: pool}
            spec:
              clusterName: prod
              template: {spec: {taints: [{key: a, effect: NoSchedule, propagation: Always}]}}
            ---
            apiVersion: cluster.x-k8s.io/v1beta2
            kind: Machine
            metadata:
              namespace: fleet
              name: p-1
              ownerReferences:
              - {apiVersion: cluster.x-k8s.io/v1beta2, kind: MachinePool, name: pool, controller: true}
            spec: {clusterName: prod, providerID: "cloud://n1"}
            ---
            {apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {providerID: "cloud://n1"}}
            """;

    private static Result explain(String fleet, String... more) {
        List<String> arguments = new ArrayList<>(List.of("explain", "-f", "-"));
        arguments.addAll(List.of(more));
        return Typed.run(fleet, arguments.toArray(String[]::new));
    }

    static JsonNode missing(String fleet, String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("node/n1", "-o", "json"));
        arguments.addAll(List.of(more));
        Result result = explain(fleet, arguments.toArray(String[]::new));
        assertThat(result.exit()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out()).path("missing");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TopologyTaintPropagation=true", "AllAlpha=true"})
    void a_class_that_the_controller_merges_with_its_cluster_is_due(String gate) throws IOException {
        JsonNode team = missing(Typed.fleet(), "--feature-gates", gate).path(2);
        assertThat(team.path("taint").asText()).isEqualTo("team:NoSchedule");
        assertThat(team.path("reason").asText()).isEqualTo("Due");
        assertThat(team.path("from").asText()).isEqualTo("ClusterClass fleet/standard");
        assertThat(team.path("stoppedBefore").asText()).isEqualTo("MachineDeployment fleet/prod-gpu");
    }

    @ParameterizedTest
    @ValueSource(strings = {"TopologyTaintPropagation=false", "AllAlpha=false",
            "AllAlpha=true,TopologyTaintPropagation=false", "MachineTaintPropagation=false"})
    void a_class_is_replaced_by_its_cluster_while_nobody_merges(String gates) throws IOException {
        assertThat(missing(Typed.fleet(), "--feature-gates", gates).at("/2/reason").asText()).isEqualTo("Replaced");
    }

    @Test
    void nothing_is_merged_while_the_gate_of_taints_is_off() throws IOException {
        assertThat(missing(Typed.fleet(), "--feature-gates", "MachineTaintPropagation=false,AllAlpha=true")
                .at("/2/reason").asText()).isEqualTo("GateOff");
    }

    @Test
    void the_tree_says_the_same() throws IOException {
        assertThat(Typed.run(Typed.fleet(), "tree", "-f", "-", "cluster/prod", "--feature-gates",
                "TopologyTaintPropagation=true").out())
                .containsPattern("team:NoSchedule +missing: Due \\(before").doesNotContain("Replaced");
    }

    @Test
    void what_is_due_above_the_node_evicts_nobody_yet() throws IOException {
        String evicts = Typed.fleet().replace("{key: team, effect: NoSchedule", "{key: team, effect: NoExecute");
        String gate = "--feature-gates=TopologyTaintPropagation=true";
        assertThat(missing(evicts, gate).at("/2/reason").asText()).isEqualTo("Due");
        assertThat(explain(evicts, "pod/web", "-n", "shop", gate).out())
                .contains("new:NoExecute").doesNotContain("team:NoExecute");
    }

    @ParameterizedTest
    @CsvSource({"MachinePoolTaintPropagation=true, Due", "AllAlpha=true, Due",
            "MachinePoolTaintPropagation=false, PoolGate", "TopologyTaintPropagation=true, PoolGate",
            "MachineTaintPropagation=true, PoolGate"})
    void the_list_of_a_pool_comes_to_its_machines_where_the_gate_is_on(String gate, String reason) throws IOException {
        JsonNode taint = missing(POOL, "--feature-gates", gate).path(0);
        assertThat(taint.path("reason").asText()).isEqualTo(reason);
        assertThat(taint.path("stoppedBefore").asText()).isEqualTo("Machine fleet/p-1");
    }
}
