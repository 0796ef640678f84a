package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineOwners;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What explain and tree say of a fleet on a real server, to which a controller has carried taints. */
class ExplainTest {
    private static final String CLUSTER = "explained";
    private static final String NODE = "explained-1";
    private static final String[] TAINTS = {"gpu=a100:NoSchedule:Always", "warming:NoSchedule:OnInitialization"};

    private static MachineSuite suite;
    private static MachineOwners owners;
    private static RunningNodeward nodeward;
    private static Typed typed;
    private static Path admin;

    @BeforeAll
    static void start() {
        suite = MachineSuite.in("explained");
        suite.cluster(CLUSTER);
        nodeward = suite.start();
        typed = new Typed(suite.controlPlane(), suite.controlPlane().adminKubeconfig());
        admin = suite.controlPlane().file(suite.controlPlane().adminKubeconfig());
        owners = new MachineOwners(suite);
        JsonNode set = owners.set(CLUSTER, CLUSTER, owners.deployment(CLUSTER, CLUSTER, TAINTS), TAINTS);
        MachineSpec machine = Taints.declare(MachineSpec.named(NODE, CLUSTER), TAINTS);
        suite.fleet().node(NodeSpec.named(NODE).withProviderId(machine.providerId()).uninitialized()
                .withTaint("storage", "", "NoSchedule").withLabels(Map.of("explained", "yes")));
        suite.fleet().machine(machine);
        owners.own(set, NODE);
        suite.fleet().node(NodeSpec.named("explained-open").withLabels(Map.of("explained", "yes")));
        await("the taints of the Machine").atMost(MachineSuite.PATIENCE).until(() -> Taints.on(suite.node(NODE))
                .containsAll(List.of("gpu=a100:NoSchedule", "warming:NoSchedule")));
        suite.controlPlane().kubectl().run("taint", "node", NODE, "mine=1:NoSchedule", "warming-")
                .orThrow("kubectl taint");
        suite.settled();
    }

    @AfterAll
    static void end() {
        nodeward.close();
        owners.close();
        suite.close();
    }

    private static Result run(String... words) {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--cluster", suite.fleet().namespace() + "/" + CLUSTER));
        return typed.run(arguments.toArray(String[]::new));
    }

    @Test
    void every_taint_of_a_node_has_its_origin() {
        Result result = run("explain", "node/" + NODE, "-o", "json");
        assertThat(result.exit()).as(result.err()).isZero();
        Map<String, JsonNode> taints = new TreeMap<>();
        JsonNode json = Json.parse(result.out());
        json.path("taints").forEach(taint -> taints.put(taint.path("key").asText(), taint));

        JsonNode gpu = taints.get("gpu");
        assertThat(gpu.path("source").asText()).isEqualTo("MachineDeployment");
        assertThat(gpu.path("status").asText()).isEqualTo("Always");
        assertThat(gpu.path("path")).extracting(JsonNode::asText).containsExactly(
                "Machine explained/" + NODE, "MachineSet explained/" + CLUSTER,
                "MachineDeployment explained/" + CLUSTER);
        assertThat(gpu.at("/managedBy/0/annotation").asText()).isEqualTo("cluster.x-k8s.io/taints-from-machine");
        assertThat(gpu.at("/managedBy/0/manager").asText()).isEqualTo("nodeward-machine");
        assertThat(gpu.at("/since/at").asText()).isNotEmpty();
        JsonNode mine = taints.get("mine");
        assertThat(mine.path("source").asText()).isEqualTo("Human");
        assertThat(mine.path("from").asText()).isEqualTo("kubectl-taint");
        assertThat(mine.path("status").asText()).isEqualTo("Unmanaged");
        assertThat(taints.get("storage").path("status").asText()).isEqualTo("Unmanaged");
        assertThat(taints).doesNotContainKey("warming");
        assertThat(json.path("missing")).hasSize(1);
        assertThat(json.at("/missing/0/taint").asText()).isEqualTo("warming:NoSchedule");
        assertThat(json.at("/missing/0/reason").asText()).isEqualTo("InitializationOver");
        assertThat(json.at("/missing/0/because").asText()).contains("initialized by nodeward-machine");
    }

    @Test
    void a_tree_shows_what_has_arrived_and_what_is_extra() {
        Result result = typed.run("tree", "cluster/" + CLUSTER, "-n", suite.fleet().namespace());
        assertThat(result.exit()).as(result.err()).isZero();
        assertThat(result.out()).contains("""
                  MachineDeployment explained
                      gpu=a100:NoSchedule                  at 1 Node
                      warming:NoSchedule OnInitialization  missing at 1 of 1 Node
                """)
                .contains("Node " + NODE).contains("mine=1:NoSchedule", "unmanaged: kubectl-taint, most likely",
                        "missing: InitializationOver");
        assertThat(result.out().lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void a_pod_is_kept_off_where_the_real_scheduler_keeps_it_off() {
        suite.admin().createIfAbsent(suite.core() + "/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
        suite.admin().create(suite.core() + "/pods", Json.tree(Map.of("metadata", Map.of("name", "p"), "spec", Map.of(
                "nodeSelector", Map.of("explained", "yes"),
                "containers", List.of(Map.of("name", "c", "image", "images.example.com/c"))))));
        String[] words = {"explain", "pod/p", "-n", suite.fleet().namespace(), "--workload-kubeconfig",
                admin.toString()};
        List<String> names = new ArrayList<>(List.of(words));
        names.addAll(List.of("-o", "name"));
        assertThat(run(names.toArray(String[]::new)).out()).isEqualTo("node/explained-open\n");
        assertThat(run(words).out()).contains("Pod explained/p is on no Node yet")
                .containsPattern("explained-1 +TaintToleration +untolerated taint: ");
        try (LoggedProcess scheduler = suite.controlPlane().scheduler()) {
            await("the scheduler's choice").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                    suite.admin().get(suite.core() + "/pods/p").at("/spec/nodeName").asText()).as(scheduler.tail())
                    .isEqualTo("explained-open"));
        }
        assertThat(run(words).out()).contains("is on Node explained-open", "after 300s");
        suite.admin().delete(suite.core() + "/pods/p?gracePeriodSeconds=0");
    }

    @Test
    void who_may_not_read_pods_is_told_so() {
        Result result = run("explain", "pod/p", "-n", suite.fleet().namespace());
        assertThat(result.exit()).isEqualTo(1);
        assertThat(result.err()).contains("Forbidden", "pods");
    }
}
