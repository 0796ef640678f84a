package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AdminClient.Reply;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import io.nodeward.e2e.machinepool.Pools;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a plan tells of a live fleet is what happens, Node by Node and taint by taint, once the same edit is made. */
class PlanComesTrueTest {
    private static final String A = "example.com/a=1:NoSchedule";
    private static final String A2 = "example.com/a=2:NoSchedule";
    private static final String B = "example.com/b:NoSchedule";
    private static final String EVICTS = "example.com/evicts:NoExecute";
    private static final String ONCE = "example.com/once:NoSchedule";
    private static final String THEIRS = "example.com/theirs=1:NoSchedule";
    private static final String MINE = "example.com/mine=1:NoExecute";

    private static PlannedFleet fleet;

    @BeforeAll
    static void start() {
        fleet = new PlannedFleet("planned");
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @Test
    void of_a_deployment_it_tells_what_becomes_of_its_nodes_and_of_no_other() {
        fleet.deployment("md", 3, A, B);
        fleet.byHand("md-2", MINE, "example.com/new=theirs:NoSchedule");
        fleet.suite.settled();
        ObjectNode edited = fleet.edited("machinedeployments/md", A2 + ":Always", EVICTS + ":Always",
                "example.com/new=ours:NoSchedule:Always", ONCE + ":OnInitialization");

        Map<String, Set<String>> told = TaintChanges.told(fleet.plan("--edit", fleet.file(edited)));
        assertThat(told).containsOnlyKeys("planned-md-1", "planned-md-2", "planned-md-3");
        assertThat(told.get("planned-md-1")).containsExactlyInAnyOrder(
                "~ " + A + " -> " + A2, "- " + B, "+ " + EVICTS, "+ example.com/new=ours:NoSchedule");

        comesTrue(told, () -> fleet.store("machinedeployments/md", edited));
    }

    /** Each manager has its own entries of the list. */
    @Test
    void of_an_edit_that_is_applied_server_side_it_tells_what_the_server_leaves() {
        fleet.deployment("applied", 1, A);
        apply("flux", false, B);
        apply("team", false, THEIRS);
        fleet.awaitTaints("planned-applied-1", A, B, THEIRS);
        fleet.suite.settled();

        Map<String, Set<String>> told = TaintChanges.told(fleet.plan("--server-side", "--field-manager=flux", "--edit",
                fleet.file(applied("example.com/c:NoSchedule"))));
        assertThat(told).isEqualTo(Map.of("planned-applied-1", Set.of("- " + B, "+ example.com/c:NoSchedule")));
        String conflict = fleet.file(applied("example.com/theirs=x:NoSchedule"));
        Result refused = fleet.run(List.of("--server-side", "--field-manager=flux", "--edit", conflict));
        assertThat(refused.exit()).isOne();
        assertThat(refused.err())
                .contains("MachineDeployment planned/applied: the server would refuse to apply it: Error from server"
                        + " (Conflict): Apply failed with 1 conflict")
                .contains("\"team\"");

        comesTrue(told, () -> apply("flux", false, "example.com/c:NoSchedule"));
        assertThat(TaintChanges.told(fleet.plan("--server-side", "--field-manager=flux", "--force-conflicts", "--edit",
                conflict))).isEqualTo(Map.of("planned-applied-1", Set.of("- example.com/c:NoSchedule",
                        "~ " + THEIRS + " -> example.com/theirs=x:NoSchedule")));
    }

    private static ObjectNode applied(String taint) {
        ObjectNode applied = (ObjectNode) Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind",
                "MachineDeployment", "metadata",
                Map.of("name", "applied", "namespace", fleet.suite.fleet().namespace())));
        applied.withObject("/spec/template/spec").set("taints", Taints.json(taint + ":Always"));
        return applied;
    }

    private static void apply(String manager, boolean force, String taint) {
        Reply reply = fleet.suite.admin().send("PATCH", fleet.suite.clusterApi() + "/machinedeployments/applied"
                + "?fieldManager=" + manager + "&force=" + force, AdminClient.APPLY_PATCH, applied(taint).toString());
        assertThat(reply.isOk()).as("%s", reply).isTrue();
    }

    @Test
    void of_a_pool_it_tells_what_becomes_of_its_nodes() {
        try (Pools pools = new Pools(fleet.suite, "c")) {
            pools.create("planned-pool", 2, A + ":Always");
            fleet.awaitTaints("planned-pool-0", A);
            fleet.awaitTaints("planned-pool-1", A);
            fleet.suite.settled();
            ObjectNode edited = fleet.edited("machinepools/planned-pool", B + ":Always");

            Map<String, Set<String>> told = TaintChanges.told(fleet.plan("--edit", fleet.file(edited)));
            assertThat(told).isEqualTo(Map.of(
                    "planned-pool-0", Set.of("- " + A, "+ " + B), "planned-pool-1", Set.of("- " + A, "+ " + B)));

            comesTrue(told, () -> fleet.store("machinepools/planned-pool", edited));
        }
    }

    @Test
    void of_a_machine_and_its_node_edited_at_once_it_tells_what_both_come_to() {
        fleet.pair("both", A + ":Always", B + ":Always");
        fleet.awaitTaints("planned-both", A, B);
        fleet.suite.settled();
        ObjectNode machine = fleet.stored("machines/planned-both");
        machine.withObject("/spec").set("taints", Taints.json(A2 + ":Always", B + ":Always"));
        ObjectNode node = (ObjectNode) fleet.suite.node("planned-both");
        node.withObject("/spec").set("taints", Taints.json(A, MINE)); // without B, which comes again

        Map<String, Set<String>> told = TaintChanges.told(fleet.plan("--edit", fleet.file(machine, node)));
        assertThat(told).isEqualTo(Map.of("planned-both", Set.of("~ " + A + " -> " + A2, "+ " + MINE)));

        comesTrue(told, () -> {
            fleet.suite.admin().replace(Fleet.nodePath("planned-both"), node);
            fleet.store("machines/planned-both", machine);
        });
    }

    @Test
    void without_an_edit_it_tells_what_the_controller_does_when_it_comes() {
        fleet.pair("late", A + ":Always");
        fleet.awaitTaints("planned-late", A);
        fleet.suite.settled();
        fleet.stopController();
        fleet.suite.admin().mergePatch(fleet.suite.fleet().machinePath("planned-late"), Taints.patch(B + ":Always"));
        fleet.byHand("late", MINE);
        fleet.pair("new", A + ":Always", ONCE + ":OnInitialization");

        Map<String, Set<String>> told = TaintChanges.told(fleet.plan());
        assertThat(told).isEqualTo(Map.of("planned-late", Set.of("- " + A, "+ " + B),
                "planned-new", Set.of("- " + Taints.UNINITIALIZED, "+ " + A, "+ " + ONCE)));

        comesTrue(told, fleet::startController);
    }

    /** Does it, and compares all Nodes of the cluster before and after with what was told. */
    private static void comesTrue(Map<String, Set<String>> told, Runnable edit) {
        JsonNode before = fleet.nodes();
        edit.run();
        await("what was told").atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(TaintChanges.between(before, fleet.nodes())).isEqualTo(told));
        fleet.suite.settled();
        assertThat(TaintChanges.between(before, fleet.nodes())).as("and nothing else").isEqualTo(told);
    }
}
