package io.nodeward.e2e.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Command.Result;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A plan of a live fleet: what it says of pods, how it ends, and what it asks of the server. */
class PlanTest {
    private static final String LAST = "/version?last";
    private static final String A = "example.com/a=1:NoSchedule";
    private static final String B = "example.com/b:NoSchedule";
    private static final String EVICTS = "example.com/evicts:NoExecute";

    private static PlannedFleet fleet;

    @BeforeAll
    static void start() {
        fleet = new PlannedFleet("planning");
        fleet.deployment("md", 1, A);
    }

    @AfterAll
    static void stop() {
        fleet.close();
    }

    @Test
    void the_exit_code_says_whether_it_would_happen() {
        fleet.pod("stays", Map.of("nodeName", "planning-md-1", "tolerations", List.of(Map.of("operator", "Exists"))));
        String asItIs = fleet.file(fleet.stored("machinedeployments/md"));
        String adds = fleet.file(fleet.edited("machinedeployments/md", A + ":Always", B + ":Always"));
        String evicts = fleet.file(fleet.edited("machinedeployments/md", A + ":Always", EVICTS + ":Always"));

        assertThat(fleet.exit("--edit", asItIs, "--fail-on", "changes")).isZero();
        assertThat(fleet.exit("--edit", adds, "--fail-on", "changes")).isEqualTo(3);
        assertThat(fleet.exit("--edit", adds, "--fail-on", "evictions")).isZero();
        assertThat(fleet.exit("--edit", evicts, "--fail-on", "evictions")).as("all tolerate it").isZero();
        fleet.pod("goes", Map.of("nodeName", "planning-md-1"));
        assertThat(fleet.exit("--edit", evicts, "--fail-on", "evictions")).isEqualTo(3);
        assertThat(fleet.exit("--edit", evicts)).isZero();
        JsonNode pods = fleet.plan("--edit", evicts).at("/changes/0/pods");
        assertThat(pods).hasSize(1);
        assertThat(pods.at("/0/pod").asText()).isEqualTo("planning/goes");
        assertThat(pods.at("/0/because").asText()).isEqualTo(EVICTS);
    }

    @Test
    void a_node_that_it_tells_to_open_is_where_the_real_scheduler_puts_the_pod() {
        fleet.deployment("opened", 1, A);
        fleet.pod("waits", Map.of("nodeSelector", Map.of("kubernetes.io/hostname", "planning-opened-1")));
        ObjectNode edited = fleet.edited("machinedeployments/opened");
        try (LoggedProcess scheduler = fleet.suite.controlPlane().scheduler()) {
            await("that it has to wait").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                    waiting().at("/status/conditions/0/reason").asText()).as(scheduler.tail())
                    .isEqualTo("Unschedulable"));
            JsonNode pending = fleet.plan("--edit", fleet.file(edited)).path("pendingPods");
            assertThat(pending).hasSize(1);
            assertThat(pending.at("/0/pod").asText()).isEqualTo("planning/waits");
            assertThat(pending.at("/0/nowSchedulable")).extracting(JsonNode::asText)
                    .containsExactly("planning-opened-1");

            fleet.store("machinedeployments/opened", edited);
            await("its Node").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                    waiting().at("/spec/nodeName").asText()).as(scheduler.tail()).isEqualTo("planning-opened-1"));
        }
    }

    private static JsonNode waiting() {
        return fleet.suite.admin().get(fleet.suite.core() + "/pods/waits");
    }

    /** By its OpenAPI, which has the schemas of its CRDs. */
    @Test
    void an_edit_that_the_server_would_not_store_is_refused() {
        ObjectNode edited = fleet.edited("machinedeployments/md");
        edited.withObject("/spec/template/spec").putArray("taint");
        await("the server's OpenAPI").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            Result result = fleet.run(List.of("--edit", fleet.file(edited)));
            assertThat(result.exit()).as(result.err()).isEqualTo(1);
            assertThat(result.err()).contains(
                    "spec.template.spec.taint: unknown field; did you mean 'taints'?").endsWith("?\n");
        });
        edited.withObject("/spec/template/spec").remove("taint");
        edited.withObject("/spec").put("replicas", -1);
        assertThat(fleet.run(List.of("--edit", fleet.file(edited))).err())
                .startsWith("error: ").contains("spec.replicas: must be at least 0");
    }

    @Test
    void it_reads_and_writes_nothing() {
        Predicate<AuditRequest> planners = request -> request.user().equals(PlannedFleet.PLANNER);
        AuditLog.Mark mark = fleet.suite.mark();
        fleet.plan("--edit", fleet.file(fleet.edited("machinedeployments/md", B + ":Always")));
        askLast();
        await("the last request").atMost(MachineSuite.PATIENCE)
                .until(() -> fleet.suite.controlPlane().audit().since(mark)
                        .filter(planners).anyMatch(request -> request.uri().endsWith(LAST)));

        List<AuditRequest> asked = fleet.suite.controlPlane().audit().since(mark).filter(planners).toList();
        assertThat(asked).hasSizeGreaterThan(1).noneMatch(AuditRequest::isWrite);
    }

    /** After all that the command asked, which has ended. */
    private static void askLast() {
        try (AdminClient planner = new AdminClient(fleet.suite.controlPlane()
                .kubeconfigForUser(PlannedFleet.PLANNER, List.of("system:masters")))) {
            planner.get(LAST);
        }
    }
}
