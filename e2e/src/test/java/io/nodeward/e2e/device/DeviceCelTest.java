package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Rules that select devices by what slices publish of them. Each test has pools, claims and rules of its own. */
class DeviceCelTest {
    private static final String HOT = "device.attributes[device.driver].temperature > 90";

    private static DeviceSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = DeviceSuite.withServerRules();
        suite.node("node-1");
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void an_expression_follows_its_attribute_to_another_device_and_an_error_concerns_its_device_alone() {
        suite.slice("hot", "hot", 1, "[" + gpu("gpu-0", 95) + "," + gpu("gpu-1", 40) + ",{'name':'gpu-2'}]");
        suite.declare("hot", rule("'pool':'hot','selectors':[{'cel':{'expression':'" + HOT + "'}}]"));
        suite.awaitCounts("hot", 1, 0);
        assertThat(suite.names("hot", "devices")).containsExactly("gpu.example.com/hot/gpu-0");
        assertThat(suite.names("hot", "failed")).containsExactly("gpu.example.com/hot/gpu-2");
        assertThat(conditions("hot")).as("the device and why").contains("gpu.example.com/hot/gpu-2", "temperature");

        suite.publish("hot", "[" + gpu("gpu-0", 41) + "," + gpu("gpu-1", 96) + "]");
        await("the other device").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            assertThat(suite.names("hot", "devices")).containsExactly("gpu.example.com/hot/gpu-1");
            assertThat(suite.names("hot", "failed")).isEmpty();
        });
        assertThat(conditions("hot")).doesNotContain("temperature");
    }

    @Test
    void a_class_selects_once_it_is_there_and_until_it_is_gone() {
        suite.slice("classed", "classed", 1, "[" + gpu("gpu-0", 95) + "," + gpu("gpu-1", 40) + "]");
        suite.declare("classed", rule("'pool':'classed','deviceClassName':'hot.example.com'"));
        suite.awaitCondition("classed", "Ready", "False");
        suite.awaitCounts("classed", 0, 0);
        assertThat(suite.condition("classed", "Ready").path("message").asText()).contains("hot.example.com");
        suite.deviceClass("hot.example.com", HOT);
        suite.awaitCounts("classed", 1, 0);
        suite.awaitCondition("classed", "Ready", "True");
        suite.deleteClass("hot.example.com");
        suite.awaitCondition("classed", "Ready", "False");
        suite.awaitCounts("classed", 0, 0);
        assertThat(suite.condition("classed", "Ready").path("reason").asText()).isEqualTo("DeviceClassNotFound");
    }

    @Test
    void a_device_whose_slice_is_gone_counts_while_a_claim_has_it_and_after_a_restart_nobody_can_tell() {
        suite.slice("gone", "gone", 1, "[" + gpu("gpu-0", 95) + "]");
        suite.claim("holds", "[]");
        suite.pod("user", "node-1", "holds");
        suite.allocate("holds", "gone", "gpu-0", "[]", "user");
        suite.declare("gone", rule("'pool':'gone','selectors':[{'cel':{'expression':'" + HOT + "'}}]"));
        suite.awaitCounts("gone", 1, 1);
        suite.deleteSlice("gone");
        suite.awaitCounts("gone", 0, 1);
        assertThat(suite.names("gone", "allocated")).containsExactly("gpu.example.com/gone/gpu-0");

        nodeward.close();
        nodeward = suite.run();
        await("unknown").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.names("gone", "unknown"))
                .containsExactly("gpu.example.com/gone/gpu-0"));
        assertThat(suite.status("gone").has("pods")).as("no number").isFalse();
        suite.slice("gone", "gone", 2, "[" + gpu("gpu-0", 95) + "]");
        suite.awaitCounts("gone", 1, 1);
        assertThat(suite.names("gone", "unknown")).isEmpty();
    }

    /** A driver updates the slices of a pool one after the other. */
    @Test
    void a_device_that_the_newest_generation_lacks_keeps_its_taint_until_that_is_complete() {
        suite.slice("first", "twice", 1, 2, "[" + gpu("gpu-0", 95) + "," + gpu("gpu-1", 40) + "]");
        suite.slice("second", "twice", 1, 2, "[" + gpu("gpu-2", 95) + "," + gpu("gpu-3", 95) + "]");
        suite.declare("twice", rule("'pool':'twice','selectors':[{'cel':{'expression':'" + HOT + "'}}]")
                .replace("'None'", "'NoSchedule'"));
        suite.awaitCounts("twice", 3, 0);
        await("the server's rules").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted("twice")).containsExactlyInAnyOrder("gpu-0", "gpu-2", "gpu-3"));
        AuditLog.Mark mark = suite.mark();
        suite.republish("first", 2, "[" + gpu("gpu-0", 95) + "," + gpu("gpu-1", 96) + "]");
        await("the one that is hot now").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted("twice")).contains("gpu-1"));
        suite.awaitCounts("twice", 4, 0);
        assertThat(suite.writes(mark, "devicetaintrules")).noneMatch(request -> request.verb().equals("delete"));

        suite.republish("second", 2, "[" + gpu("gpu-2", 40) + "]");
        suite.awaitCounts("twice", 2, 0);
        await("the end of the others").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted("twice")).containsExactlyInAnyOrder("gpu-0", "gpu-1"));
    }

    @Test
    void a_device_that_is_no_longer_hot_recovers_until_the_rule_is_edited() {
        suite.slice("recovers", "recovers", 1, "[" + gpu("gpu-0", 95) + "," + gpu("gpu-1", 95) + "]");
        String rule = rule("'pool':'recovers','selectors':[{'cel':{'expression':'" + HOT + "'}}]")
                .replace("'None'", "'NoSchedule'");
        suite.declare("recovers", rule.replaceFirst("\\{", "{'untaintAfter':'1h',"));
        awaitTainted("recovers", "gpu-0", "gpu-1");
        suite.publish("recovers", "[" + gpu("gpu-0", 40) + "," + gpu("gpu-1", 95) + "]");
        suite.awaitCounts("recovers", 1, 0);
        assertThat(suite.status("recovers").at("/recovering/names").valueStream().map(JsonNode::asText))
                .containsExactly("gpu.example.com/recovers/gpu-0");
        assertThat(tainted("recovers")).containsExactlyInAnyOrder("gpu-0", "gpu-1");
        suite.change("recovers", "{'untaintAfter':'2h'}");
        awaitTainted("recovers", "gpu-1");
    }

    private static void awaitTainted(String rule, String... devices) {
        await(rule).atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted(rule)).containsExactlyInAnyOrder(devices));
    }

    /** The devices for which the server has rules. */
    private static List<String> tainted(String rule) {
        return suite.serverRules(rule).stream().map(found -> found.at("/spec/deviceSelector/device").asText()).toList();
    }

    /** The driver informs, and a rule of Nodeward decides what that means. */
    @Test
    void a_rule_follows_a_taint_that_the_driver_publishes_whose_effect_is_none() {
        suite.slice("told", "told", 1, "[" + tainted("gpu-0", "None") + "," + tainted("gpu-1", "NoSchedule")
                + ",{'name':'gpu-2'}]");
        suite.declare("told", """
                {'deviceSelector':{'pool':'told','publishedTaint':{'key':'gpu.example.com/ecc','effect':'None'}},
                 'taint':{'key':'example.com/degraded','effect':'NoSchedule'}}""");
        suite.awaitCounts("told", 1, 0);
        await("the server's rule").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted("told")).containsExactly("gpu-0"));
        suite.publish("told", "[{'name':'gpu-0'}," + tainted("gpu-1", "None") + "," + tainted("gpu-2", "None") + "]");
        await("the other devices").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(tainted("told")).containsExactlyInAnyOrder("gpu-1", "gpu-2"));
        suite.awaitCounts("told", 2, 0);
        suite.change("told", "{'deviceSelector':{'publishedTaint':{'value':'3'}}}");
        suite.awaitCounts("told", 0, 0);
    }

    private static String tainted(String name, String effect) {
        return "{'name':'%s','taints':[{'key':'gpu.example.com/ecc','value':'2','effect':'%s'}]}"
                .formatted(name, effect);
    }

    @Test
    void an_expression_that_does_not_compile_is_named_with_its_field() {
        suite.declare("typo", rule("'selectors':[{'cel':{'expression':'device.drivr == 1'}}]"));
        suite.awaitCondition("typo", "Ready", "False");
        assertThat(suite.condition("typo", "Ready").path("message").asText())
                .contains("spec.deviceSelector.selectors[0].cel.expression", "drivr");
        suite.change("typo", "{'deviceSelector':{'selectors':[{'cel':{'expression':'false'}}]}}");
        suite.awaitCondition("typo", "Ready", "True");
    }

    private static String conditions(String rule) {
        JsonNode conditions = suite.status(rule).path("conditions");
        return conditions.toString();
    }

    private static String gpu(String name, int temperature) {
        return "{'name':'%s','attributes':{'temperature':{'int':%d}}}".formatted(name, temperature);
    }

    private static String rule(String selector) {
        return "{'deviceSelector':{%s},'taint':{'key':'example.com/hot','effect':'None'}}".formatted(selector);
    }
}
