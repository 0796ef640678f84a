package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.api.json.kubeconfig.KubeconfigPolicy;
import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import io.nodeward.core.runtime.cluster.ClusterSettings;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a Machine says in its condition, and until when. */
@Timeout(60)
class MachineConditionTest extends RoomFixture {
    private static final Predicate<Request> PATCHES = r -> r.method().equals("PATCH");
    private static final ClusterSettings SOON = new ClusterSettings(
            KubeconfigPolicy.DEFAULT, 64, 0, 1 << 20, Duration.ofSeconds(1), Duration.ofMillis(500));

    @Test
    void a_write_that_is_forbidden_is_said_and_tried_until_it_is_not() {
        workload.fault(1_000_000, PATCHES, Fault.status(403, "Forbidden", "admission webhook denied the request"));
        machineWithNode("m", "a=1:NoSchedule");
        room = new RunningRoom(management.kubeconfig(), SOON);
        await().until(() -> !blocked("m").isEmpty());

        assertThat(blocked("m")).singleElement().satisfies(condition -> {
            assertThat(condition.path("reason").asText()).isEqualTo("NodeRejected");
            assertThat(condition.path("message").asText()).contains("Node m", "webhook denied");
        });
        await().until(() -> events("NodeRejected").size() == 1);
        workload.clearFaults();
        awaitTaints("m", "a=1:NoSchedule");
        await().until(() -> blocked("m").isEmpty());
        assertThat(events("NodeRejected")).hasSize(1);
    }

    @Test
    void a_write_that_is_forbidden_for_a_moment_is_said_to_nobody() {
        workload.fault(1, PATCHES, Fault.status(403, "Forbidden", "the role is not known yet"));
        machineWithNode("m", "a=1:NoSchedule");
        room = new RunningRoom(management.kubeconfig());
        awaitTaints("m", "a=1:NoSchedule");

        assertThat(events("NodeRejected")).isEmpty();
    }

    @Test
    void a_machine_that_is_being_deleted_says_nothing() {
        workload.fault(1_000_000, PATCHES, Fault.status(422, "Invalid", "not on this Node"));
        management.create("machines", json("{'metadata':{'namespace':'fleet','name':'m','finalizers':['x/y']},"
                + "'spec':{'clusterName':'c','providerID':'fake://m'}}"));
        node("m", "fake://m");
        room = new RunningRoom(management.kubeconfig(), SOON);
        await().until(() -> !blocked("m").isEmpty());
        management.delete("machines", "fleet", "m");
        await().until(() -> blocked("m").isEmpty());
        declare("m", "a=1:NoSchedule");
        await().until(() -> patches().size() >= 4); // this time it would be said again
        assertThat(blocked("m")).isEmpty();
    }

    private List<JsonNode> blocked(String machine) {
        JsonNode conditions = management.get("machines", "fleet", machine).orElseThrow().at("/status/conditions");
        return StreamSupport.stream(conditions.spliterator(), false)
                .filter(c -> c.path("type").asText().equals("nodeward.io/Blocked"))
                .toList();
    }
}
