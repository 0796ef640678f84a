package io.nodeward.e2e.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.Election;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two processes, the first of which leads until something happens to it in the middle of a burst of edits. Each has another
 * client library, so that the audit log tells them apart.
 */
@Tag("deep")
class LeaderTest {
    private static final String HELD = "controller_runtime_reconcile_total{controller=\"machine\",result=\"requeue\"}";
    private static final String A = "--backend=fabric8";
    private static final String B = "--backend=official";
    private static final int NODES = 500;
    /** The least number of Machines that are edited after the event. */
    private static final int LATE = 100;
    /** The guide promises these two times. */
    private static final Duration AFTER_RELEASE = Duration.ofSeconds(5);
    private static final Duration AFTER_DEATH = Duration.ofSeconds(25);
    private static final Duration SUSPENDED = Duration.ofSeconds(30);

    @TempDir
    private Path directory;

    private MachineSuite suite;
    private PeerFleet fleet;
    private ControllerProcess a;
    private RunningNodeward b;
    private AuditLog.Mark start;

    /** Starts both while the Nodes have what is declared. */
    @BeforeEach
    void prepare() throws Exception {
        suite = MachineSuite.in("leader");
        suite.allowPause();
        suite.allowLeaderElection();
        fleet = new PeerFleet(suite, "leader", NODES);
        fleet.createCluster(suite.workload(), Map.of());
        fleet.createMachines(Map.of());
        a = ControllerProcess.withDefaultHeap(
                directory, Files.readString(suite.managementKubeconfig()), List.of(with(A)));
        a.awaitMetric(Election.LEADER, 1);
        b = suite.start(with(B));
        fleet.awaitOnNodes();
        b.awaitIdle();
        start = suite.mark();
    }

    /** Returns the flags of one of the two. */
    private static String[] with(String backend) {
        return Election.with(backend, "--noexecute-nodes-per-minute=0", "--noexecute-unconfirmed-percent=0");
    }

    @AfterEach
    void cleanUp() throws Exception {
        a.kill();
        b.close();
        suite.admin().delete(Election.LEASE);
        suite.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    private List<AuditRequest> requests(String backend, AuditLog.Mark since) {
        String agent = "(" + backend.substring("--backend=".length()) + ";";
        return suite.requestsSince(since).stream().filter(request -> request.userAgent().contains(agent)).toList();
    }

    /** Returns the writes of Nodes that the server accepted from one of the two. */
    private List<AuditRequest> written(String backend) {
        return requests(backend, start).stream()
                .filter(request -> PeerFleet.isNodeWrite(request) && request.code() == 200)
                .toList();
    }

    /** Edits each Machine once. In the middle of it, something happens to the leader. */
    private Instant burst(Runnable event) {
        CompletableFuture<Void> edits = CompletableFuture.runAsync(() -> fleet.edit(IntStream.range(0, NODES - LATE)));
        soon().until(() -> written(A).size() > NODES / 10);
        Instant now = Instant.now();
        event.run();
        edits.join();
        fleet.edit(IntStream.range(NODES - LATE, NODES));
        fleet.awaitOnNodes();
        return now;
    }

    private void editAll() {
        fleet.edit(IntStream.range(0, NODES));
    }

    private void assertFollowed(Instant event, Duration atMost) {
        Instant first = written(B).getFirst().at();
        assertThat(Duration.between(event, first)).isLessThan(atMost);
        assertThat(written(A)).isNotEmpty().allMatch(write -> write.at().isBefore(first));
        assertThat(b.metric(Election.LEADER)).isEqualTo(1);
    }

    /** Waits until both have ended their writes. */
    private void assertOneWriteForEachEdit(int edits) {
        fleet.awaitOnNodes();
        List<AuditRequest> all = PeerFleet.settled(suite, start, request -> PeerFleet.isNodeWrite(request)
                && PeerFleet.isNodeward(request), PeerFleet.QUIET);
        Map<String, Long> counts = all.stream().filter(write -> write.code() == 200)
                .collect(Collectors.groupingBy(AuditRequest::name, Collectors.counting()));
        assertThat(counts).hasSize(NODES);
        assertThat(counts.values()).containsOnly((long) edits);
    }

    @Test
    void one_writes_and_when_it_is_told_to_end_the_other_does_within_5_seconds() {
        double held = b.metric(HELD);
        Instant told = burst(() -> {
            assertThat(b.metric(HELD)).as("it would have written").isGreaterThan(held);
            assertThat(b.metric(Election.LEADER)).isZero();
            assertThat(b.metric("nodeward_paused")).isZero();
            assertThat(requests(B, start))
                    .noneMatch(request -> request.isWrite() && !request.resource().equals("leases"));
            a.terminate();
        });
        assertFollowed(told, AFTER_RELEASE);
        assertOneWriteForEachEdit(1);
        b.close();
        JsonNode lease = suite.admin().get(Election.LEASE);
        assertThat(lease.at("/spec/holderIdentity").asText()).as("both have given it up").isEmpty();
        assertThat(lease.at("/spec/leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void when_one_is_killed_the_other_writes_within_25_seconds_what_waited() {
        assertFollowed(burst(a::kill), AFTER_DEATH);
        assertOneWriteForEachEdit(1);
    }

    @Test
    void one_that_hung_for_30_seconds_overwrites_nothing_and_follows_the_other() {
        Instant stopped = burst(a::suspend);
        assertFollowed(stopped, AFTER_DEATH);
        editAll();
        fleet.awaitOnNodes();
        soon().until(() -> Instant.now().isAfter(stopped.plus(SUSPENDED)));
        AuditLog.Mark resumed = suite.mark();
        a.resume();
        a.awaitMetric(Election.LEADER, 0);
        assertOneWriteForEachEdit(2);
        assertFollowed(stopped, AFTER_DEATH);
        assertThat(requests(A, resumed)).as("what it has begun after it went on")
                .noneMatch(request -> request.isWrite() && !request.resource().equals("leases"));

        b.close();
        editAll();
        a.awaitMetric(Election.LEADER, 1);
        assertOneWriteForEachEdit(3);
    }
}
