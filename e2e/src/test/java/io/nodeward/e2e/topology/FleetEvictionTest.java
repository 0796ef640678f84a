package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One edit of a ClusterClass that would evict the pods of a thousand Nodes. */
@Tag("deep")
class FleetEvictionTest {
    private static final String GATE = "--feature-gates=TopologyTaintPropagation=true,MachinePoolTaintPropagation=true";
    private static final int NODES = 1000;
    private static final int FEW = 5;
    /** So many a minute are ten a second. */
    private static final int PER_MINUTE = 600;
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String OFF = "example.com/off=x:NoSchedule";
    private static final String OUT = "example.com/out=x:NoExecute";

    private static final String NOT_AS_DECLARED =
            "nodeward_not_as_declared{controller=\"machine\",reason=\"Withheld\"";
    private static final String TOOK = "nodeward_declared_to_node_seconds_count{controller=\"machine\"";

    private final MachineSuite suite =
            MachineSuite.in("evicted").allow("topology", TopologyTest.RIGHTS).allow("machinepool", TopologyTest.RIGHTS);
    private final Topologies topologies = new Topologies(suite);

    @BeforeEach
    void prepare() {
        suite.cluster("plain");
        suite.add(new TopologyCanary(suite, topologies, "plain"));
        fleet("large", NODES);
        fleet("small", FEW);
    }

    @AfterEach
    void cleanUp() {
        topologies.close();
        suite.close();
    }

    @Test
    void it_stops_says_so_on_the_owner_holds_up_nothing_else_and_goes_on_at_its_pace_when_confirmed() {
        try (RunningNodeward nodeward = suite.start(GATE, "--blocked-after=3s",
                "--noexecute-nodes-per-minute=" + PER_MINUTE)) {
            suite.settled();
            assertThat(nodes("large")).allSatisfy(node -> assertThat(Taints.tracking(node)).isEmpty());

            double took = nodeward.metric(TOOK);
            AuditLog.Mark edited = suite.mark();
            topologies.declareByClass("large", List.of(OFF + ":Always", OUT + ":Always"));
            topologies.declareByClass("small", List.of(OUT + ":Always"));
            awaitTaint("small", OUT, FEW);
            awaitTaint("large", OFF, NODES);
            await("condition").atMost(PATIENCE).until(() -> blocked().startsWith("1000 of 1000 Nodes would newly get"));
            assertThat(nodeward.metric("nodeward_noexecute_withheld{controller=\"machine\"")).isEqualTo(NODES);
            assertThat(nodeward.metric(NOT_AS_DECLARED)).isEqualTo(NODES);
            assertThat(nodeward.metric(TOOK)).as("of the small fleet alone").isEqualTo(took + FEW);
            assertThat(writesOf(OUT, "large", edited)).isEmpty();
            assertThat(suite.warnings("MachineDeployment", "large")).extracting(Map.Entry::getKey)
                    .containsOnly("NoExecuteNotConfirmed");

            AuditLog.Mark confirmed = suite.mark();
            confirm("1000");
            await("a hundred").atMost(PATIENCE).until(() -> writesOf(OUT, "large", confirmed).size() >= 100);
            List<Instant> writes = writesOf(OUT, "large", confirmed);
            assertThat(Duration.between(writes.getFirst(), writes.get(99))).as("a hundred at ten a second")
                    .isBetween(Duration.ofMillis(9_800), Duration.ofSeconds(30));
            await("its end").atMost(PATIENCE).until(() -> blocked().isEmpty());

            topologies.declareByClass("large", List.of());
            awaitTaint("large", OUT, 0);
            awaitTaint("large", OFF, 0);
            suite.settled();
            assertThat(nodeward.metric("nodeward_noexecute_withheld{controller=\"machine\"")).isZero();
            assertThat(nodeward.metric(NOT_AS_DECLARED)).isZero();
            assertThat(nodeward.metric(TOOK)).isGreaterThanOrEqualTo(took + FEW + NODES);
        }
    }

    /** A Cluster of a class of its own, whose one MachineDeployment has Nodes that have worked for some time. */
    private void fleet(String cluster, int size) {
        topologies.create(cluster, "", List.of(), List.of());
        JsonNode deployment = topologies.get("machinedeployments", cluster);
        JsonNode set = topologies.set(cluster, cluster, deployment);
        IntStream.range(0, size).parallel()
                .forEach(i -> topologies.machine(cluster, "evicted-" + cluster + "-" + i, set));
    }

    private void confirm(String number) {
        suite.admin().mergePatch(topologies.path("machinedeployments") + "/large",
                "{\"metadata\":{\"annotations\":{\"nodeward.io/confirmed-noexecute-nodes\":\"" + number + "\"}}}");
    }

    /** What the condition of the MachineDeployment says; empty if it has none. */
    private String blocked() {
        return topologies.get("machinedeployments", "large").at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("nodeward.io/NoExecuteBlocked"))
                .map(condition -> condition.path("message").asText()).findFirst().orElse("");
    }

    private void awaitTaint(String cluster, String taint, int count) {
        await(count + " Nodes of " + cluster + " with " + taint).atMost(PATIENCE).until(
                () -> nodes(cluster).filter(node -> Taints.on(node).contains(taint)).count() == count);
    }

    private Stream<JsonNode> nodes(String cluster) {
        return suite.admin().get("/api/v1/nodes").path("items").valueStream()
                .filter(node -> node.at("/metadata/name").asText().startsWith("evicted-" + cluster));
    }

    /** When Nodes of the Cluster were given the taint. */
    private List<Instant> writesOf(String taint, String cluster, AuditLog.Mark since) {
        String key = taint.substring(0, taint.indexOf('='));
        return suite.requestsSince(since).stream()
                .filter(request -> request.is("patch", "nodes") && request.code() == 200
                        && request.name().startsWith("evicted-" + cluster) && request.body().toString().contains(key))
                .map(AuditRequest::at).sorted().toList();
    }
}
