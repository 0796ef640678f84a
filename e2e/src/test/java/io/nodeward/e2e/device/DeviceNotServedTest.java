package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** On a server without rules of its own, as 1.36 is if nobody asks for them, the scheduler knows of no rule. */
@Tag("deep")
class DeviceNotServedTest {
    private static DeviceSuite suite;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.withoutServerRules();
        suite.readyNode("n");
        suite.slice("n", "n", 1, "[{'name':'d0'}]");
        suite.claim("uses", "[]");
        suite.pod("user", "", "uses");
        await("the device").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.pod("user").at("/spec/nodeName").asText().equals("n"));
        suite.declare("broken",
                "{'deviceSelector':{'pool':'n'},'taint':{'key':'example.com/broken','effect':'NoExecute'}}");
    }

    @AfterAll
    static void stop() throws Exception {
        suite.stop();
    }

    @Test
    void nobody_is_evicted_unless_somebody_wants_it_all_the_same() {
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward careful = suite.run()) {
            suite.awaitCondition("broken", "SchedulingEnforced", "False");
            assertThat(suite.condition("broken", "SchedulingEnforced").path("reason").asText()).isEqualTo("NotServed");
            suite.awaitCondition("broken", "EvictionInProgress", "False");
            assertThat(suite.condition("broken", "EvictionInProgress").path("reason").asText())
                    .isEqualTo("NotEnforced");
            suite.awaitCounts("broken", 1, 1);
            suite.awaitQuiet(mark, "pods", Duration.ofSeconds(2));
            assertThat(suite.pods()).contains("user");
            assertThat(careful.isReady()).isTrue();
        }
        try (RunningNodeward careless = suite.run("--devices-evict-unenforced=true")) {
            await("it goes").atMost(MachineSuite.PATIENCE).until(() -> !suite.pods().contains("user"));
            suite.awaitCondition("broken", "EvictionInProgress", "False");
            assertThat(suite.condition("broken", "EvictionInProgress").path("reason").asText()).isEqualTo("Completed");
            assertThat(suite.condition("broken", "SchedulingEnforced").path("status").asText()).isEqualTo("False");
            assertThat(careless.isReady()).isTrue();
        }
    }
}
