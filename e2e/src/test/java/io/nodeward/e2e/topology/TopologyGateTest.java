package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gate of topologies off, on, off and on again; and on without those of all taints and of pools. */
@Tag("deep")
class TopologyGateTest {
    private static final String WITHOUT_POOLS = "--feature-gates=TopologyTaintPropagation=true";
    private static final String ON = WITHOUT_POOLS + ",MachinePoolTaintPropagation=true";
    private static final String POOLS = "machinepools";
    private static final List<String> OTHERS = List.of(Topologies.KUBEADM, "machinedeployments");
    private static final String A = "example.com/a:NoSchedule:Always";
    private static final String B = "example.com/b:NoSchedule:Always";

    @Test
    void topologies_are_left_alone_while_the_gate_is_off_and_followed_again_afterwards() {
        try (MachineSuite suite = MachineSuite.in("topology-gate").allow("topology", TopologyTest.RIGHTS)
                .allow("machinepool", TopologyTest.RIGHTS);
                Topologies topologies = new Topologies(suite)) {
            suite.cluster("plain");
            suite.add(MachineCanary.in(suite, "plain"));
            topologies.create("gated", Topologies.KUBEADM, List.of(A), List.of());
            AuditLog.Mark start = suite.mark();
            try (RunningNodeward off = suite.start()) {
                assertThat(suite.settledSince(start)).noneMatch(AuditRequest::isWrite);
                assertThat(topologies.taints("machinedeployments", "gated")).isEmpty();
                assertNotWatched(suite, start);
                assertThat(gate(off)).isZero();
            }
            try (RunningNodeward on = suite.start(ON)) {
                awaitTaints(topologies, OTHERS, A);
                awaitTaints(topologies, List.of(POOLS), A);
                assertThat(gate(on)).isOne();
            }
            topologies.declareByCluster("gated", List.of(B));
            AuditLog.Mark startAgain = suite.mark();
            try (RunningNodeward offAgain = suite.start()) {
                AuditLog.Mark mark = suite.mark();
                topologies.declareByClass("gated", List.of());
                assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
                assertThat(topologies.taints("machinedeployments", "gated")).containsExactly(A);
                assertNotWatched(suite, startAgain);
                assertThat(offAgain.isReady()).isTrue();
            }
            AuditLog.Mark startWithoutTaints = suite.mark();
            try (RunningNodeward noTaints = suite.start(ON + ",MachineTaintPropagation=false")) {
                AuditLog.Mark mark = suite.mark();
                topologies.declareByClass("gated", List.of(A, B));
                assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
                assertNotWatched(suite, startWithoutTaints);
                assertThat(noTaints.isReady()).isTrue();
            }
            topologies.declareByClass("gated", List.of());
            try (RunningNodeward withoutPools = suite.start(WITHOUT_POOLS)) {
                awaitTaints(topologies, OTHERS, B);
                suite.settled();
                assertThat(topologies.taints(POOLS, "gated")).containsExactly(A);
                assertThat(withoutPools.isReady()).isTrue();
            }
            try (RunningNodeward onAgain = suite.start(ON)) {
                awaitTaints(topologies, List.of(POOLS), B);
                awaitTaints(topologies, OTHERS, B);
                assertThat(onAgain.isReady()).isTrue();
            }
        }
    }

    /** What is changed here does not reach the controller while the gate is off: no canary could tell when it has. */
    private static void assertNotWatched(MachineSuite suite, AuditLog.Mark start) {
        // MachineDeployments are watched for what they confirm of the limit of NoExecute.
        assertThat(suite.watchedSince(start)).contains("machines").doesNotContain("clusterclasses", Topologies.KUBEADM);
    }

    private static void awaitTaints(Topologies topologies, List<String> places, String... taints) {
        for (String place : places) {
            await(place).atMost(MachineSuite.PATIENCE).untilAsserted(
                    () -> assertThat(topologies.taints(place, "gated")).containsExactly(taints));
        }
    }

    private static double gate(RunningNodeward nodeward) {
        return nodeward.metric("kubernetes_feature_enabled{name=\"TopologyTaintPropagation\"");
    }
}
