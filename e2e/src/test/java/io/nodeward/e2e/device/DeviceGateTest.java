package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With the gate off it is as if no rule had a taint, and with it on again as before. */
@Tag("deep")
class DeviceGateTest {
    private static final String RULE = "{'deviceSelector':{'pool':'gate'},'taint':{'key':'example.com/broken',"
            + "'effect':'%s'}}";

    private static DeviceSuite suite;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.scheduled();
        suite.readyNode("gate");
    }

    @AfterAll
    static void stop() throws Exception {
        suite.stop();
    }

    private static void eventually(String what, ThrowingRunnable check) {
        await(what).atMost(MachineSuite.PATIENCE).untilAsserted(check);
    }

    private static boolean isScheduled(String pod) {
        return suite.pod(pod).at("/spec/nodeName").asText().equals("gate");
    }

    @Test
    void off_nobody_is_kept_off_or_evicted_and_on_again_both() {
        suite.slice("gate", "gate", 1, "[{'name':'d0'},{'name':'d1'}]");
        suite.declare("gate", RULE.formatted("NoSchedule"));
        try (RunningNodeward on = suite.run()) {
            suite.awaitCondition("gate", "SchedulingEnforced", "True");
            suite.claim("first", "[]");
            suite.pod("first", "", "first");
            eventually("no device", () -> assertThat(suite.pod("first").at("/status/conditions/0/reason").asText())
                    .isEqualTo("Unschedulable"));
            assertThat(on.metric("kubernetes_feature_enabled{name=\"DeviceTaints\"")).isOne();
        }
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward off = suite.runOff()) {
            eventually("the device", () -> assertThat(isScheduled("first")).isTrue());
            assertThat(suite.serverRules("gate")).isEmpty();
            suite.awaitCondition("gate", "SchedulingEnforced", "Unknown");
            suite.awaitCondition("gate", "EvictionInProgress", "Unknown");
            suite.awaitCondition("gate", "Ready", "Unknown");
            suite.change("gate", "{'taint':{'effect':'NoExecute'}}");
            suite.claim("second", "[]");
            suite.pod("second", "", "second");
            eventually("another device", () -> assertThat(isScheduled("second")).isTrue());
            suite.awaitQuiet(mark, "pods", Duration.ofSeconds(2));
            assertThat(suite.pods()).containsExactlyInAnyOrder("first", "second");
            assertThat(off.isReady()).isTrue();
        }
        try (RunningNodeward on = suite.run()) {
            eventually("both go", () -> assertThat(suite.pods()).isEmpty());
            suite.awaitCondition("gate", "EvictionInProgress", "False");
            eventually("their devices are given back", () -> assertThat(suite.devices("first")).isEmpty());
            assertThat(on.isReady()).isTrue();
        }
        try (RunningNodeward off = suite.runOff()) {
            eventually("none", () -> assertThat(suite.serverRules("gate")).isEmpty());
            suite.pod("third", "", "first");
            eventually("the device", () -> assertThat(isScheduled("third")).isTrue());
            assertThat(off.isReady()).isTrue();
        }
    }
}
