package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.kubeconfig.AllowedServers;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Options;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is said on a Machine whose Node is not as declared. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MachineConditionTest extends MachineFixture {
    private static final ClusterSettings HURRY =
            new ClusterSettings(new KubeconfigPolicy(false, AllowedServers.ALL), 64, 0, 1 << 20,
                    Duration.ofSeconds(10), Duration.ofSeconds(1));

    @Test
    void a_node_that_does_not_join_is_said_and_forgotten_when_it_joins() {
        machine("m", "fake://m", "a=1:NoSchedule");
        start();
        JsonNode blocked = awaitBlocked("m");
        assertThat(blocked.path("reason").asText()).isEqualTo("NodeNotJoined");
        assertThat(blocked.path("message").asText()).isEqualTo("no Node has providerID fake://m");
        assertThat(management.list("events")).isEmpty();
        node("m", "fake://m");
        awaitTaints("m", "a=1:NoSchedule");
        awaitNothingSaid("m");
        assertThat(statusWrites()).as("one to say it, one to take it back").hasSize(2);
    }

    @Test
    void a_machine_that_is_being_deleted_waits_for_no_node() throws Exception {
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m','finalizers':['x/y']},"
                + "'spec':{'clusterName':'c','providerID':'fake://m'}}"));
        management.delete("machines", NAMESPACE, "m");
        machine("other", "fake://other");
        start();
        awaitBlocked("other");
        settle();
        assertThat(blocked("m")).isEmpty();
    }

    @Test
    void a_taint_that_is_left_out_is_said_while_the_others_are_carried() {
        machineWithNode("m", "node.cluster.x-k8s.io/uninitialized=x:NoSchedule", "a=1:NoSchedule");
        start();
        awaitTaints("m", "a=1:NoSchedule");
        assertThat(awaitBlocked("m").path("reason").asText()).isEqualTo("ReservedTaint");
        declare("m", "a=2:NoSchedule");
        awaitTaints("m", "a=2:NoSchedule");
        awaitNothingSaid("m");
    }

    @Test
    void a_write_that_is_refused_is_tried_once_more_before_it_is_said() throws Exception {
        machineWithNode("m");
        start();
        settle();
        workload.clearRequests();
        workload.fault(1_000_000, PATCH, Fault.status(422, "Invalid", "Node is invalid: because of the test"));
        declare("m", "a=1:NoSchedule");
        JsonNode blocked = awaitBlocked("m");
        assertThat(blocked.path("reason").asText()).isEqualTo("NodeRejected");
        assertThat(blocked.path("message").asText()).contains("because of the test");
        settle();
        assertThat(patches()).containsExactly(422, 422);
        workload.clearFaults();
        declare("m", "a=2:NoSchedule");
        awaitTaints("m", "a=2:NoSchedule");
        awaitNothingSaid("m");
    }

    @Test
    void what_is_no_api_servers_answer_is_not_repeated_to_everybody() {
        machineWithNode("m");
        start();
        await().until(() -> !tracked("m").equals("none"));
        workload.fault(1_000_000, PATCH, new Fault.Answer(400, Map.of(), "<html>do-not-show-me"));
        declare("m", "a=1:NoSchedule");
        assertThat(awaitBlocked("m").path("message").asText()).isEqualTo("Node m was refused: answer 400");
        assertThat(management.list("events").toString()).contains("NodeRejected").doesNotContain("do-not-show-me");
    }

    @Test
    void what_is_said_of_a_machine_that_others_say_something_of_too_leaves_that_alone() {
        machine("m", "fake://m");
        management.mergePatch("machines", NAMESPACE, "m",
                json("{'status':{'conditions':[{'type':'Ready','status':'False','reason':'X','message':'',"
                        + "'lastTransitionTime':'2026-11-21T10:00:00Z'}]}}"));
        start();
        awaitBlocked("m");
        node("m", "fake://m");
        awaitNothingSaid("m");
        assertThat(management.get("machines", NAMESPACE, "m").orElseThrow().at("/status/conditions"))
                .singleElement()
                .satisfies(condition -> assertThat(condition.path("type").asText()).isEqualTo("Ready"));
    }

    @Test
    void a_cluster_that_is_down_is_not_said_on_each_of_its_machines() throws Exception {
        machineWithNode("m");
        start();
        await().until(() -> !tracked("m").equals("none"));
        workload.fault(1_000_000, r -> true, Fault.status(503, "ServiceUnavailable", "down"));
        workload.dropWatches();
        await().until(() -> !blocked("clusters", "c").isEmpty());
        declare("m", "a=1:NoSchedule");
        quiet.leaveOut(workload);
        settle();
        cluster("up", quiet.start(Options.defaults()));
        management.create("machines", object("later", "'spec':{'clusterName':'up','providerID':'fake://later'}"));
        awaitBlocked("later"); // it has been blocked for less long
        settle();
        assertThat(blocked("m")).isEmpty();
        workload.clearFaults();
        quiet.passUntil(() -> taintsOf("m").equals(List.of("a=1:NoSchedule")));
    }

    @Test
    void a_write_that_is_forbidden_is_said_and_tried_until_it_is_not() {
        workload.fault(1_000_000, PATCH, Fault.status(403, "Forbidden", "admission webhook denied the request"));
        machineWithNode("m", "a=1:NoSchedule");
        controller = new RunningController(management.kubeconfig(), quiet, HURRY);
        quiet.passUntil(() -> !blocked("m").isEmpty());

        assertThat(blocked("m")).singleElement().satisfies(condition -> {
            assertThat(condition.path("reason").asText()).isEqualTo("NodeRejected");
            assertThat(condition.path("message").asText()).contains("Node m", "webhook denied");
        });
        settle();
        assertThat(events("NodeRejected")).hasSize(1);
        workload.clearFaults();
        quiet.passUntil(() -> taintsOf("m").equals(List.of("a=1:NoSchedule")));
        quiet.passUntil(() -> blocked("m").isEmpty());
        settle();
        assertThat(events("NodeRejected")).hasSize(1);
    }

    @Test
    void a_write_that_is_forbidden_for_a_moment_is_said_to_nobody() {
        workload.fault(1, PATCH, Fault.status(403, "Forbidden", "the role is not known yet"));
        machineWithNode("m", "a=1:NoSchedule");
        controller = new RunningController(management.kubeconfig(), quiet);
        awaitTaints("m", "a=1:NoSchedule");
        settle();

        assertThat(events("NodeRejected")).isEmpty();
    }

    @Test
    void a_machine_that_is_being_deleted_says_nothing() throws Exception {
        workload.fault(1_000_000, PATCH, Fault.status(422, "Invalid", "not on this Node"));
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m','finalizers':['x/y']},"
                + "'spec':{'clusterName':'c','providerID':'fake://m'}}"));
        node("m", "fake://m");
        controller = new RunningController(management.kubeconfig(), quiet, HURRY);
        quiet.passUntil(() -> !blocked("m").isEmpty());
        management.delete("machines", "fleet", "m");
        quiet.passUntil(() -> blocked("m").isEmpty());
        settle();
        int before = patches().size();
        declare("m", "a=1:NoSchedule");
        await().until(() -> patches().size() > before); // and is refused again
        machine("later", "fake://later");
        awaitBlocked("later"); // it has been blocked for less long
        settle();
        assertThat(blocked("m")).isEmpty();
    }

    private void start() {
        controller = new RunningController(management.kubeconfig(), quiet, HURRY);
    }

    private List<Request> statusWrites() {
        return management.requests().stream().filter(r -> r.path().endsWith("/status")).toList();
    }

    private JsonNode awaitBlocked(String machine) {
        quiet.passUntil(() -> !blocked(machine).isEmpty());
        return blocked(machine).getFirst();
    }

    private void awaitNothingSaid(String machine) {
        quiet.passUntil(() -> blocked(machine).isEmpty());
    }

    private List<JsonNode> blocked(String machine) {
        return blocked("machines", machine);
    }

    private List<JsonNode> blocked(String kind, String name) {
        JsonNode conditions = management.get(kind, NAMESPACE, name).orElseThrow().at("/status/conditions");
        return StreamSupport.stream(conditions.spliterator(), false)
                .filter(c -> c.path("type").asText().equals("nodeward.io/Blocked"))
                .toList();
    }
}
