package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.RunningNodeward;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A rule that selects devices by their names, with the effect None: its status says what NoExecute would do. */
class DevicePreviewTest {
    private static final String TAINT = "'taint':{'key':'example.com/unhealthy','effect':'None'}";
    private static final String FOR_EVER = "[{'key':'example.com/unhealthy','operator':'Exists'}]";
    private static final String A_WHILE =
            "[{'key':'example.com/unhealthy','operator':'Exists','effect':'NoExecute','tolerationSeconds':600}]";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DeviceSuite();
        suite.node("node-1");
        suite.slice("slice-1", "node-1", 1, "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'},{'name':'gpu-3'}]");
        suite.slice("slice-2", "node-2", 1, "[{'name':'gpu-0'}]");
        suite.claim("plain", "[]");
        suite.claim("tolerant", FOR_EVER);
        suite.claim("patient", A_WHILE);
        suite.claim("elsewhere", "[]");
        suite.pod("trains", "node-1", "plain");
        suite.pod("trains-too", "node-1", "plain");
        suite.pod("monitors", "node-1", "tolerant");
        suite.pod("saves", "node-1", "patient");
        suite.pod("away", "node-1", "elsewhere");
        suite.allocate("plain", "node-1", "gpu-0", "[]", "trains");
        suite.allocate("tolerant", "node-1", "gpu-1", FOR_EVER, "monitors");
        suite.allocate("patient", "node-1", "gpu-2", A_WHILE, "saves");
        suite.allocate("elsewhere", "node-2", "gpu-0", "[]", "away");
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void a_rule_counts_the_devices_of_a_pool_and_the_pods_that_would_go() {
        AuditLog.Mark start = suite.mark();
        suite.declare("pool",
                "{'deviceSelector':{'driver':'" + DeviceSuite.DRIVER + "','pool':'node-1'}," + TAINT + "}");
        suite.awaitCondition("pool", "Ready", "True");
        suite.awaitCounts("pool", 4, 2);
        assertThat(suite.names("pool", "devices")).containsExactly("gpu.example.com/node-1/gpu-0",
                "gpu.example.com/node-1/gpu-1", "gpu.example.com/node-1/gpu-2", "gpu.example.com/node-1/gpu-3");
        assertThat(suite.names("pool", "allocated")).hasSize(3).noneMatch(name -> name.endsWith("gpu-3"));
        assertThat(suite.names("pool", "evicted")).as("at once, and in ten minutes")
                .containsExactly("ml/saves", "ml/trains");
        assertThat(suite.names("pool", "tolerating")).containsExactly("ml/monitors");
        assertThat(suite.status("pool").at("/preview/namespaces").asInt()).isOne();

        // A pod more may use the device of one that is counted; another comes to its end.
        suite.reserve("plain", "trains", "trains-too");
        suite.awaitCounts("pool", 4, 3);
        suite.deletePod("trains");
        suite.admin().mergePatch("/api/v1/namespaces/ml/pods/saves/status", "{\"status\":{\"phase\":\"Succeeded\"}}");
        suite.publish("slice-1", "[{'name':'gpu-0'},{'name':'gpu-1'},{'name':'gpu-2'}]");
        suite.awaitCounts("pool", 3, 1);
        assertThat(suite.names("pool", "evicted")).containsExactly("ml/trains-too");
        assertNothingIsDeletedByNodeward(start);
    }

    private static void assertNothingIsDeletedByNodeward(AuditLog.Mark since) {
        nodeward.awaitIdle();
        assertThat(suite.writes(since, "")).allMatch(request -> request.resource().startsWith("devicetaintrules"));
    }

    @Test
    void the_time_is_set_once_and_nobody_who_applies_a_rule_without_it_is_fought() {
        AuditLog.Mark start = suite.mark();
        suite.declare("timed", "{'deviceSelector':{'pool':'node-2'}," + TAINT + "}");
        suite.awaitCounts("timed", 1, 1);
        String added = added("timed");
        assertThat(added).as("in seconds").matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ");
        suite.apply("timed", "{'deviceSelector':{'pool':'node-1'}," + TAINT + "}");
        suite.awaitCondition("timed", "Ready", "True");
        assertThat(suite.status("timed").path("devices").asInt()).isGreaterThan(1);
        nodeward.awaitIdle();
        assertThat(added("timed")).isEqualTo(added);
        assertThat(suite.writes(start, "").stream().filter(request -> request.name().equals("timed")
                && request.resource().equals("devicetaintrules"))).hasSize(1);
    }

    private static String added(String rule) {
        return suite.admin().get(suite.path(rule)).at("/spec/taint/timeAdded").asText();
    }

    @Test
    void without_a_selector_no_device_is_selected_and_with_an_empty_one_each_is() {
        suite.declare("none", "{" + TAINT + "}");
        suite.declare("all", "{'deviceSelector':{}," + TAINT + "}");
        suite.awaitCondition("none", "Ready", "True");
        suite.awaitCondition("all", "Ready", "True");
        assertThat(suite.status("none").path("devices").asText()).isEqualTo("0");
        assertThat(suite.status("none").path("pods").asText()).isEqualTo("0");
        assertThat(suite.names("all", "devices")).contains("gpu.example.com/node-2/gpu-0");
        assertThat(suite.names("all", "evicted")).contains("ml/away");
    }
}
