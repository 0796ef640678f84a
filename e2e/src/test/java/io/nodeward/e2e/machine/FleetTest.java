package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.KubeletObjects;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.NodeSpec;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a whole fleet costs: first start, restart, heartbeats, a change of all Machines, and a stop in between. */
class FleetTest {
    private static final String FOREIGN = "example.com/foreign=f:NoExecute";
    private static final int WORKERS = 2;
    /** The write after which a worker is held in the middle of the burst; each other worker may have one more in hand. */
    private static final int FIRST_HELD = 3;
    private MachineSuite suite;
    private Witness witness;

    @BeforeEach
    void prepare() {
        suite = MachineSuite.in("fleet");
        suite.cluster("c");
        witness = new Witness(suite, "c");
    }

    @AfterEach
    void cleanUp() {
        suite.compareWithOtherBackends();
        suite.close();
    }

    @Test
    void a_fleet_without_declared_taints_costs_an_annotation_per_node_at_first_and_then_nothing() {
        List<String> names = fleet(20);
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward first = suite.start()) {
            witness.settle();
            List<AuditRequest> writes = suite.requestsSince(mark).stream()
                    .filter(AuditRequest::isWrite).filter(r -> names.contains(r.name())).toList();
            assertThat(writes).extracting(AuditRequest::name).containsExactlyInAnyOrderElementsOf(names);
            assertThat(writes).allSatisfy(write -> {
                assertThat(write.is("patch", "nodes")).isTrue();
                assertThat(write.code()).isEqualTo(200);
                assertThat(write.written().path("metadata").path("annotations"))
                        .isEqualTo(Json.parse("{\"" + Taints.TRACKING + "\":\"\"}"));
                assertThat(write.written().path("metadata").has("labels")).isFalse();
                assertThat(write.written().has("spec")).isFalse();
            });
            assertThat(names).allSatisfy(name -> assertThat(Taints.on(suite.node(name))).containsExactly(FOREIGN));

            // A kubelet reports every ten seconds; here three times at once for all.
            witness.nothing(() -> names.forEach(this::heartbeat));
            witness.nothing(() -> names.forEach(this::reportMachine));
            assertThat(first.metrics()).contains("nodeward_nodes ");
        }
        assertRestartWritesNothing();
    }

    @Test
    void a_change_of_every_machine_costs_one_patch_for_each_node_and_a_restart_nothing() {
        List<String> names = fleet(20);
        try (RunningNodeward running = suite.start()) {
            witness.settle();
            witness.patches(names, () -> names.forEach(this::declare));
            assertThat(running.isReady()).isTrue();
        }
        assertRestartWritesNothing();
    }

    @Test
    void a_stop_in_the_middle_of_a_burst_finishes_the_writes_in_hand_and_makes_no_other() throws Exception {
        List<String> names = fleet(200);
        names.parallelStream().forEach(this::declare);
        AuditLog.Mark mark = suite.mark();
        int told = stopInTheMiddle();
        AuditLog.Mark stopped = suite.settled();
        List<String> done = acknowledged(mark);
        assertThat(done).hasSizeBetween(FIRST_HELD, FIRST_HELD + WORKERS - 1).hasSize(told);
        assertThat(suite.requestsSince(mark)).filteredOn(AuditRequest::isWrite)
                .allSatisfy(write -> assertThat(write.code()).isEqualTo(200));
        for (String name : names) {
            boolean written = done.contains(name);
            assertThat(Taints.tracking(suite.node(name))).isEqualTo(written ? "example.com/a:NoSchedule" : null);
            assertThat(Taints.on(suite.node(name)).contains("example.com/a=v:NoSchedule")).isEqualTo(written);
        }
        assertThat(suite.requestsSince(stopped)).isEmpty();

        try (RunningNodeward again = suite.start()) {
            witness.settle();
            assertThat(again.isReady()).isTrue();
        }
        assertThat(acknowledged(mark)).containsExactlyInAnyOrderElementsOf(names);
    }

    /** Gives how many answers of the server the controller waited for. */
    private int stopInTheMiddle() throws InterruptedException {
        try (HeldWriters writers = HeldWriters.from(FIRST_HELD)) {
            RunningNodeward running = suite.start("--machine-concurrency=" + WORKERS);
            writers.awaitHeld();
            Thread stop = Thread.ofPlatform().start(running::close);
            // It says that it is not ready, ends its queues and waits for the workers, who are held.
            await("the stop").atMost(MachineSuite.PATIENCE).until(() -> !running.isReady()
                    && EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING).contains(stop.getState()));
            writers.release();
            stop.join();
            return writers.told();
        }
    }

    private void assertRestartWritesNothing() {
        witness.settle();
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward again = suite.start()) {
            witness.awaitSeen(); // that it is ready says nothing of workload clusters
            assertThat(again.isReady()).isTrue();
        }
        suite.settled();
        List<AuditRequest> requests = suite.requestsSince(mark);
        assertThat(requests).extracting(AuditRequest::resource).contains("machines", "nodes");
        assertThat(requests).filteredOn(AuditRequest::isWrite).filteredOn(r -> !r.name().endsWith("canary")).isEmpty();
    }

    /** Names of Nodes of this suite's fleet that were written, in order. */
    private List<String> acknowledged(AuditLog.Mark mark) {
        return suite.requestsSince(mark).stream()
                .filter(r -> r.is("patch", "nodes") && r.code() == 200)
                .map(AuditRequest::name)
                .filter(name -> !name.endsWith("canary"))
                .toList();
    }

    /** Nodes that have been running for long, with taints of others, and their Machines. */
    private List<String> fleet(int size) {
        List<String> names = new ArrayList<>(IntStream.range(0, size).mapToObj(i -> "fleet-" + i).toList());
        names.parallelStream().forEach(name -> {
            suite.fleet().node(Taints.register(NodeSpec.named(name), FOREIGN));
            suite.fleet().machine(MachineSpec.named(name, "c"));
        });
        return names;
    }

    private void declare(String name) {
        suite.admin().mergePatch(suite.fleet().machinePath(name), Taints.patch("example.com/a=v:NoSchedule:Always"));
    }

    private void heartbeat(String name) {
        for (int i = 0; i < 3; i++) {
            suite.admin().mergePatch(Fleet.nodePath(name) + "/status", KubeletObjects.ready(name).toString());
        }
    }

    private void reportMachine(String name) {
        suite.admin().mergePatch(suite.fleet().machinePath(name) + "/status", Json.tree(Map.of(
                "status", Map.of("phase", "Running", "nodeRef", Map.of("name", name)))).toString());
    }
}
