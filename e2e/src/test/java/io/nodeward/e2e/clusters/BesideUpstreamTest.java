package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The upstream manager writes conditions on the same objects: neither loses one, and neither makes the other write. */
@Tag("deep")
class BesideUpstreamTest extends InRunningController {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private int looks;
    private static final String OWN = "nodeward.io/Blocked";

    BesideUpstreamTest() {
        super("beside", "--watch-filter=both");
        for (String object : List.of("clusters/" + CANARY,
                "machines/" + suite.fleet().namespace() + "-canary-canary")) {
            suite.admin().mergePatch(suite.clusterApi() + "/" + object, Json.tree(Map.of("metadata", Map.of(
                    "labels", Map.of("cluster.x-k8s.io/watch-filter", "both")))).toString());
        }
    }

    @Test
    void conditions_of_both_stay_and_upstream_writes_as_it_does_alone() {
        // The twin lives through the same, and Nodeward does not see it.
        Tenant both = administered("both");
        Tenant twin = administered("twin");
        AuditLog.Mark start = suite.mark();
        try (Upstream upstream = Upstream.start(suite.controlPlane())) {
            for (Tenant tenant : List.of(both, twin)) {
                pair(tenant);
                suite.fleet().machine(tenant.machine(2).withLabels(filter(tenant)));
            }
            awaitTaints(both.node(1), A);
            String machine = suite.fleet().machinePath(both.node(2));
            conditions.awaitBlocked(machine, "NodeNotJoined");
            settle(both, twin);
            AuditLog.Mark mark = suite.mark();
            both.relay().refuse();
            twin.relay().refuse();
            conditions.awaitBlocked(both.path(), "ClusterUnreachable");
            settle(both, twin);
            assertSameBesideOurs(both, twin);
            assertThat(conditions.blocked(machine)).isPresent();

            both.relay().resume();
            twin.relay().resume();
            for (Tenant tenant : List.of(both, twin)) {
                suite.fleet().node(NodeSpec.named(tenant.node(2)).uninitialized());
            }
            conditions.awaitNotBlocked(both.path());
            conditions.awaitNotBlocked(machine);
            await("upstream to see the Nodes").atMost(Duration.ofMinutes(3)).until(() -> List.of(both, twin).stream()
                    .allMatch(t -> suite.machine(t.node(2)).path("status").has("nodeRef")));
            settle(both, twin);
            assertSameBesideOurs(both, twin);
            assertThat(conditions.writesSince(start, both.path())).hasSize(2);
            assertThat(conditions.writesSince(start, machine)).hasSize(2);
            assertNoFight(upstreamWrites(both, mark), upstreamWrites(twin, mark));
            upstream.stop();
        }
    }

    private Tenant administered(String name) {
        Tenant tenant = tenants.connected(name);
        tenants.unbind(tenant);
        tenants.bind(tenant, "cluster-admin");
        suite.admin().mergePatch(tenant.path(),
                Json.tree(Map.of("metadata", Map.of("labels", filter(tenant)))).toString());
        return tenant;
    }

    private static Map<String, String> filter(Tenant tenant) {
        return Map.of("cluster.x-k8s.io/watch-filter", tenant.name());
    }

    private void pair(Tenant tenant) {
        suite.fleet().pair(tenant.machine(1, A + ":Always").withLabels(filter(tenant)));
    }

    /**
     * Has upstream look at both and at all their Machines, and then ourselves; once more, so that each has seen what the
     * other made of it. Whoever answers what the other wrote goes on doing so, and is counted in the end.
     */
    private void settle(Tenant... all) {
        for (int round = 0; round < 3; round++) {
            looks++;
            for (Tenant tenant : all) {
                look(tenant.path(), "{\"spec\":{\"clusterNetwork\":{\"serviceDomain\":\"d%d.local\"}}}");
                for (int i : new int[]{1, 2}) {
                    look(suite.fleet().machinePath(tenant.node(i)),
                            "{\"spec\":{\"deletion\":{\"nodeDrainTimeoutSeconds\":%d}}}");
                }
            }
            suite.settled();
        }
    }

    /** Changes what means nothing here, and waits until upstream says that it has seen that. */
    private void look(String path, String change) {
        suite.admin().mergePatch(path, change.formatted(looks));
        await("upstream to look at " + path).atMost(PATIENCE).until(() -> {
            JsonNode object = suite.admin().get(path);
            return object.at("/metadata/generation").equals(object.at("/status/observedGeneration"));
        });
    }

    private void assertSameBesideOurs(Tenant both, Tenant twin) {
        Map<String, String> alone = conditions(twin.path());
        assertThat(alone).containsKey("Available");
        assertThat(conditions(both.path())).isEqualTo(alone);
        for (int i : new int[]{1, 2}) {
            Map<String, String> machine = conditions(suite.fleet().machinePath(twin.node(i)));
            assertThat(machine).containsKey("NodeReady");
            assertThat(conditions(suite.fleet().machinePath(both.node(i)))).isEqualTo(machine);
        }
    }

    /** Upstream looks once more for each of our four writes, and may then write what it sees half done. */
    private static void assertNoFight(List<AuditRequest> beside, List<AuditRequest> alone) {
        assertThat(alone).isNotEmpty();
        assertThat(beside).as("alone: %s", alone).hasSizeLessThanOrEqualTo(2 * alone.size() + 4);
    }

    /** Status and reason by type, without ours. */
    private Map<String, String> conditions(String path) {
        Map<String, String> conditions = new TreeMap<>();
        for (JsonNode condition : suite.admin().get(path).at("/status/conditions")) {
            conditions.put(condition.path("type").asText(),
                    condition.path("status").asText() + " " + condition.path("reason").asText());
        }
        conditions.remove(OWN);
        return conditions;
    }

    private List<AuditRequest> upstreamWrites(Tenant tenant, AuditLog.Mark mark) {
        return suite.controlPlane().audit().since(mark)
                .filter(r -> r.user().equals(Upstream.USER) && r.isWrite())
                .filter(r -> r.namespace().equals(suite.fleet().namespace()))
                .filter(r -> r.name().equals(tenant.name()) || r.name().startsWith(tenant.node(1).replaceAll("1$", "")))
                .toList();
    }
}
