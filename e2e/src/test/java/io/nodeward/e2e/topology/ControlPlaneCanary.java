package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.Canary;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.List;

/**
 * For classes, Clusters and control planes beside the upstream manager, which answers most changes as Nodeward would: a
 * topology that the manager cannot make, so that the taints of its class reach its control plane through Nodeward alone.
 */
final class ControlPlaneCanary implements Canary {
    private final String namespace;
    private final ManagedTopology topology;
    private int touches;

    /** @param suite of a namespace in which there is nothing else */
    ControlPlaneCanary(MachineSuite suite) {
        this.namespace = suite.fleet().namespace();
        this.topology = new ManagedTopology(suite);
        topology.createWithoutTemplates();
    }

    @Override
    public void awaitSeen() {
        String taint = "example.com/canary=" + ++touches + ":PreferNoSchedule";
        topology.declareByClass(List.of(taint + ":Always"));
        await(taint).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(
                () -> assertThat(ManagedTopology.taints(topology.controlPlane())).containsExactly(taint));
    }

    @Override
    public boolean isAnswer(AuditRequest request) {
        return request.namespace().equals(namespace);
    }
}
