package io.nodeward.e2e.autoscaler;

import static io.nodeward.e2e.autoscaler.Groups.DEPLOYMENTS;
import static io.nodeward.e2e.autoscaler.Groups.TAINTS;
import static io.nodeward.e2e.autoscaler.Groups.TRACKING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The switches of the controller: its gate, the one that takes all back, and what is advertised of taints for initialization. */
@Tag("deep")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AdapterSwitchesTest {
    private static final String GATE = "--feature-gates=AutoscalerAdapter=true";
    private static final String A = "example.com/a=1:NoSchedule";
    private static final String B = "example.com/b:NoExecute";
    private static final String ONCE = "example.com/once:NoExecute";
    private static final String NOTED = "example.com/noted:NoSchedule";

    private static final String CANARY = "canary";

    private final MachineSuite suite = MachineSuite.in("adapter-switches");
    private final Groups groups = new Groups(suite);
    private int rows;

    @BeforeAll
    void create() {
        suite.cluster("c");
        suite.add(MachineCanary.in(suite, "c"));
        groups.create(DEPLOYMENTS, CANARY, Groups.SIZES);
    }

    @AfterAll
    void stop() {
        groups.close();
        suite.close();
    }

    @Test
    void groups_are_left_alone_while_a_gate_is_off_and_followed_again_afterwards() {
        groups.create(DEPLOYMENTS, "gate", Groups.SIZES, A + ":Always");
        groups.create(Groups.POOLS, "gate", Groups.SIZES, A + ":Always");
        suite.fleet().pair(Taints.declare(MachineSpec.named("adapter-switches-m", "c"), A + ":Always"));
        AuditLog.Mark start = suite.mark();
        try (RunningNodeward off = suite.start()) {
            await("its work").atMost(MachineSuite.PATIENCE).until(
                    () -> Taints.on(suite.node("adapter-switches-m")).contains(A));
            assertThat(suite.settledSince(start)).noneMatch(AdapterSwitchesTest::isOfGroups);
            // MachineDeployments are watched for what they confirm of the limit of NoExecute.
            assertThat(suite.watchedSince(start)).contains("machines").doesNotContain(Groups.SETS, Groups.POOLS);
            assertThat(gate(off)).isZero();
        }
        try (RunningNodeward on = suite.start(GATE)) {
            groups.awaitText(DEPLOYMENTS, "gate", A);
            suite.settled();
            assertThat(groups.text(Groups.POOLS, "gate")).as("a pool whose Nodes get no taint").isNull();
            assertThat(gate(on)).isOne();
        }
        // Before it starts: that it is ready and idle means then that it has seen this, too.
        groups.declare(DEPLOYMENTS, "gate", B + ":Always");
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward withoutTaints = suite.start(GATE + ",MachineTaintPropagation=false")) {
            assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
            assertThat(withoutTaints.isReady()).isTrue();
        }
        assertThat(groups.text(DEPLOYMENTS, "gate")).isEqualTo(A);
        try (RunningNodeward onAgain = suite.start(Groups.GATES)) {
            groups.awaitText(DEPLOYMENTS, "gate", B);
            groups.awaitText(Groups.POOLS, "gate", A);
            assertThat(onAgain.isReady()).isTrue();
        }
    }

    @Test
    void withdrawing_takes_away_what_was_written_and_nothing_else_and_a_restart_repeats_nothing() {
        groups.create(DEPLOYMENTS, "withdrawn", Groups.sizesAnd(TAINTS, "mine=1:NoExecute"), A + ":Always");
        groups.create(DEPLOYMENTS, "hand-written", Groups.sizesAnd(TAINTS, A), A + ":Always");
        try (RunningNodeward on = suite.start(GATE)) {
            groups.awaitText(DEPLOYMENTS, "withdrawn", A + ",mine=1:NoExecute");
            await("its count").atMost(MachineSuite.PATIENCE).until(() -> redundant(on) > 0);
        }
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward again = suite.start(GATE)) {
            await("the groups").atMost(MachineSuite.PATIENCE).until(() -> redundant(again) >= 2);
            assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
        }
        try (RunningNodeward withdrawing = suite.start(GATE, "--autoscaler-withdraw")) {
            groups.awaitText(DEPLOYMENTS, "withdrawn", "mine=1:NoExecute");
            assertThat(suite.settledSince(mark)).filteredOn(AuditRequest::isWrite)
                    .noneMatch(r -> r.name().equals("hand-written"));
            assertThat(withdrawing.isReady()).isTrue();
        }
        assertThat(groups.annotation(DEPLOYMENTS, "withdrawn", TRACKING)).isNull();
        assertThat(groups.applied(DEPLOYMENTS, "withdrawn")).isEmpty();
        assertThat(groups.text(DEPLOYMENTS, "hand-written")).isEqualTo(A);
    }

    /** What is advertised of a taint of the spec and of one declared by annotation, both for initialization alone. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            include | 1.36 | -                | example.com/noted:NoSchedule | false
            include | ''   | -                | example.com/a=1:NoSchedule,example.com/once:NoExecute,example.com/noted:NoSchedule | false
            exclude | 1.35 | -                | example.com/a=1:NoSchedule | false
            exclude | ''   | -                | example.com/a=1:NoSchedule | true
            exclude | 1.36 | -                | -                          | true
            exclude | 1.36 | example.com/once | -                          | false
            startup | 1.35 | -                | example.com/a=1:NoSchedule,startup-taint.cluster-autoscaler.kubernetes.io/example.com_once:NoExecute,startup-taint.cluster-autoscaler.kubernetes.io/example.com_noted:NoSchedule | false
            startup | 1.36 | -                | startup-taint.cluster-autoscaler.kubernetes.io/example.com_noted:NoSchedule | true
            """)
    void the_choice_for_initialization_is_told_and_where_it_has_no_effect_a_condition_says_so(
            String choice, String version, String startupTaint, String text, boolean inVain) {
        String group = "once-" + ++rows;
        try (RunningNodeward nodeward = suite.start(GATE, "--blocked-after=0s",
                "--autoscaler-on-initialization=" + choice, "--autoscaler-version=" + version,
                "--autoscaler-startup-taints=" + (startupTaint == null ? "none" : startupTaint))) {
            groups.create(DEPLOYMENTS, group,
                    Groups.sizesAnd("taint.nodeward.io/noted", NOTED + ":OnInitialization"),
                    A + ":Always", ONCE + ":OnInitialization");
            awaitSeen();
            groups.awaitText(DEPLOYMENTS, group, text);
            Optional<JsonNode> condition = groups.condition(DEPLOYMENTS, group);
            assertThat(condition.isPresent()).isEqualTo(inVain);
            condition.ifPresent(AdapterSwitchesTest::assertInVain);
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    /** Returns when the controller has handled all changes that came before, whatever its flags. */
    private void awaitSeen() {
        String taint = "example.com/canary=" + rows + ":NoSchedule";
        groups.patch(DEPLOYMENTS, CANARY, "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{"
                + "\"taint.nodeward.io/canary\":\"" + taint + "\"}}}}}");
        groups.awaitText(DEPLOYMENTS, CANARY, taint);
        suite.settled();
    }

    private static void assertInVain(JsonNode condition) {
        assertThat(condition.path("reason").asText()).isEqualTo("OnInitializationNotHidden");
        assertThat(condition.path("message").asText())
                .contains("taint example.com/once:NoExecute", "1.36", "startup-taint.cluster-autoscaler.kubernetes.io/")
                .doesNotContain("noted");
    }

    private static boolean isOfGroups(AuditRequest request) {
        return request.isWrite() && Stream.of(DEPLOYMENTS, Groups.SETS, Groups.POOLS)
                .anyMatch(request.resource()::startsWith);
    }

    private static double gate(RunningNodeward nodeward) {
        return nodeward.metric("kubernetes_feature_enabled{name=\"AutoscalerAdapter\"");
    }

    /** Groups that need nothing, as far as they have been looked at. */
    private static double redundant(RunningNodeward nodeward) {
        return nodeward.metric("nodeward_autoscaler_redundant_groups ");
    }
}
