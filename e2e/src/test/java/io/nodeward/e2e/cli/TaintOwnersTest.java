package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Declared taints from the command to the Nodes, with the controller between them, on Cluster API's own schemas. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaintOwnersTest {
    private static final String NAMESPACE = "taintowners";

    private final MachineSuite suite =
            MachineSuite.in(NAMESPACE).allow("topology", "/apis/cluster.x-k8s.io/v1beta2/clusterclasses");
    private final MachineOwners owners = new MachineOwners(suite);
    private Typed typed;
    private RunningNodeward nodeward;

    @BeforeAll
    void start() {
        suite.cluster("c");
        typed = new Typed(suite.controlPlane(), suite.controlPlane().adminKubeconfig());
        JsonNode set = owners.set("c", "workers-1", owners.deployment("c", "workers"));
        for (String name : List.of("taintowners-1", "taintowners-2", "taintowners-alone")) {
            suite.fleet().pair(MachineSpec.named(name, "c"));
            owners.hasNode(name);
        }
        owners.own(set, "taintowners-1");
        owners.own(set, "taintowners-2");
        nodeward = suite.start("--feature-gates=TopologyTaintPropagation=true");
    }

    @AfterAll
    void stop() {
        nodeward.close();
        owners.close();
        suite.close();
    }

    private Result taint(String words) {
        return typed.run(("taint -n " + NAMESPACE + " " + words).split(" "));
    }

    @Test
    void a_machine_deployment_is_tainted_and_its_nodes_are_waited_for() {
        Result result = taint("machinedeployment/workers example.com/a=1:NoSchedule --wait");

        assertThat(result).isEqualTo(new Result(0, """
                machinedeployment.cluster.x-k8s.io/workers tainted
                2 Nodes of machinedeployment.cluster.x-k8s.io/workers have it
                """, ""));
        for (String node : List.of("taintowners-1", "taintowners-2")) {
            assertThat(Taints.on(suite.node(node))).contains("example.com/a=1:NoSchedule");
        }
        assertThat(taint("md/workers example.com/a- --wait").out()).endsWith("have it\n");
        assertThat(Taints.on(suite.node("taintowners-1"))).noneMatch(taint -> taint.startsWith("example.com/a"));
        assertThat(suite.admin().get(suite.clusterApi() + "/machinedeployments/workers")
                .at("/spec/template/spec").has("taints")).isFalse();
    }

    @Test
    void one_machine_is_tainted_and_its_node_is_waited_for() {
        assertThat(taint("machine/taintowners-alone example.com/one:NoExecute --ensure --wait"))
                .isEqualTo(new Result(0, """
                        machine.cluster.x-k8s.io/taintowners-alone tainted
                        1 Node of machine.cluster.x-k8s.io/taintowners-alone has it
                        """, ""));
        assertThat(Taints.on(suite.node("taintowners-alone"))).contains("example.com/one:NoExecute");
    }

    @Test
    void a_dry_run_on_the_server_stores_nothing_and_one_that_is_not_there_is_told_in_kubectls_words() {
        Result dry = taint("machine/taintowners-1 dry:NoSchedule --dry-run=server -o json");

        assertThat(Json.parse(dry.out()).at("/spec/taints").toString()).contains("\"dry\"");
        assertThat(suite.machine("taintowners-1").at("/spec/taints").toString()).doesNotContain("\"dry\"");
        assertThat(taint("md/nobody a:NoSchedule").err()).isEqualTo("Error from server (NotFound):"
                + " machinedeployments.cluster.x-k8s.io \"nobody\" not found\nIt was looked for in namespace "
                + NAMESPACE + "; -n names another.\n");
    }

    @Tag("deep")
    @Test
    void thirty_at_a_time_lose_nothing_of_what_is_declared() throws Exception {
        owners.deployment("c", "crowded");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Result>> writers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                String words = "md/crowded w" + i + ":NoSchedule";
                writers.add(threads.submit(() -> taint(words)));
            }
            for (Future<Result> writer : writers) {
                assertThat(writer.get().err()).isEmpty();
            }
        }
        JsonNode taints = suite.admin().get(suite.clusterApi() + "/machinedeployments/crowded")
                .at("/spec/template/spec/taints");
        assertThat(taints.valueStream().map(taint -> taint.path("key").asText())).containsExactlyInAnyOrderElementsOf(
                IntStream.range(0, 30).mapToObj(i -> "w" + i).toList());
    }

    @Test
    void every_place_of_a_topology_takes_taints_and_gives_them_back() {
        Map<String, Object> topology = Map.of("classRef", Map.of("name", "none"), "version", "v1.36.3", "workers",
                Map.of(
                        "machineDeployments", List.of(Map.of("class", "w", "name", "md-0")),
                        "machinePools", List.of(Map.of("class", "w", "name", "mp-0"))));
        String path = suite.clusterApi() + "/clusters/topological";
        suite.admin().create(suite.clusterApi() + "/clusters", Json.tree(Map.of("apiVersion",
                "cluster.x-k8s.io/v1beta2", "kind", "Cluster", "metadata", Map.of("name", "topological"), "spec",
                Map.of("paused", true, "topology", topology))));
        JsonNode before = suite.admin().get(path).path("spec");

        for (String place : List.of("controlPlane", "workers")) {
            assertThat(taint("cluster/topological a:NoSchedule b=1:NoExecute --place " + place)).isEqualTo(
                    new Result(0, "cluster.cluster.x-k8s.io/topological tainted\n", ""));
        }
        for (String at : List.of("/spec/topology/controlPlane", "/spec/topology/workers/machineDeployments/0",
                "/spec/topology/workers/machinePools/0")) {
            assertThat(suite.admin().get(path).at(at + "/taints")).hasSize(2);
        }
        for (String place : List.of("controlPlane", "machinedeployment/md-0", "machinepool/mp-0")) {
            assertThat(taint("cl/topological a- b- --place " + place).exit()).isZero();
        }
        assertThat(suite.admin().get(path).path("spec")).isEqualTo(before);
    }
}
