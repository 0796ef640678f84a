package io.nodeward.e2e.machinepool;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Pools without Machines on a real API server, where nobody else looks after them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MachinePoolTest {
    private static final String GATE = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String A = "example.com/a=1:NoSchedule";
    private static final String B = "example.com/b:NoSchedule";
    private static final String C = "example.com/c:NoSchedule";
    private static final String ONCE = "example.com/once:NoExecute";

    private final MachineSuite suite = MachineSuite.in("pools", "machinepool");
    private final Pools pools = new Pools(suite, "c");
    private RunningNodeward nodeward;

    @BeforeAll
    void start() {
        suite.cluster("c");
        suite.add(MachineCanary.in(suite, "c"));
        suite.add(new PoolCanary(suite, pools));
        nodeward = suite.start(GATE, "--blocked-after=3s");
    }

    @AfterAll
    void stop() {
        nodeward.close();
        pools.close();
        suite.close();
    }

    @Test
    void what_a_pool_declares_is_on_its_nodes_for_one_patch_each() {
        pools.create("pools-edit", 5, A + ":Always", ONCE + ":OnInitialization");
        for (int i = 0; i < 5; i++) {
            suite.awaitTaints("pools-edit-" + i, UNINITIALIZED, A, ONCE);
        }
        suite.settled();
        AuditLog.Mark mark = suite.mark();
        pools.declare("pools-edit", "example.com/a=2:NoSchedule:Always");
        for (int i = 0; i < 5; i++) {
            suite.awaitTaints("pools-edit-" + i, UNINITIALIZED, "example.com/a=2:NoSchedule", ONCE);
        }
        List<AuditRequest> requests = writesOf(mark, "pools-edit-");
        assertThat(requests).hasSize(5).allMatch(r -> r.is("patch", "nodes") && r.code() == 200);
        assertThat(Taints.tracking(suite.node("pools-edit-0"))).isEqualTo("example.com/a:NoSchedule");
    }

    @Test
    void taints_declared_by_annotation_reach_the_nodes_too() {
        pools.create("pools-annotated", 2);
        pools.annotate("pools-annotated", Map.of("taint.nodeward.io/gpu", "example.com/gpu=a100:NoSchedule"));
        suite.awaitTaints("pools-annotated-0", UNINITIALIZED, "example.com/gpu=a100:NoSchedule");
        suite.awaitTaints("pools-annotated-1", UNINITIALIZED, "example.com/gpu=a100:NoSchedule");
    }

    @Test
    void drift_is_mended_and_a_node_that_registers_again_gets_everything() {
        pools.create("pools-drift", 2, A + ":Always", ONCE + ":OnInitialization");
        suite.awaitTaints("pools-drift-0", UNINITIALIZED, A, ONCE);
        suite.admin().mergePatch(Fleet.nodePath("pools-drift-0"), Taints.patch());
        suite.awaitTaints("pools-drift-0", A, ONCE);
        suite.admin().mergePatch(Fleet.nodePath("pools-drift-0"), Taints.patch());
        suite.awaitTaints("pools-drift-0", A);

        suite.admin().delete(Fleet.nodePath("pools-drift-1"));
        pools.node("pools-drift", 1);
        suite.awaitTaints("pools-drift-1", UNINITIALIZED, A, ONCE);
    }

    @Test
    void a_pool_that_grows_and_shrinks_takes_its_nodes_in_and_leaves_them_as_they_are() {
        pools.create("pools-scale", 1, A + ":Always");
        pools.node("pools-scale", 1);
        pools.scale("pools-scale", 2);
        suite.awaitTaints("pools-scale-1", UNINITIALIZED, A);
        pools.scale("pools-scale", 1);
        suite.settled();
        AuditLog.Mark mark = suite.mark();
        suite.admin().mergePatch(Fleet.nodePath("pools-scale-1"), Taints.patch());
        assertThat(writesOf(mark, "pools-scale-")).isEmpty();
    }

    @Test
    void a_pool_whose_infrastructure_makes_machines_is_left_to_them() {
        pools.create("pools-machines", 0);
        pools.makesMachines("pools-machines");
        pools.node("pools-machines", 0);
        AuditLog.Mark mark = suite.mark();
        pools.scale("pools-machines", 1);
        pools.declare("pools-machines", A + ":Always");
        suite.settled();
        assertThat(writesOf(mark, "pools-machines-")).isEmpty();
    }

    @Test
    void a_pool_that_comes_to_have_machines_leaves_its_nodes_to_them_and_declares_for_them() {
        pools.create("pools-kind", 1, A + ":Always");
        suite.awaitTaints("pools-kind-0", UNINITIALIZED, A);
        pools.makesMachines("pools-kind");
        suite.fleet().machine(MachineSpec.named("pools-kind-machine", "c").withProviderId("").standingAlone()
                .withAnnotations(Map.of("taint.nodeward.io/b", B)));
        pools.own("pools-kind", suite.fleet().machinePath("pools-kind-machine"));
        suite.settled();
        AuditLog.Mark mark = suite.mark();
        pools.declare("pools-kind", C + ":Always");
        assertThat(writesOf(mark, "pools-kind-0")).isEmpty();

        suite.admin().mergePatch(suite.fleet().machinePath("pools-kind-machine"),
                "{\"spec\":{\"providerID\":\"" + Fleet.providerId("pools-kind-0") + "\"}}");
        suite.awaitTaints("pools-kind-0", C, B);
        suite.settled();
        AuditLog.Mark taken = suite.mark();
        suite.admin().delete(suite.fleet().machinePath("pools-kind-machine"));
        pools.declare("pools-kind", A + ":Always");
        assertThat(writesOf(taken, "pools-kind-0")).isEmpty();
    }

    @Test
    void a_node_that_is_refused_stops_no_other_and_is_named() {
        pools.create("pools-refused", 4);
        try (NodeLock lock = new NodeLock(suite, "pools-refused-1")) {
            pools.declare("pools-refused", A + ":Always");
            for (int i : List.of(0, 2, 3)) {
                suite.awaitTaints("pools-refused-" + i, UNINITIALIZED, A);
            }
            JsonNode blocked = await("condition").atMost(MachineSuite.PATIENCE).until(() -> condition("pools-refused"),
                    found -> found.filter(c -> c.path("reason").asText().equals("NodeRejected")).isPresent())
                    .orElseThrow();
            assertThat(blocked.path("message").asText()).contains("pools-refused-1", lock.words());
            assertThat(Taints.on(suite.node("pools-refused-1"))).containsExactly(UNINITIALIZED);
        }
        pools.declare("pools-refused", B + ":Always");
        for (int i = 0; i < 4; i++) {
            suite.awaitTaints("pools-refused-" + i, UNINITIALIZED, B);
        }
    }

    @Test
    void who_is_to_remove_uninitialized_is_said_once_it_takes_long_and_taken_back_when_it_is_gone() {
        pools.create("pools-waiting", 1, A + ":Always");
        JsonNode blocked = await("condition").atMost(MachineSuite.PATIENCE)
                .until(() -> condition("pools-waiting"), Optional::isPresent).orElseThrow();
        assertThat(blocked.path("reason").asText()).isEqualTo("NodesUninitialized");
        assertThat(blocked.path("message").asText())
                .contains("pools-waiting-0 since ", "Cluster API manager", "--initialize-machinepool-nodes");

        suite.admin().mergePatch(Fleet.nodePath("pools-waiting-0"), Taints.patch(A));
        await("its end").atMost(MachineSuite.PATIENCE).until(() -> condition("pools-waiting").isEmpty());
    }

    private Optional<JsonNode> condition(String pool) {
        return suite.admin().get(pools.path(pool)).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("nodeward.io/Blocked")).findFirst();
    }

    private List<AuditRequest> writesOf(AuditLog.Mark mark, String nodes) {
        return suite.settledSince(mark).stream().filter(r -> r.isWrite() && r.name().startsWith(nodes)).toList();
    }
}
