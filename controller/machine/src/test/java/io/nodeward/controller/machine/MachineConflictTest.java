package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens between the plan and the write. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MachineConflictTest extends MachineFixture {
    /** Runs {@code meanwhile} when the next patch has arrived and is not served yet. */
    private void beforeNextPatch(Runnable meanwhile) {
        workload.fault(r -> {
            boolean fits = PATCH.test(r);
            if (fits) {
                meanwhile.run();
            }
            return fits;
        }, new Fault.Delay(Duration.ZERO));
    }

    @Test
    void a_foreign_write_in_between_is_taken_from_the_watch_and_planned_upon_at_once() throws Exception {
        machineWithNode("m");
        startConverged();
        beforeNextPatch(() -> foreignTaint("m", "foreign=1:NoSchedule"));
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "foreign=1:NoSchedule", "a=1:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(422, 200);
        assertThat(otherRequests()).isEmpty();
        assertThat(
                controller.registry.get("controller.runtime.reconcile.errors").tag("controller", "machine").counter()
                        .count())
                .as("no back-off").isZero();
    }

    @Test
    void a_write_of_anything_else_in_between_is_no_conflict() throws Exception {
        machineWithNode("m");
        startConverged();
        beforeNextPatch(() -> {
            workload.mergePatch("nodes", "", "m", json("{'status':{'conditions':[{'type':'Ready','status':'True'}]}}"));
            workload.mergePatch("nodes", "", "m",
                    json("{'metadata':{'labels':{'theirs':'1'},'annotations':{'theirs':'1'}}}"));
        });
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule");
        settle();
        declare("m", "a=2:NoSchedule");
        awaitTaints("m", "a=2:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(200, 200);
        assertThat(otherRequests()).isEmpty();
        assertThat(workload.get("nodes", "", "m").orElseThrow().at("/metadata/labels/theirs").asText()).isEqualTo("1");
    }

    @Test
    void what_others_undo_in_between_is_seen_and_repaired() throws Exception {
        machineWithNode("m");
        startConverged();
        management.mergePatch("machines", NAMESPACE, "m",
                json("{'metadata':{'labels':{'node-role.kubernetes.io/x':'ours'}}}"));
        await().until(() -> patches().size() == 1);
        settle();
        beforeNextPatch(() -> workload.mergePatch("nodes", "", "m",
                json("{'metadata':{'labels':{'node-role.kubernetes.io/x':'theirs'}}}")));
        declare("m", "a=1:NoSchedule");
        await().until(() -> patches().size() == 3);
        settle();

        assertThat(patches()).containsExactly(200, 200, 200);
        assertThat(workload.get("nodes", "", "m").orElseThrow().at("/metadata/labels")
                .path("node-role.kubernetes.io/x").asText()).isEqualTo("ours");
    }

    @Test
    void a_test_that_fails_for_no_reason_is_cleared_up_by_one_read_and_the_resource_version() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(1_000_000, r -> PATCH.test(r) && r.contentType().equals("application/json-patch+json"),
                Fault.status(422, "Invalid", "the server rejected our request due to an error in our request"));
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(422, 200);
        assertThat(workload.requests().stream().filter(PATCH)).last()
                .satisfies(r -> assertThat(r.body()).contains("resourceVersion"));
        assertThat(otherRequests()).containsExactly("GET /api/v1/nodes/m");
        assertThat(management.list("events")).isEmpty();
    }

    @Test
    void many_foreign_writes_in_a_row_cost_as_many_conflicts_and_lose_nothing() throws Exception {
        machineWithNode("m");
        startConverged();
        for (int i = 0; i < 30; i++) { // more than one call plans for, and than the write limiter lets pass
            int writer = i;
            beforeNextPatch(() -> foreignTaint("m", "foreign" + writer + "=1:NoSchedule"));
        }
        declare("m", "a=1:NoSchedule");
        await().until(() -> taintsOf("m").size() == 31);
        settle();

        assertThat(patches()).hasSize(31).endsWith(200);
        assertThat(otherRequests()).isEmpty();
        assertThat(management.list("events")).isEmpty();
    }

    @Test
    void a_conflict_nobody_made_is_cleared_up_by_one_read() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(PATCH, Fault.status(409, "Conflict", "the object has been modified"));
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(409, 200);
        assertThat(otherRequests()).containsExactly("GET /api/v1/nodes/m");
    }

    @Test
    void a_conflict_without_a_watch_is_one_read() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(1_000_000, WATCH, Fault.status(503, "ServiceUnavailable", "no watch"));
        workload.dropWatches();
        foreignTaint("m", "foreign=1:NoSchedule");
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "foreign=1:NoSchedule", "a=1:NoSchedule");
        quiet.leaveOut(workload);
        settle();

        assertThat(patches()).containsExactly(422, 200);
        assertThat(otherRequests()).containsExactly("GET /api/v1/nodes/m");
        workload.clearFaults();
        foreignTaint("m", "later=1:NoSchedule");
        declare("m", "b=1:NoSchedule");
        awaitTaints("m", "foreign=1:NoSchedule", "later=1:NoSchedule", "b=1:NoSchedule");
    }

    @Test
    void a_refused_write_is_said_once_and_waits_for_a_change() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(PATCH, Fault.status(422, "Invalid", "Node is invalid: because of the test"));
        declare("m", "a=1:NoSchedule");
        settle();

        assertThat(quiet.restsFor(Duration.ofSeconds(20))).as("no back-off").isTrue();
        assertThat(patches()).containsExactly(422);
        assertThat(otherRequests()).isEmpty();
        assertThat(events("NodeRejected")).singleElement().satisfies(event -> {
            assertThat(event.at("/type").asText()).isEqualTo("Warning");
            assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("Machine");
            assertThat(event.at("/involvedObject/name").asText()).isEqualTo("m");
            assertThat(event.at("/message").asText()).contains("because of the test");
        });
        declare("m", "a=2:NoSchedule");
        awaitTaints("m", "a=2:NoSchedule");
        assertThat(patches()).containsExactly(422, 200);
    }

    @Test
    void what_is_refused_again_and_again_is_one_event() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(3, PATCH, Fault.status(422, "Invalid", "the same each time"));
        for (int i = 1; i <= 3; i++) {
            declare("m", "a=" + i + ":NoSchedule");
            int expected = i;
            await().until(() -> patches().size() == expected);
        }
        settle();

        assertThat(events("NodeRejected")).hasSize(1);
    }

    @Test
    void a_node_that_is_deleted_meanwhile_is_no_failure_and_is_served_when_it_is_back() throws Exception {
        machineWithNode("m");
        startConverged();
        beforeNextPatch(() -> workload.delete("nodes", "", "m"));
        declare("m", "a=1:NoSchedule");
        await().until(() -> patches().size() == 1);
        settle();
        assertThat(patches()).containsExactly(404);
        node("m", "fake://m");
        awaitTaints("m", "a=1:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(404, 200);
        assertThat(otherRequests()).isEmpty();
        assertThat(management.list("events")).isEmpty();
    }

    @Test
    void a_node_that_is_registered_anew_meanwhile_gets_the_plan_of_a_new_node() throws Exception {
        machineWithNode("m", "once=1:NoSchedule:OnInitialization");
        startConverged();
        assertThat(taintsOf("m")).containsExactly("once=1:NoSchedule");
        beforeNextPatch(() -> {
            workload.delete("nodes", "", "m");
            node("m", "fake://m", "node.cluster.x-k8s.io/uninitialized=:NoSchedule", "foreign=1:NoSchedule");
        });
        declare("m", "once=1:NoSchedule:OnInitialization", "a=1:NoSchedule");
        awaitTaints("m", "once=1:NoSchedule", "a=1:NoSchedule", "foreign=1:NoSchedule");
        settle();

        assertThat(patches()).containsExactly(422, 200);
    }

    @Test
    void a_throttled_write_waits_as_told() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(PATCH, Fault.tooManyRequests(2));
        long start = System.nanoTime();
        declare("m", "a=1:NoSchedule");
        awaitTaints("m", "a=1:NoSchedule");

        assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1600)); // jittered
        assertThat(patches()).containsExactly(429, 200);
    }
}
