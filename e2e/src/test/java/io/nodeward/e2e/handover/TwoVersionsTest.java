package io.nodeward.e2e.handover;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.Election;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** While one version replaces another, both look after the same Machines. */
@Tag("deep")
class TwoVersionsTest {
    private static final int MACHINES = 30;
    private static final int ROUNDS = 10;
    private static final String[] UNLIMITED =
            {"--noexecute-nodes-per-minute=0", "--noexecute-unconfirmed-percent=0"};

    private static final String[] ELECTED = Election.with(UNLIMITED);

    @TempDir
    private Path directory;

    @Test
    void nothing_is_lost_and_the_two_do_not_write_against_each_other() throws Exception {
        Path built = PreviousVersion.built();
        try (MachineSuite suite = MachineSuite.in("versions")) {
            PeerFleet fleet = new PeerFleet(suite, "versions", MACHINES);
            fleet.createCluster(suite.workload(), Map.of());
            suite.allowPause();
            AuditLog.Mark start = suite.mark();
            try (PreviousVersion previous = PreviousVersion.start(
                    built, suite.managementKubeconfig(), directory.resolve("log"), UNLIMITED);
                    RunningNodeward nodeward = suite.start(UNLIMITED)) {
                fleet.createMachines(Map.of());
                fleet.awaitOnNodes();
                for (int round = 0; round < ROUNDS; round++) {
                    fleet.edit(IntStream.range(0, MACHINES));
                }
                fleet.awaitOnNodes();
                // This asserts that writes stop: it fails if there is no such time of quiet within minutes.
                PeerFleet.settled(suite, suite.mark(), PeerFleet::isNodeWrite, PeerFleet.QUIET);
                assertThat(fleet.behind()).isEmpty();
                assertBothWroteAndFewWritesWereRepeated(
                        suite, start, nodeward.metric("nodeward_node_writes_total{result=\"written\"}"));
            }
        }
    }

    @Test
    void with_leader_election_each_edit_is_written_once_also_when_the_previous_version_ends() throws Exception {
        Path built = PreviousVersion.built();
        try (MachineSuite suite = MachineSuite.in("elected")) {
            PeerFleet fleet = new PeerFleet(suite, "elected", MACHINES);
            fleet.createCluster(suite.workload(), Map.of());
            fleet.createMachines(Map.of());
            suite.allowPause();
            suite.allowLeaderElection();
            AuditLog.Mark start;
            try (PreviousVersion previous = PreviousVersion.start(
                    built, suite.managementKubeconfig(), directory.resolve("log"), ELECTED)) {
                fleet.awaitOnNodes();
                start = suite.mark();
                try (RunningNodeward nodeward = suite.start(ELECTED)) {
                    edit(fleet);
                    assertThat(nodeward.metric(Election.LEADER)).isZero();
                    assertThat(nodeward.metric("nodeward_node_writes_total{result=\"written\"}")).isZero();
                    previous.close();
                    edit(fleet);
                    assertThat(nodeward.metric(Election.LEADER)).isEqualTo(1);
                }
            }
            List<AuditRequest> written =
                    suite.controlPlane().audit().since(start).filter(request -> request.code() == 200
                            && PeerFleet.isNodeWrite(request) && PeerFleet.isNodeward(request)).toList();
            assertThat(written).hasSize(MACHINES * ROUNDS * 2);
        }
    }

    private static void edit(PeerFleet fleet) {
        for (int round = 0; round < ROUNDS; round++) {
            fleet.edit(IntStream.range(0, MACHINES));
            fleet.awaitOnNodes();
        }
    }

    /**
     * A write holds on what it was planned from, so the second to write one edit conflicts and finds nothing left to do. But one
     * who sees a Node before the Machine that it was written for takes that for drift, and undoes it until he sees the Machine.
     */
    private static void assertBothWroteAndFewWritesWereRepeated(
            MachineSuite suite, AuditLog.Mark start, double own) {
        List<AuditRequest> writes = suite.controlPlane().audit().since(start)
                .filter(request -> PeerFleet.isNodeWrite(request) && PeerFleet.isNodeward(request)).toList();
        List<AuditRequest> written = writes.stream().filter(write -> write.code() == 200).toList();
        assertThat(written).hasSizeBetween(MACHINES * (ROUNDS + 1) / 2, MACHINES * (ROUNDS + 1) * 3 / 2);
        assertThat(own).as("each version has written").isBetween(MACHINES / 2.0, written.size() - MACHINES / 2.0);
        assertThat(writes).filteredOn(write -> write.code() != 200).allMatch(AuditRequest::isConflict)
                .hasSizeLessThanOrEqualTo(written.size());
    }
}
