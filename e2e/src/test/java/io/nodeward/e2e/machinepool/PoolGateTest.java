package io.nodeward.e2e.machinepool;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineCanary;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The gate of MachinePools off, on, off and on again; and on without that of all taints. */
@Tag("deep")
class PoolGateTest {
    private static final String ON = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String A = "example.com/a:NoSchedule";
    private static final String B = "example.com/b:NoSchedule";

    @Test
    void pools_are_left_alone_while_a_gate_is_off_and_followed_again_afterwards() {
        try (MachineSuite suite = MachineSuite.in("pool-gate", "machinepool"); Pools pools = new Pools(suite, "c")) {
            suite.cluster("c");
            suite.add(MachineCanary.in(suite, "c"));
            pools.create("pool-gate", 2, A + ":Always");
            suite.fleet().pair(Taints.declare(MachineSpec.named("pool-gate-machine", "c"), A + ":Always"));
            AuditLog.Mark start = suite.mark();
            try (RunningNodeward off = suite.start()) {
                suite.awaitTaints("pool-gate-machine", A); // it is at work
                assertThat(suite.settledSince(start)).noneMatch(r -> r.name().matches("pool-gate-\\d"));
                assertThat(Taints.on(suite.node("pool-gate-0"))).containsExactly(UNINITIALIZED);
                assertThat(suite.watchedSince(start)).contains("machines").doesNotContain("machinepools");
                assertThat(gate(off)).isZero();
            }
            try (RunningNodeward on = suite.start(ON)) {
                suite.awaitTaints("pool-gate-0", UNINITIALIZED, A);
                suite.awaitTaints("pool-gate-1", UNINITIALIZED, A);
                assertThat(gate(on)).isOne();
            }
            // Before it starts: that it is ready and idle means then that it has seen this, too.
            pools.declare("pool-gate", B + ":Always", "example.com/c:NoSchedule:Always");
            AuditLog.Mark mark = suite.mark();
            try (RunningNodeward offAgain = suite.start(ON + ",MachineTaintPropagation=false")) {
                assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
                assertThat(Taints.on(suite.node("pool-gate-0"))).containsExactly(UNINITIALIZED, A);
                assertThat(offAgain.isReady()).isTrue();
            }
            pools.declare("pool-gate", B + ":Always");
            try (RunningNodeward onAgain = suite.start(ON)) {
                suite.awaitTaints("pool-gate-0", UNINITIALIZED, B);
                suite.awaitTaints("pool-gate-1", UNINITIALIZED, B);
                assertThat(onAgain.isReady()).isTrue();
            }
        }
    }

    private static double gate(RunningNodeward nodeward) {
        return nodeward.metric("kubernetes_feature_enabled{name=\"MachinePoolTaintPropagation\"");
    }
}
