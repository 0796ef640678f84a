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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The upstream manager and Nodeward look after the same Machines at the same time. */
@Tag("deep")
class TogetherTest {
    private static final int MACHINES = 30;
    private static final Duration QUIET = Duration.ofSeconds(10);
    private static final String FILTER = "cluster.x-k8s.io/watch-filter";
    private static final String GATE_ON = "MachineTaintPropagation=true";
    private static final String GATE_OFF = "MachineTaintPropagation=false";

    @Test
    void two_at_once_come_to_rest_where_upstream_alone_does() {
        Stopwatch watch = new Stopwatch("both at once");
        try (MachineSuite suite = MachineSuite.in("together")) {
            // The twin gets the same Machines and edits; Nodeward does not see it.
            PeerFleet both = new PeerFleet(suite, "together-both", MACHINES);
            PeerFleet twin = new PeerFleet(suite, "together-twin", MACHINES);
            Kubeconfig workload = PeerFleet.upstreamUser(suite);
            both.createCluster(workload, Map.of(FILTER, "both"));
            twin.createCluster(workload, Map.of());
            AuditLog.Mark start = suite.mark();
            try (Upstream upstream = PeerFleet.upstream(suite, GATE_ON);
                    RunningNodeward nodeward = suite.start("--watch-filter", "both")) {
                PeerFleet.awaitUpstream(suite, start);
                watch.lap("both started");
                both.createMachines(Map.of(FILTER, "both"));
                twin.createMachines(Map.of());
                assertSettlesAlike(suite, both, twin);
                watch.lap("new Nodes" + figures(suite, start));

                for (int[] numbers : List.of(IntStream.range(0, MACHINES).toArray(), new int[]{5})) {
                    AuditLog.Mark mark = suite.mark();
                    both.edit(IntStream.of(numbers));
                    twin.edit(IntStream.of(numbers));
                    assertSettlesAlike(suite, both, twin);
                    watch.lap(numbers.length + " edits, and as many of the twin" + figures(suite, mark));
                }
                assertBothTookPart(suite, start);
                upstream.stop();
            }
        }
    }

    private static void assertSettlesAlike(MachineSuite suite, PeerFleet both, PeerFleet twin) {
        both.awaitOnNodes();
        twin.awaitOnNodes();
        // This asserts that writes stop: it fails if there is no such time of quiet within minutes.
        PeerFleet.settled(suite, suite.mark(), PeerFleet::isNodeWrite, QUIET);
        Map<Integer, JsonNode> alone = twin.propagated();
        both.propagated().forEach((i, node) -> assertThat(Propagated.renamed(node, "together-both", "together-twin"))
                .as(both.name(i)).isEqualTo(alone.get(i)));
    }

    private static void assertBothTookPart(MachineSuite suite, AuditLog.Mark start) {
        List<AuditRequest> writes = suite.controlPlane().audit().since(start)
                .filter(r -> PeerFleet.isNodeWrite(r) && r.code() == 200).toList();
        assertThat(writes).filteredOn(PeerFleet::isNodeward).extracting(AuditRequest::name)
                .isNotEmpty().allMatch(name -> name.startsWith("together-both-"));
        assertThat(writes).filteredOn(PeerFleet::isUpstream).extracting(AuditRequest::name)
                .anyMatch(name -> name.startsWith("together-both-"))
                .anyMatch(name -> name.startsWith("together-twin-"));
    }

    @Test
    void beside_upstream_with_its_gate_off_nodeward_does_the_taints() {
        Stopwatch watch = new Stopwatch("upstream's gate off");
        try (MachineSuite suite = MachineSuite.in("gateoff")) {
            PeerFleet old = new PeerFleet(suite, "gateoff-old", MACHINES / 3);
            PeerFleet young = new PeerFleet(suite, "gateoff-new", MACHINES);
            Kubeconfig workload = PeerFleet.upstreamUser(suite);
            old.createCluster(workload, Map.of());
            young.createCluster(workload, Map.of());
            old.createMachines(Map.of());
            try (Upstream upstream = PeerFleet.upstream(suite, GATE_OFF)) {
                awaitUpstreamIsThrough(old);
                watch.lap("upstream alone");
                AuditLog.Mark mark = suite.mark();
                try (RunningNodeward nodeward = suite.start()) {
                    young.createMachines(Map.of());
                    assertSettles(suite, old, young);
                    watch.lap(old.size() + " old and " + young.size() + " new Nodes" + figures(suite, mark));
                    assertStartupTaintsAreThere(suite, old);
                    assertStartupTaintsAreThere(suite, young);

                    mark = suite.mark();
                    young.edit(IntStream.range(0, MACHINES));
                    assertSettles(suite, old, young);
                    watch.lap(MACHINES + " edits" + figures(suite, mark));
                    assertTaintsAreNodewardsAlone(suite, young);
                }
                upstream.stop();
            }
        }
    }

