package io.nodeward.e2e.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A fleet goes from the upstream manager to Nodeward and back. */
@Tag("deep")
class HandOverTest {
    private static final int MACHINES = 200;
    private static final int EDITED = 20;
    private static final int INTERRUPTIBLE = 3;
    private static final String GATES = "MachinePool=true,ClusterTopology=true,MachineTaintPropagation=true";
    private static final Pattern RECONCILED =
            Pattern.compile("controller_runtime_reconcile_total\\{[^}]*controller=\"machine\"[^}]*} ([0-9.]+)");
    private static final Pattern NODES_SEEN = Pattern.compile("nodeward_nodes(?:\\{[^}]*})? ([0-9.]+)");

    private final Stopwatch watch = new Stopwatch("hand-over");

    @Test
    void a_fleet_of_200_is_handed_over_and_back_without_a_write() {
        try (MachineSuite suite = MachineSuite.in("handover")) {
            PeerFleet fleet = new PeerFleet(suite, "handover", MACHINES);
            Kubeconfig upstreamUser = PeerFleet.upstreamUser(suite);
            fleet.createCluster(upstreamUser, Map.of());
            fleet.createMachines(Map.of());
            interruptible().forEach(i -> fleet.interruptible(i, true));
            watch.lap(MACHINES + " Machines and Nodes created");

            upstreamConverges(suite, fleet);
            Map<Integer, JsonNode> handedOver = fleet.propagated();

            suite.fleet().kubeconfigSecret("handover", suite.workload());
            nodewardTakesOver(suite, fleet, handedOver);

            suite.fleet().kubeconfigSecret("handover", upstreamUser);
            upstreamTakesBack(suite, fleet);
        }
    }

    private void upstreamConverges(MachineSuite suite, PeerFleet fleet) {
        AuditLog.Mark mark = suite.mark();
        try (Upstream upstream = PeerFleet.upstream(suite, GATES)) {
            fleet.awaitOnNodes();
            List<AuditRequest> requests =
                    PeerFleet.settled(suite, mark, PeerFleet::isUpstream, PeerFleet.QUIET);
            watch.lap("upstream converged them with " + writes(requests).size() + " Node writes");
            upstream.stop();
        }
        assertThat(interruptible().mapToObj(i -> suite.node(fleet.name(i))))
                .hasSize(INTERRUPTIBLE).allSatisfy(node -> assertThat(isInterruptible(node)).isTrue());
    }

    private void nodewardTakesOver(MachineSuite suite, PeerFleet fleet, Map<Integer, JsonNode> handedOver) {
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start()) {
            await("all Nodes and Machines to be seen").atMost(MachineSuite.PATIENCE)
                    .until(() -> value(nodeward, NODES_SEEN) >= MACHINES && value(nodeward, RECONCILED) >= MACHINES);
            assertThat(suite.settledSince(mark)).filteredOn(AuditRequest::isWrite).isEmpty();
            assertThat(fleet.propagated()).isEqualTo(handedOver);
            watch.lap("Nodeward took over with 0 writes, " + value(nodeward, RECONCILED) + " reconciliations");

            fleet.edit(edited());
            fleet.awaitOnNodes();
            // All it has written since it started: one patch for each Machine that was edited, nothing for the rest.
            assertThat(suite.settledSince(mark)).filteredOn(AuditRequest::isWrite)
                    .allMatch(r -> r.is("patch", "nodes") && r.code() == 200)
                    .extracting(AuditRequest::name)
                    .containsExactlyInAnyOrderElementsOf(fleet.names(edited()));
            watch.lap("Nodeward carried " + EDITED + " edits");
        }
        assertThat(interruptible().mapToObj(i -> suite.node(fleet.name(i))))
                .allSatisfy(node -> assertThat(isInterruptible(node)).isTrue());
    }

    private void upstreamTakesBack(MachineSuite suite, PeerFleet fleet) {
        Map<Integer, JsonNode> handedBack = fleet.propagated();
        AuditLog.Mark mark = suite.mark();
        try (Upstream upstream = PeerFleet.upstream(suite, GATES)) {
            await("upstream to watch Nodes").atMost(Duration.ofMinutes(3)).until(() -> suite.controlPlane().audit()
                    .since(mark).anyMatch(r -> r.user().endsWith("-upstream") && r.is("watch", "nodes")));
            assertThat(writes(PeerFleet.settled(suite, mark, PeerFleet::isUpstream, PeerFleet.QUIET))).isEmpty();
            assertThat(fleet.propagated()).isEqualTo(handedBack);
            watch.lap("upstream took back with 0 Node writes");

            // It does look after them: an edit comes through, and a label that Nodeward kept as tracked is taken off.
            int edited = MACHINES - 1;
            fleet.edit(IntStream.of(edited));
            fleet.interruptible(0, false);
            fleet.awaitOnNodes();
            await("the label to go").atMost(MachineSuite.PATIENCE)
                    .until(() -> !isInterruptible(suite.node(fleet.name(0))));
            assertThat(writes(PeerFleet.settled(suite, mark, PeerFleet::isUpstream, PeerFleet.QUIET)))
                    .extracting(AuditRequest::name)
                    .containsExactlyInAnyOrder(fleet.name(edited), fleet.name(0));
            upstream.stop();
        }
    }

    private static List<AuditRequest> writes(List<AuditRequest> requests) {
        return requests.stream().filter(PeerFleet::isNodeWrite).toList();
    }

    /** Spread over the fleet; some of them are interruptible. */
    private static IntStream edited() {
        return IntStream.range(0, EDITED).map(i -> i * (MACHINES / EDITED));
    }

    private static IntStream interruptible() {
        return edited().limit(INTERRUPTIBLE);
    }

    private static boolean isInterruptible(JsonNode node) {
        JsonNode metadata = node.path("metadata");
        String tracked = metadata.path("annotations").path("cluster.x-k8s.io/labels-from-machine").asText();
        return metadata.path("labels").has("cluster.x-k8s.io/interruptible")
                && List.of(tracked.split(",")).contains("cluster.x-k8s.io/interruptible");
    }

    private static long value(RunningNodeward nodeward, Pattern metric) {
        Matcher lines = metric.matcher(nodeward.metrics());
        return lines.results().mapToLong(line -> (long) Double.parseDouble(line.group(1))).sum();
    }
}
