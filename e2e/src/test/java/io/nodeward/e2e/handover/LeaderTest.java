package io.nodeward.e2e.handover;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.clusters.ControllerProcess;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two processes of which one leads. Each has another client library, so that the audit log tells them apart. */
@Tag("deep")
class LeaderTest {
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/nodeward-system/leases";
    private static final String HELD = "controller_runtime_reconcile_total{controller=\"machine\",result=\"requeue\"}";
    private static final String A = "--backend=fabric8";
    private static final String B = "--backend=official";
    private static final String BEFORE = "example.com/a:NoSchedule";
    private static final String AFTER = "example.com/b:NoSchedule";
    private static final String LAST = "example.com/c:NoSchedule";
    /** The guide promises these two times. */
    private static final Duration AFTER_RELEASE = Duration.ofSeconds(5);
    private static final Duration AFTER_DEATH = Duration.ofSeconds(25);

    @TempDir
    private Path directory;

    private MachineSuite suite;
    private AuditLog.Mark start;

    @BeforeEach
    void prepare() {
        suite = MachineSuite.in("leader");
        suite.allowPause();
        suite.allowLeaderElection();
        suite.cluster("c");
        start = suite.mark();
    }

    @AfterEach
    void cleanUp() {
        suite.admin().get(LEASES).path("items").forEach(
                lease -> suite.admin().delete(LEASES + "/" + lease.at("/metadata/name").asText()));
        suite.close();
    }

    private static ConditionFactory soon() {
        return await().atMost(MachineSuite.PATIENCE);
    }

    private void declare(String machine, String taint) {
        suite.admin().mergePatch(suite.fleet().machinePath(machine), Taints.patch(taint + ":Always"));
    }

    /** Returns the requests of one of the two, as its user agent names it. */
    private List<AuditRequest> requests(String backend) {
        String agent = "(" + backend.substring("--backend=".length()) + ";";
        return suite.requestsSince(start).stream().filter(request -> request.userAgent().contains(agent)).toList();
    }

    private List<AuditRequest> writes(String backend) {
        return requests(backend).stream().filter(request -> request.isWrite() && !isOfLease(request)).toList();
    }

    private List<AuditRequest> leaseWrites(String backend) {
        return requests(backend).stream().filter(request -> request.isWrite() && isOfLease(request)).toList();
    }

    private static boolean isOfLease(AuditRequest request) {
        return request.resource().equals("leases");
    }

    private Duration takeover(Instant from) {
        return Duration.between(from, writes(B).getFirst().at());
    }

    /** The second writes once it has the Lease, and the first not any more. */
    private void assertOneWroteAfterTheOther() {
        Instant taken = leaseWrites(B).stream().filter(request -> request.code() / 100 == 2).findFirst().orElseThrow()
                .at();
        assertThat(writes(A)).isNotEmpty().allMatch(write -> write.at().isBefore(taken));
        assertThat(writes(B)).isNotEmpty().allMatch(write -> write.at().isAfter(taken));
    }

    @Test
    void one_writes_and_when_it_ends_the_other_does_within_5_seconds() {
        suite.fleet().pair(Taints.declare(MachineSpec.named("leader-a", "c"), BEFORE + ":Always"));
        try (RunningNodeward a = suite.start(A, "--leader-election")) {
            suite.awaitTaints("leader-a", BEFORE);
            assertThat(a.metric("nodeward_leader")).isEqualTo(1);
            try (RunningNodeward b = suite.start(B, "--leader-election")) {
                declare("leader-a", AFTER);
                suite.awaitTaints("leader-a", AFTER);
                soon().until(() -> b.metric(HELD) > 0); // it would have written the taint
                b.awaitIdle();
                assertThat(b.metric("nodeward_leader")).isZero();
                assertThat(b.metric("nodeward_paused")).isZero();
                assertThat(writes(B)).isEmpty();

                a.close();
                declare("leader-a", LAST);
                suite.awaitTaints("leader-a", LAST);
                soon().until(() -> !writes(B).isEmpty());
                assertThat(b.metric("nodeward_leader")).isEqualTo(1);
                assertThat(takeover(leaseWrites(A).getLast().at())).isLessThan(AFTER_RELEASE);
                assertOneWroteAfterTheOther();
            }
        }
        JsonNode lease = suite.admin().get(LEASES).at("/items/0");
        assertThat(lease.at("/metadata/name").asText()).startsWith("nodeward-machine-");
        assertThat(lease.at("/spec/holderIdentity").asText()).as("both have given it up").isEmpty();
        assertThat(lease.at("/spec/leaseTransitions").asInt()).isEqualTo(1);
    }

    @Test
    void when_one_is_killed_the_other_writes_within_25_seconds_what_waited() throws Exception {
        suite.fleet().pair(Taints.declare(MachineSpec.named("leader-b", "c"), BEFORE + ":Always"));
        String[] election = {"--leader-election", "--leader-election-id=e2e"};
        try (ControllerProcess a = ControllerProcess.withDefaultHeap(directory,
                Files.readString(suite.managementKubeconfig()), List.of(A, election[0], election[1]))) {
            suite.awaitTaints("leader-b", BEFORE);
            a.awaitMetric("nodeward_leader{lease=\"nodeward-system/e2e\"}", 1);
            try (RunningNodeward b = suite.start(B, election[0], election[1])) {
                b.awaitIdle();
                double held = b.metric(HELD);
                Instant death = Instant.now();
                a.kill();
                declare("leader-b", AFTER);
                soon().until(() -> b.metric(HELD) > held);
                suite.awaitTaints("leader-b", AFTER);
                soon().until(() -> !writes(B).isEmpty());
                assertThat(takeover(death)).isLessThan(AFTER_DEATH);
                assertOneWroteAfterTheOther();
            }
        }
        assertThat(suite.admin().get(LEASES + "/e2e").at("/spec/leaseTransitions").asInt()).isEqualTo(1);
    }
}
