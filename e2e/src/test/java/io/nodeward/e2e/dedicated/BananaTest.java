package io.nodeward.e2e.dedicated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The example of the proposal: the Nodes foo, bar and baz are for the pods of namespace banana alone. */
class BananaTest {
    private static final List<String> NODES = List.of("foo", "bar", "baz");
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";

    private static DedicatedSuite suite;
    private static RunningNodeward nodeward;

    @BeforeAll
    static void start() {
        suite = new DedicatedSuite();
        suite.namespace("banana");
        suite.namespace("cherry");
        NODES.forEach(suite::node);
        suite.node("other");
        suite.pod("banana", "tolerates", "foo", "[{\"key\":\"dedicated\",\"value\":\"banana\"}]");
        suite.pod("cherry", "stays", "bar", "[]");
        suite.pod("cherry", "away", "other", "[]");
        nodeward = suite.run();
    }

    @AfterAll
    static void stop() {
        nodeward.close();
        suite.close();
    }

    @Test
    void from_audit_to_enforce_and_back() {
        AuditLog.Mark start = suite.mark();
        suite.declare("banana", """
                {'nodes':{'names':['foo','bar','baz']},'who':{'namespaces':['banana']},
                 'taint':{'key':'dedicated','value':'banana','effects':['NoSchedule']}}""");
        suite.awaitCondition("banana", "Ready", "True");
        JsonNode audited = suite.status("banana");
        assertThat(audited.path("nodes").asInt()).isEqualTo(3);
        assertThat(audited.path("taintedNodes").asText()).as("there, and none").isEqualTo("0");
        assertThat(audited.path("pods").asInt()).isEqualTo(1);
        assertThat(audited.at("/preview/wouldTaint/names").valueStream().map(JsonNode::asText))
                .containsExactly("bar", "baz", "foo");
        assertThat(audited.at("/preview/cutOff/names").valueStream().map(JsonNode::asText))
                .containsExactly("cherry/stays");
        assertThat(audited.has("applied")).isFalse();
        awaitAllDecided(start);

        AuditLog.Mark enforced = suite.mark();
        suite.change("banana", "{'enforcement':'Enforce'}");
        suite.awaitCondition("banana", "Ready", "True");
        refuseLabels();
        NODES.forEach(node -> {
            assertThat(suite.taints(node)).containsExactly("dedicated=banana:NoSchedule");
            assertThat(suite.nodeNow(node).at("/metadata/labels").path(LABEL).asText()).isEqualTo("banana");
        });
        assertThat(suite.taints("other")).isEmpty();
        awaitOnePatchEach(enforced);
        assertThat(suite.status("banana").path("taintedNodes").asInt()).isEqualTo(3);

        AuditLog.Mark back = suite.mark();
        suite.change("banana", "{'enforcement':'Audit'}");
        NODES.forEach(node -> suite.awaitTaints(node));
        NODES.forEach(node -> {
            assertThat(suite.nodeNow(node).at("/metadata/labels").has(LABEL)).isFalse();
            assertThat(suite.nodeNow(node).path("metadata").has("annotations")).isFalse();
        });
        suite.awaitCondition("banana", "Ready", "True");
        assertThat(suite.status("banana").has("applied")).isFalse();
        nodeward.awaitIdle();
        awaitOnePatchEach(back);
    }

    /** The controller decides on a later Node after all that Audit concerns, and writes that one alone. */
    private static void awaitAllDecided(AuditLog.Mark since) {
        suite.node("later");
        suite.declare("later", """
                {'nodes':{'names':['later']},'who':{'namespaces':['cherry']},'enforcement':'Enforce',
                 'taint':{'key':'later','effects':['NoSchedule']}}""");
        suite.awaitCondition("later", "Ready", "True");
        nodeward.awaitIdle();
        await().atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.nodeWrites(since))
                .extracting(AuditRequest::name).containsExactly("later"));
    }

    private static void awaitOnePatchEach(AuditLog.Mark since) {
        // The server writes a line when it has answered.
        await().atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(suite.nodeWrites(since))
                .allMatch(request -> request.is("patch", "nodes") && request.code() == 200)
                .extracting(AuditRequest::name).containsExactlyInAnyOrderElementsOf(NODES));
    }

    /** A stolen kubelet does not get into the group by what its Nodes get, whatever that is. */
    private static void refuseLabels() {
        List<String> given = suite.nodeNow("foo").at("/metadata/labels").propertyStream().map(Map.Entry::getKey)
                .filter(label -> label.contains("dedicated")).toList();
        assertThat(given).isNotEmpty();
        try (AdminClient kubelet = suite.kubelet("other")) {
            assertThat(label(kubelet, "pool").code()).as("of its own Node").isEqualTo(200);
            assertThat(given).allSatisfy(label -> {
                AdminClient.Reply refused = label(kubelet, label);
                assertThat(refused.code()).as(label).isEqualTo(403);
                assertThat(refused.body().path("message").asText()).contains(label);
            });
        }
    }

    private static AdminClient.Reply label(AdminClient kubelet, String label) {
        return kubelet.send("PATCH", Fleet.nodePath("other"), AdminClient.MERGE_PATCH,
                "{\"metadata\":{\"labels\":{\"%s\":\"banana\"}}}".formatted(label));
    }
}
