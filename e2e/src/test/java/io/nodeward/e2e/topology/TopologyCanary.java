package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.Canary;
import io.nodeward.e2e.machine.MachineSuite;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * For all kinds on the way: a Cluster with a topology and a class whose taints change, and a MachineDeployment with a set and
 * a Machine.
 */
final class TopologyCanary implements Canary {
    private static final String NAME = "canary";
    private static final List<String> PLACES = List.of(Topologies.KUBEADM, "machinedeployments", "machinepools");
    private static final String SOLE = "canary-sole";

    private final MachineSuite suite;
    private final Topologies topologies;
    private int touches;

    /** @param plain a Cluster without a topology */
    TopologyCanary(MachineSuite suite, Topologies topologies, String plain) {
        this.suite = suite;
        this.topologies = topologies;
        topologies.create(NAME, Topologies.KUBEADM, List.of(), List.of());
        topologies.machine(plain, machine(), topologies.set(plain, SOLE, topologies.deployment(plain, SOLE)));
    }

    private String machine() {
        return suite.fleet().namespace() + "-" + SOLE;
    }

    @Override
    public void awaitSeen() {
        String ofClass = taint("class");
        String ofCluster = taint("cluster");
        topologies.declareByClass(NAME, List.of(ofClass));
        topologies.declareByCluster(NAME, List.of(ofCluster));
        topologies.declare("machinedeployments", SOLE, taint("sole"));
        PLACES.forEach(place -> awaitTaints(place, NAME, ofClass, ofCluster));
        awaitTaints("machines", machine(), taint("sole"));
        touches++;
    }

    private String taint(String by) {
        return "example.com/canary-" + by + "=" + touches + ":PreferNoSchedule:Always";
    }

    private void awaitTaints(String plural, String name, String... taints) {
        await(plural + " " + name).atMost(MachineSuite.PATIENCE).pollInterval(Duration.ofMillis(20)).untilAsserted(
                () -> assertThat(topologies.taints(plural, name)).containsExactlyInAnyOrder(taints));
    }

    @Override
    public boolean isAnswer(AuditRequest request) {
        return Stream.of(NAME, SOLE, machine()).anyMatch(request.name()::equals);
    }
}
