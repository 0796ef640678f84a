package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.core.fakeapi.Fault;
import io.nodeward.core.fakeapi.Request;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How many requests a change costs, by the server's own log. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class MachineWritesTest extends MachineFixture {
    @Test
    void a_change_is_one_patch_and_no_other_request_to_anybody() throws Exception {
        machineWithNode("m");
        machineWithNode("other");
        startConverged();
        declare("m", "a=1:NoSchedule", "b=2:NoExecute");
        awaitTaints("m", "a=1:NoSchedule", "b=2:NoExecute");
        settle();

        assertThat(workload.requests()).singleElement().satisfies(r -> {
            assertThat(r.method()).isEqualTo("PATCH");
            assertThat(r.path()).isEqualTo("/api/v1/nodes/m");
            assertThat(r.query()).isEqualTo("fieldManager=nodeward-machine");
            assertThat(r.contentType()).isEqualTo("application/json-patch+json");
            assertThat(r.userAgent()).startsWith("nodeward/test (fabric8; ");
            assertThat(r.body()).contains("\"test\",\"path\":\"/spec/taints\"").doesNotContain("resourceVersion");
            assertThat(r.code()).isEqualTo(200);
        });
        assertThat(management.requests()).isEmpty();
        assertThat(tracked("m")).isEqualTo("a:NoSchedule,b:NoExecute");
    }

    @Test
    void every_way_a_machine_changes_is_one_patch() throws Exception {
        machineWithNode("m");
        startConverged();
        List<Runnable> changes = List.of(
                () -> declare("m", "a=1:NoSchedule"),
                () -> declare("m", "a=2:NoSchedule"),
                () -> declare("m", "a=2:NoExecute"),
                () -> declare("m", "a=2:NoExecute", "b=1:NoSchedule"),
                () -> declare("m"),
                () -> label("node-role.kubernetes.io/x", "''"),
                () -> label("node-role.kubernetes.io/x", "null"));
        for (int i = 0; i < changes.size(); i++) {
            changes.get(i).run();
            int expected = i + 1;
            settle();
            assertThat(patches()).as("change %d", i).hasSize(expected).containsOnly(200);
        }
        assertThat(otherRequests()).isEmpty();
        assertThat(taintsOf("m")).isEmpty();
    }

    private void label(String key, String value) {
        management.mergePatch("machines", NAMESPACE, "m",
                json("{'metadata':{'labels':{'" + key + "':" + value + "}}}"));
    }

    @Test
    void heartbeats_cost_no_request_and_no_reconciliation() throws Exception {
        machineWithNode("m", "a=1:NoSchedule");
        startConverged();
        double before = controller.reconciliations();
        for (int i = 0; i < 50; i++) {
            workload.mergePatch("nodes", "", "m",
                    json("{'status':{'conditions':[{'type':'Ready','status':'True','message':'" + i + "'}]}}"));
            management.mergePatch("machines", NAMESPACE, "m", json("{'status':{'phase':'Running" + i + "'}}"));
        }
        settle();

        assertThat(workload.requests()).isEmpty();
        assertThat(management.requests()).isEmpty();
        assertThat(controller.reconciliations()).isEqualTo(before);
    }

    @Test
    void a_second_edit_right_after_the_first_is_one_more_patch_and_no_conflict() throws Exception {
        machineWithNode("m");
        startConverged();
        for (int i = 1; i <= 20; i++) {
            declare("m", "a=" + i + ":NoSchedule");
            awaitTaints("m", "a=" + i + ":NoSchedule");
        }
        settle();

        assertThat(patches()).hasSize(20).containsOnly(200);
        assertThat(otherRequests()).isEmpty();
    }

    @Test
    void an_own_write_is_seen_at_once_where_no_watch_brings_it_back() throws Exception {
        machineWithNode("m");
        startConverged();
        workload.fault(1_000_000, WATCH, Fault.status(503, "ServiceUnavailable", "no watch"));
        workload.dropWatches();
        for (int i = 1; i <= 5; i++) {
            declare("m", "a=" + i + ":NoSchedule");
            awaitTaints("m", "a=" + i + ":NoSchedule");
        }

        assertThat(patches()).hasSize(5).containsOnly(200);
        assertThat(otherRequests()).isEmpty();
    }

    @Test
    void a_converged_fleet_costs_nothing_at_restart() throws Exception {
        for (int i = 0; i < 20; i++) {
            machineWithNode("m" + i, "a=" + i + ":NoSchedule");
        }
        startConverged();
        controller.close();
        workload.clearRequests();
        controller = new RunningController(management.kubeconfig(), quiet);
        settle();

        assertThat(controller.reconciliations()).isGreaterThanOrEqualTo(20);
        assertThat(workload.requests()).singleElement()
                .satisfies(r -> assertThat(r.query()).contains("sendInitialEvents"));
    }

    @Test
    void a_fleet_that_declares_nothing_gets_the_empty_annotation_and_keeps_its_taints() throws Exception {
        machine("m", "fake://m");
        node("m", "fake://m", "foreign=1:NoSchedule");
        controller = new RunningController(management.kubeconfig(), quiet);
        await().until(() -> tracked("m").isEmpty());
        settle();

        assertThat(patches()).containsExactly(200);
        assertThat(workload.requests().stream().filter(PATCH).map(Request::body))
                .allSatisfy(b -> assertThat(b).doesNotContain("\"add\",\"path\":\"/spec/taints"));
        assertThat(taintsOf("m")).containsExactly("foreign=1:NoSchedule");
    }

    @Test
    void a_burst_over_many_machines_is_one_patch_per_changed_node() throws Exception {
        List<String> names = IntStream.range(0, 500).mapToObj(i -> "m%03d".formatted(i)).toList();
        names.forEach(n -> machineWithNode(n));
        startConverged();
        List<String> changed = names.subList(0, 300);
        changed.forEach(n -> declare(n, "a=1:NoSchedule"));
        await().until(() -> changed.stream().allMatch(n -> taintsOf(n).size() == 1));
        settle();

        assertThat(patches()).hasSize(300).containsOnly(200);
        assertThat(workload.requests()).extracting(Request::path).doesNotHaveDuplicates().hasSize(300);
    }

    @Test
    void stopping_finishes_the_write_in_hand_and_begins_no_other() throws Exception {
        machineWithNode("m");
        machineWithNode("late");
        startConverged();
        CountDownLatch inHand = new CountDownLatch(1);
        CountDownLatch answer = new CountDownLatch(1);
        workload.listen(request -> {
            if (PATCH.test(request)) {
                inHand.countDown();
                awaitDown(answer);
            }
        });
        declare("m", "a=1:NoSchedule");
        inHand.await();

        assertThat(controller.stop(Duration.ofMillis(100))).as("still in hand").isFalse();
        declare("late", "a=1:NoSchedule");
        answer.countDown();
        assertThat(controller.stop(Duration.ofSeconds(20))).isTrue();
        assertThat(patches()).containsExactly(200);
        assertThat(taintsOf("m")).containsExactly("a=1:NoSchedule");
        controller.close(); // with its connections
        assertThat(taintsOf("late")).isEmpty();
    }

    private static void awaitDown(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
