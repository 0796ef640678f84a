package io.nodeward.e2e.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ClusterApiWebhooks;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Taints declared by annotation in a ClusterClass and in a Cluster, which the upstream managers merge by name and carry
 * down: through a MachineDeployment, a MachinePool, and a control plane, whose manager is kubeadm's own. The webhooks of
 * both managers are in the path, and their gate of taints is off; those of older releases too, of which 1.12 has no taints
 * in Clusters and control planes.
 */
@Tag("deep")
class BesideUpstreamTopologyAnnotationsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String GATES = "ClusterTopology=true,MachineTaintPropagation=false";
    private static final String REFUSAL = "the feature gate MachineTaintPropagation is disabled";
    private static final String BY_KUBEADM = Provider.CONTROL_PLANE + ":NoSchedule";
    private static final String ZONE = "example.com/zone=z:NoSchedule";
    private static final String OWN = "example.com/own:PreferNoSchedule";

    private MachineSuite suite;
    private Topology topology;

    @ParameterizedTest
    @CsvSource({"LATEST,true", "V1_13,true", "V1_12,false"})
    void class_and_cluster_are_merged_by_name_and_reach_all_nodes_in_place(
            ClusterApiRelease release, boolean taintsInTopologies) {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened = MachineSuite.on(controlPlane, release, "topology-annotations")
                        .allow("machinepool", "/apis/cluster.x-k8s.io/v1beta2/machinepools")) {
            suite = opened;
            topology = new Topology(suite);
            ClusterApiCrds.installKubeadm(suite.admin(), release);
            try (Upstream core = Upstream.start(controlPlane, release, GATES);
                    Upstream kubeadm = Upstream.startKubeadmControlPlane(controlPlane, release, GATES);
                    ClusterApiWebhooks webhooks = core.install(suite.admin());
                    ClusterApiWebhooks more = kubeadm.install(suite.admin());
                    Provider provider = new Provider(suite);
                    RunningNodeward nodeward = suite.start("--feature-gates=MachinePoolTaintPropagation=true")) {
                awaitWebhooks();
                topology.createClass();
                topology.declareInClass(Map.of("gpu", gpu("class"), "zone", ZONE));
                topology.createCluster(controlPlane.kubeconfigForUser("upstream", List.of("system:masters")));
                awaitTaints(gpu("class"), ZONE);
                assertThat(topology.refusalByControlPlanes().contains(REFUSAL)).isEqualTo(taintsInTopologies);
                assertThat(topology.refusalByCluster().contains(REFUSAL)).isEqualTo(taintsInTopologies);
                edit();
                kubeadm.stop();
                core.stop();
                assertThat(nodeward.isReady()).isTrue();
            }
        }
    }

    /** The API server learns of them through a watch of its own. */
    private void awaitWebhooks() {
        await("webhooks").atMost(PATIENCE).until(() -> topology.refusalByDeployments().contains(REFUSAL)
                && topology.refusalOfLabelByControlPlanes().contains("spec.template.metadata.labels"));
    }

    private void edit() {
        List<String> before = topology.uids();
        topology.declareInCluster(Map.of("gpu", gpu("cluster"), "own", OWN));
        awaitTaints(gpu("cluster"), ZONE, OWN);
        topology.declareInClass(Map.of("gpu", gpu("another")));
        awaitTaints(gpu("cluster"), OWN);
        topology.declareInCluster(Map.of());
        awaitTaints(gpu("another"));
        topology.declareInClass(Map.of());
        awaitTaints();
        topology.declareInControlPlane("cp", ZONE);
        await("a taint of the control plane's own").atMost(PATIENCE)
                .untilAsserted(() -> assertNodes("cp", 1, List.of(BY_KUBEADM, ZONE)));

        assertNodes("md", 2, List.of());
        assertThat(topology.uids()).isEqualTo(before);
    }

    private static String gpu(String by) {
        return "example.com/gpu=" + by + ":NoSchedule";
    }

    private void awaitTaints(String... taints) {
        await("taints").atMost(PATIENCE).untilAsserted(() -> {
            assertNodes("cp", 1, with(BY_KUBEADM, taints));
            assertNodes("md", 2, List.of(taints));
            assertNodes("mp", Provider.POOL_SIZE, List.of(taints));
        });
    }

    private void assertNodes(String owner, int count, List<String> taints) {
        assertThat(topology.nodes(owner)).as(owner).hasSize(count).allSatisfy(node -> assertThat(
                Taints.on(suite.node(node))).as(node).containsExactlyInAnyOrderElementsOf(taints));
    }

    private static List<String> with(String taint, String... more) {
        List<String> taints = new ArrayList<>(List.of(more));
        taints.add(taint);
        return taints;
    }
}
