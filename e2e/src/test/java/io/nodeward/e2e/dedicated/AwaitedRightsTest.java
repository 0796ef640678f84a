package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A group shows which right its controller waits for, although the controller may write nothing else or has not started. */
class AwaitedRightsTest {
    private static final String GROUP = "/apis/nodeward.io/v1alpha1/dedicatednodes/banana";
    private static final String ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/nodeward-dedicated";

    private DedicatedSuite suite;

    @BeforeEach
    void declare() {
        suite = new DedicatedSuite();
        suite.namespace("banana");
        suite.node("foo");
        suite.declare("banana", "{'nodes':{'names':['foo']},'who':{'namespaces':['banana']},'enforcement':'Enforce',"
                + "'taint':{'key':'dedicated','value':'b','effects':['NoSchedule']}}");
    }

    @AfterEach
    void stop() {
        suite.close();
    }

    @Test
    void a_group_names_the_right_to_read_the_pause_and_shows_nothing_else_until_it_is_granted() {
        try (RunningNodeward nodeward = suite.runUnready("--pause-configmap=nodeward-system/nodeward-pause")) {
            awaitSays("nothing is written until ConfigMap nodeward-system/nodeward-pause can be read; grant");
            assertThat(suite.status("banana").has("applied")).as("nothing else is written").isFalse();
            assertThat(nodeward.isReady()).isFalse();
            suite.grantPause();
            awaitInEffect();
        }
    }

    @Test
    @Tag("deep")
    void a_group_names_the_right_to_watch_nodes_until_it_is_granted() {
        JsonNode rules = suite.admin().get(ROLE).path("rules");
        suite.admin().send("PATCH", ROLE, AdminClient.JSON_PATCH, replaced(without(rules, "nodes")));
        try (RunningNodeward nodeward = suite.runUnready("--pause-configmap=")) {
            awaitSays("grant the controller list and watch of nodes");
            assertThat(nodeward.isReady()).isFalse();
            suite.admin().send("PATCH", ROLE, AdminClient.JSON_PATCH, replaced(rules));
            awaitInEffect();
        }
    }

    private void awaitInEffect() {
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(suite.taints("foo")).containsExactly("dedicated=b:NoSchedule");
        await("the condition to be the controller's alone").atMost(MachineSuite.PATIENCE).until(() -> suite.admin()
                .get(GROUP).at("/metadata/managedFields").findValuesAsText("manager"),
                managers -> !managers.contains("nodeward-missing-rights"));
        assertThat(suite.condition("banana", "Ready").path("status").asText()).isEqualTo("True");
    }

    private void awaitSays(String text) {
        await(text).atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode ready = suite.condition("banana", "Ready");
            assertThat(ready.path("status").asText()).as("" + ready).isEqualTo("Unknown");
            assertThat(ready.path("reason").asText()).isEqualTo("Waiting");
            assertThat(ready.path("message").asText()).contains(text);
        });
    }

    private static String replaced(JsonNode rules) {
        return Json.tree(List.of(Map.of("op", "replace", "path", "/rules", "value", rules))).toString();
    }

    private static JsonNode without(JsonNode rules, String resource) {
        ArrayNode left = rules.deepCopy();
        left.removeIf(rule -> rule.path("resources").toString().contains("\"" + resource + "\""));
        assertThat(left).hasSize(rules.size() - 1);
        return left;
    }
}
