package io.nodeward.e2e.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.cli.Typed;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import java.nio.file.Path;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code nodeward pause}, under the role that the controller's folder has for it. */
class PauseTest {
    private static final String SYSTEM = "/api/v1/namespaces/nodeward-system/";
    private static final String CONFIG_MAP = SYSTEM + "configmaps/nodeward-pause";
    private static final String BEFORE = "example.com/a:NoSchedule";
    private static final String AFTER = "example.com/b:NoSchedule";
    private static final String HELD = "controller_runtime_reconcile_total{controller=\"machine\",result=\"requeue\"}";

    private MachineSuite suite;
    private Typed operator;

    @BeforeEach
    void prepare() {
        suite = MachineSuite.in("pause");
        suite.allowPause();
        suite.cluster("c");
        operator = new Typed(suite.controlPlane(), suite.controlPlane().adminKubeconfig());
    }

    @AfterEach
    void cleanUp() {
        suite.admin().find(CONFIG_MAP).ifPresent(there -> suite.admin().delete(CONFIG_MAP));
        suite.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    private void declare(String machine, String taint) {
        suite.admin().mergePatch(suite.fleet().machinePath(machine), Taints.patch(taint + ":Always"));
    }

    private List<AuditRequest> writesSince(AuditLog.Mark mark) {
        return suite.requestsSince(mark).stream().filter(AuditRequest::isWrite).toList();
    }

    @Test
    void a_pause_holds_back_every_write_and_a_resume_makes_up_for_it() {
        suite.fleet().pair(Taints.declare(MachineSpec.named("pause-a", "c"), BEFORE + ":Always"));
        try (RunningNodeward nodeward = suite.start(MachineSuite.PAUSABLE)) {
            suite.awaitTaints("pause-a", BEFORE);
            nodeward.awaitIdle();
            assertThat(nodeward.metric("nodeward_paused")).isZero();

            assertThat(operator.run("pause", "--reason=test").exit()).isZero();
            soon().until(() -> nodeward.metric("nodeward_paused") == 1);
            AuditLog.Mark paused = suite.mark();
            double before = nodeward.metric(HELD);
            declare("pause-a", AFTER);
            soon().until(() -> nodeward.metric(HELD) > before);
            nodeward.awaitIdle();
            assertThat(nodeward.isReady()).isTrue();
            assertThat(writesSince(paused)).isEmpty();
            assertThat(Taints.on(suite.node("pause-a"))).containsExactly(BEFORE);

            assertThat(operator.run("resume").exit()).isZero();
            suite.awaitTaints("pause-a", AFTER);
            assertThat(nodeward.metric("nodeward_paused")).isZero();
            assertThat(nodeward.metrics()).doesNotContainPattern(
                    "(?m)^controller_runtime_reconcile_errors_total\\{controller=\"machine\"\\} [1-9]");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"true\\n", "yes", "on hold"})
    void a_value_that_does_not_say_no_pauses(String value) {
        suite.fleet().pair(Taints.declare(MachineSpec.named("pause-c", "c"), BEFORE + ":Always"));
        assertThat(operator.run("pause").exit()).isZero();
        suite.admin().mergePatch(CONFIG_MAP, "{\"data\":{\"paused\":\"%s\"}}".formatted(value));
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start(MachineSuite.PAUSABLE)) {
            soon().until(() -> nodeward.metric(HELD) > 0);
            nodeward.awaitIdle();
            assertThat(writesSince(mark)).isEmpty();
            suite.admin().mergePatch(CONFIG_MAP, "{\"data\":{\"paused\":\" No \"}}");
            suite.awaitTaints("pause-c", BEFORE);
        }
    }

    @Test
    void a_controller_that_starts_during_a_pause_writes_nothing_before_its_end() {
        assertThat(operator.run("pause").exit()).isZero();
        suite.fleet().pair(Taints.declare(MachineSpec.named("pause-b", "c"), BEFORE + ":Always"));
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start(MachineSuite.PAUSABLE)) {
            soon().until(() -> nodeward.metric(HELD) > 0);
            nodeward.awaitIdle();
            assertThat(writesSince(mark)).isEmpty();

            suite.admin().delete(CONFIG_MAP);
            suite.awaitTaints("pause-b", BEFORE);
        }
    }
}