    /** Its labels and marks are on every Node, its taint is off, and it knows nothing of declared taints. */
    private static void awaitUpstreamIsThrough(PeerFleet fleet) {
        await("upstream alone").atMost(Duration.ofMinutes(3)).until(() -> fleet.nodes().values().stream()
                .allMatch(node -> isMarkedByUpstream(node) && !hasTaint(node, "node.cluster.x-k8s.io/uninitialized")));
        assertThat(fleet.nodes().values()).noneMatch(node -> hasTaint(node, Revision.STARTUP));
    }

    private static void assertSettles(MachineSuite suite, PeerFleet... fleets) {
        for (PeerFleet fleet : fleets) {
            fleet.awaitOnNodes();
            awaitMarks(fleet);
        }
        PeerFleet.settled(suite, suite.mark(), PeerFleet::isNodeWrite, QUIET);
        assertThat(fleets).allSatisfy(fleet -> assertThat(fleet.behind()).isEmpty());
    }

    private static void awaitMarks(PeerFleet fleet) {
        await("upstream's annotations").atMost(Duration.ofMinutes(3))
                .until(() -> fleet.nodes().values().stream().allMatch(TogetherTest::isMarkedByUpstream));
    }

    // Also where upstream was the one to remove "uninitialized", long ago.
    private static void assertStartupTaintsAreThere(MachineSuite suite, PeerFleet fleet) {
        assertThat(IntStream.range(0, fleet.size()).filter(i -> i % 3 == 0 && i % 10 != 9)
                .mapToObj(i -> suite.node(fleet.name(i))))
                .isNotEmpty().allMatch(node -> hasTaint(node, Revision.STARTUP));
    }

    private static boolean hasTaint(JsonNode node, String key) {
        return node.at("/spec/taints").valueStream().anyMatch(taint -> taint.path("key").asText().equals(key));
    }

    private static void assertTaintsAreNodewardsAlone(MachineSuite suite, PeerFleet fleet) {
        AuditLog.Mark mark = suite.mark();
        String taints = "{\"spec\":{\"taints\":[{\"key\":\"example.com/only\",\"effect\":\"NoSchedule\","
                + "\"propagation\":\"Always\"}]}}";
        suite.admin().mergePatch(suite.fleet().machinePath(fleet.name(1)), taints);
        await("the taint").atMost(MachineSuite.PATIENCE).until(() -> suite.node(fleet.name(1))
                .at("/metadata/annotations").path("cluster.x-k8s.io/taints-from-machine").asText()
                .equals("example.com/only:NoSchedule"));
        assertThat(PeerFleet.settled(suite, mark, PeerFleet::isNodeWrite, QUIET))
                .hasSize(1).allMatch(PeerFleet::isNodeward);
    }

    private static boolean isMarkedByUpstream(JsonNode node) {
        return node.path("metadata").path("annotations").has("cluster.x-k8s.io/machine");
    }

    /** Who wrote Nodes how often, and on how many upstream was the first. */
    private static String figures(MachineSuite suite, AuditLog.Mark mark) {
        List<AuditRequest> writes = suite.controlPlane().audit().since(mark).filter(
                r -> PeerFleet.isNodeWrite(r) && (PeerFleet.isNodeward(r) || PeerFleet.isUpstream(r))).toList();
        Map<String, Boolean> upstreamFirst = new HashMap<>();
        writes.stream().filter(r -> r.code() == 200)
                .forEach(r -> upstreamFirst.putIfAbsent(r.name(), PeerFleet.isUpstream(r)));
        String text = " [writes, conflicts: Nodeward %d, %d; upstream %d, %d; upstream first on %d of %d Nodes]";
        return text.formatted(
                count(writes, false, r -> r.code() == 200), count(writes, false, AuditRequest::isConflict),
                count(writes, true, r -> r.code() == 200), count(writes, true, AuditRequest::isConflict),
                upstreamFirst.values().stream().filter(first -> first).count(), upstreamFirst.size());
    }

    private static long count(List<AuditRequest> writes, boolean upstream, Predicate<AuditRequest> which) {
        return writes.stream().filter(r -> PeerFleet.isUpstream(r) == upstream && which.test(r)).count();
    }
}
