package io.nodeward.e2e.machinepool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Labels and annotations of a pool's template: carried to its Nodes only where that is asked for. */
class PoolLabelsTest {
    private static final String GATE = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String SYNC = "--sync-machinepool-labels";
    private static final String A = "example.com/a:NoSchedule";
    private static final String ROLE = "node-role.kubernetes.io/gpu";
    private static final String TEAM = "team.node-restriction.kubernetes.io/owner";
    private static final String OTHER = "example.com/other";
    private static final String NOTE = "node.cluster.x-k8s.io/note";

    @Test
    void labels_of_a_pool_are_carried_if_so_chosen_and_left_as_they_are_when_it_is_not_any_more() {
        try (MachineSuite suite = MachineSuite.in("pool-labels", "machinepool");
                Pools pools = new Pools(suite, "c")) {
            suite.cluster("c");
            suite.add(new PoolCanary(suite, pools));
            pools.create("pool-labels", 2, A + ":Always");
            pools.label("pool-labels", Map.of(ROLE, "", TEAM, "ml", OTHER, "stays"));
            pools.annotate("pool-labels", Map.of(NOTE, "rack 7"));
            suite.admin().mergePatch(Fleet.nodePath("pool-labels-0"), labels(Map.of(OTHER, "own")));
            try (RunningNodeward without = suite.start(GATE)) {
                awaitAll(suite, node -> assertThat(Taints.on(node)).contains(A));
                suite.settled();
                assertThat(suite.node("pool-labels-0").at("/metadata/labels").has(ROLE)).isFalse();
                assertThat(suite.node("pool-labels-0").at("/metadata/annotations").has(NOTE)).isFalse();
                assertThat(without.isReady()).isTrue();
            }
            try (RunningNodeward nodeward = suite.start(GATE, SYNC)) {
                carries(suite, pools);
                assertThat(nodeward.isReady()).isTrue();
            }
            try (RunningNodeward withoutAgain = suite.start(GATE)) {
                pools.label("pool-labels", value(TEAM, null));
                pools.declare("pool-labels", "example.com/b:NoSchedule:Always");
                awaitAll(suite, node -> assertThat(Taints.on(node)).contains("example.com/b:NoSchedule"));
                suite.settled();
                assertThat(label(suite.node("pool-labels-0"), TEAM)).isEqualTo("web");
                assertThat(withoutAgain.isReady()).isTrue();
            }
        }
    }

    private static void carries(MachineSuite suite, Pools pools) {
        awaitAll(suite, node -> {
            assertThat(label(node, ROLE)).isEmpty();
            assertThat(label(node, TEAM)).isEqualTo("ml");
            assertThat(node.at("/metadata/annotations").path(NOTE).asText()).isEqualTo("rack 7");
        });
        assertThat(label(suite.node("pool-labels-0"), OTHER)).isEqualTo("own");
        assertThat(label(suite.node("pool-labels-1"), OTHER)).isNull();

        suite.settled();
        AuditLog.Mark mark = suite.mark();
        Map<String, Object> edit = value(ROLE, null);
        edit.put(TEAM, "web");
        pools.label("pool-labels", edit);
        awaitAll(suite, node -> {
            assertThat(label(node, ROLE)).isNull();
            assertThat(label(node, TEAM)).isEqualTo("web");
        });
        List<AuditRequest> writes = suite.settledSince(mark).stream().filter(AuditRequest::isWrite).toList();
        assertThat(writes).hasSize(2).allMatch(request -> request.is("patch", "nodes"));

        suite.admin().mergePatch(Fleet.nodePath("pool-labels-1"), labels(Map.of(TEAM, "mine")));
        awaitAll(suite, node -> assertThat(label(node, TEAM)).isEqualTo("web"));
    }

    private static void awaitAll(MachineSuite suite, Consumer<JsonNode> assertion) {
        await("Nodes").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                List.of(suite.node("pool-labels-0"), suite.node("pool-labels-1"))).allSatisfy(assertion));
    }

    private static String label(JsonNode node, String key) {
        return node.at("/metadata/labels").path(key).textValue();
    }

    private static String labels(Map<String, String> labels) {
        return Json.tree(Map.of("metadata", Map.of("labels", labels))).toString();
    }

    private static Map<String, Object> value(String key, Object value) {
        Map<String, Object> map = new HashMap<>();
        map.put(key, value);
        return map;
    }
}
