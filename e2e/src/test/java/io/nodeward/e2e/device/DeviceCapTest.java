package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What Kubernetes' own controller spends on as many rules as all rules of Nodeward may have; it prints the figures. */
@Tag("deep")
class DeviceCapTest {
    private static final int CLAIMS = 5_000;
    private static final int RULES = 256;
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final String RULE = "{'deviceSelector':{'pool':'cap','device':'d%d'},"
            + "'taint':{'key':'example.com/broken','effect':'NoExecute'}}";
    private static final String WIDE_RULE =
            "{'deviceSelector':{'pool':'cap'},'taint':{'key':'example.com/broken-%d','effect':'NoExecute'}}";
    private static final List<Integer> WIDE = List.of(1, 8, 16, 32);

    @Test
    void kubernetes_reports_on_all_rules_at_the_cap_and_gets_none_above_it() throws Exception {
        DeviceSuite suite = DeviceSuite.scheduled();
        try (RunningNodeward nodeward = suite.run()) {
            suite.pods("cap", CLAIMS, "[{'operator':'Exists','effect':'NoExecute','tolerationSeconds':1000000}]");
            // Its report shows that Kubernetes' controller has seen the claims.
            declare(suite, nodeward, 0, 1);
            measure(suite, RULES - 1 + " more rules", () -> declare(suite, nodeward, 1, RULES));
            assertThat(suite.serverRules()).hasSize(RULES).extracting(DeviceCapTest::pending)
                    .containsOnly("1 pod needs to be evicted in 1 namespace.");
            measure(suite, "a rule that is edited", () -> {
                suite.change("cap-0", "{'taint':{'value':'edited'}}");
                suite.awaitCondition("cap-0", "SchedulingEnforced", "True");
            });
            suite.declare("above", RULE.formatted(RULES));
            suite.awaitCondition("above", "SchedulingEnforced", "False");
            assertThat(suite.condition("above", "SchedulingEnforced").path("reason").asText())
                    .isEqualTo("TooManyDevices");
            assertThat(suite.serverRules("above")).isEmpty();
        } finally {
            suite.stop();
        }
    }

    /** Kubernetes compares each claim with each rule whenever a rule comes, so that twice the rules cost four times as much. */
    @Test
    void rules_that_each_select_all_devices_are_in_effect_and_their_cost_is_told() throws Exception {
        DeviceSuite suite = DeviceSuite.scheduled();
        try (RunningNodeward nodeward = suite.run()) {
            suite.pods("cap", CLAIMS, "[{'operator':'Exists','effect':'NoExecute','tolerationSeconds':1000000}]");
            int before = 0;
            for (int rules : WIDE) {
                int from = before;
                measure(suite, rules + " rules of all devices, from " + from,
                        () -> declare(suite, nodeward, WIDE_RULE, from, rules));
                before = rules;
            }
            assertThat(suite.serverRules()).hasSize(before)
                    .allMatch(rule -> pending(rule).startsWith(CLAIMS + " pods need to be evicted"));
        } finally {
            suite.stop();
        }
    }

    private static void declare(DeviceSuite suite, RunningNodeward nodeward, int from, int to) {
        declare(suite, nodeward, RULE, from, to);
    }

    /** Returns when Kubernetes has reported on them. */
    private static void declare(DeviceSuite suite, RunningNodeward nodeward, String rule, int from, int to) {
        IntStream.range(from, to).forEach(i -> suite.declare("cap-" + i, rule.formatted(i)));
        await("reports").atMost(LONGEST).pollInterval(Duration.ofSeconds(1)).untilAsserted(
                () -> assertThat(nodeward.metric("nodeward_devices_rules{state=\"Evicting\"")).isEqualTo(to));
    }

    private static String pending(JsonNode serverRule) {
        return serverRule.at("/status/conditions/0/message").asText();
    }

    private static void measure(DeviceSuite suite, String what, Runnable work) {
        Duration before = suite.controllerManager().cpu();
        Duration own = own();
        long begin = System.nanoTime();
        work.run();
        System.out.printf(
                "kube-controller-manager, %d claims, %s: %.1f s of CPU in %.1f s; Nodeward and the test: %.1f s%n",
                CLAIMS, what, suite.controllerManager().cpu().minus(before).toMillis() / 1e3,
                (System.nanoTime() - begin) / 1e9, own().minus(own).toMillis() / 1e3);
    }

    private static Duration own() {
        return ProcessHandle.current().info().totalCpuDuration().orElseThrow();
    }
}
