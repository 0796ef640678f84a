package io.nodeward.e2e.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ClusterApiWebhooks;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Beside the upstream manager with its gate on, its webhooks in the path, and a real topology: there the Cluster's taints
 * replace those of its ClusterClass. What is dropped so is added, and all of it goes down in place.
 */
@Tag("deep")
class BesideUpstreamTopologyTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String GATE = "--feature-gates=TopologyTaintPropagation=true";
    private static final String OF_CLASS = "example.com/class:NoSchedule";
    private static final String OF_CLUSTER = "example.com/cluster=1:NoSchedule";
    private static final String OTHERWISE = "example.com/cluster=2:NoSchedule";

    private static final List<String> KINDS =
            List.of(Topologies.KUBEADM, "machinedeployments", "machinesets", "machines");

    private MachineSuite suite;
    private ManagedTopology topology;

    @Test
    void what_the_manager_drops_of_a_class_is_added_survives_it_and_goes_down_in_place() {
        // On servers of its own: its webhooks are in the path of all requests.
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened = MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, "managed");
                MachineSuite canary = MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, "canary")) {
            suite = opened.allow("topology", TopologyTest.RIGHTS);
            topology = new ManagedTopology(suite);
            try (Upstream upstream = Upstream.start(controlPlane);
                    ClusterApiWebhooks webhooks = upstream.install(suite.admin())) {
                createOnceWebhooksAnswer();
                suite.add(new ControlPlaneCanary(canary));
                awaitInAll(OF_CLUSTER);
                Map<String, String> before = uids();

                refusesToCarryAll();
                try (RunningNodeward nodeward = suite.start(GATE, "--topology-mode=complete", "--blocked-after=3s")) {
                    completes();
                    assertThat(nodeward.isReady()).isTrue();
                }
                assertThat(uids()).as("no rollout").isEqualTo(before);
                upstream.stop();
            }
        }
    }

    private void createOnceWebhooksAnswer() {
        await("webhooks").atMost(PATIENCE).ignoreExceptions().until(() -> {
            if (suite.admin().find(suite.clusterApi() + "/clusters/c").isEmpty()) {
                topology.create(List.of(OF_CLASS + ":Always"), List.of(OF_CLUSTER + ":Always"));
            }
            return true;
        });
    }

    /** Mode full is for clusters where nobody else carries. */
    private void refusesToCarryAll() {
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start(GATE, "--blocked-after=3s")) {
            await("event").atMost(PATIENCE).until(() -> !suite.warnings("Cluster", "c").stream()
                    .filter(warning -> warning.getKey().equals("FieldConflict")).toList().isEmpty());
            assertThat(suite.settledSince(mark))
                    .noneMatch(request -> request.isWrite() && KINDS.contains(request.resource()));
            assertThat(nodeward.isReady()).isTrue();
        }
        awaitInAll(OF_CLUSTER);
    }

    private void completes() {
        awaitInAll(OF_CLUSTER, OF_CLASS);
        topology.declareByCluster(List.of(OTHERWISE + ":Always"));
        awaitInAll(OTHERWISE, OF_CLASS);
        for (JsonNode deployment : topology.made("machinedeployments")) {
            assertThat(managers(deployment)).contains("capi-topology", "nodeward-topology");
        }

        topology.declareByClass(List.of("example.com/class=new:NoSchedule:Always"));
        awaitInAll(OTHERWISE, "example.com/class=new:NoSchedule");
        topology.declareByCluster(List.of(OTHERWISE + ":Always", OF_CLASS + ":Always"));
        awaitInAll(OTHERWISE, OF_CLASS); // the same without a value: ours goes
        topology.declareByCluster(List.of(OTHERWISE + ":Always"));
        awaitInAll(OTHERWISE, "example.com/class=new:NoSchedule");
        topology.declareByClass(List.of());
        awaitInAll(OTHERWISE);
        topology.declareByClass(List.of(OF_CLASS + ":Always"));
        awaitInAll(OTHERWISE, OF_CLASS);
        Map<String, String> since = versions();
        topology.declareByCluster(List.of()); // now the manager itself carries the class's
        awaitInAll(OF_CLASS);
        await("what both carry is let go").atMost(PATIENCE).untilAsserted(() -> assertThat(
                topology.made("machinedeployments")).allSatisfy(
                        deployment -> assertThat(managers(deployment)).containsExactly("capi-topology")));
        since.forEach((plural, version) -> assertThat(topology.versionsSince(plural, version)).as(plural).isNotEmpty()
                .allSatisfy(object -> assertThat(taints(plural, object)).as("never off").contains(OF_CLASS)));
    }

    private Map<String, String> versions() {
        Map<String, String> versions = new TreeMap<>();
        KINDS.forEach(plural -> versions.put(plural, topology.version(plural)));
        return versions;
    }

    private void awaitInAll(String... taints) {
        await(String.join(", ", taints)).atMost(PATIENCE).untilAsserted(() -> {
            topology.initialize();
            assertThat(topology.made("machines")).hasSize(2);
            for (String plural : KINDS) {
                assertThat(topology.made(plural)).as(plural).isNotEmpty().allSatisfy(
                        object -> assertThat(taints(plural, object)).containsExactlyInAnyOrder(taints));
            }
        });
    }

    private static List<String> taints(String plural, JsonNode object) {
        ((ObjectNode) object).put("kind", kind(plural)); // lists leave it out
        return ManagedTopology.taints(object);
    }

    private static String kind(String plural) {
        return switch (plural) {
            case Topologies.KUBEADM -> "KubeadmControlPlane";
            case "machines" -> "Machine";
            default -> "MachineDeployment";
        };
    }

    /** Of those that own taints. */
    private static List<String> managers(JsonNode object) {
        return object.at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("fieldsV1").toString().contains("f:taints"))
                .map(entry -> entry.path("manager").asText()).toList();
    }

    private Map<String, String> uids() {
        Map<String, String> uids = new TreeMap<>();
        for (String plural : List.of("machinedeployments", "machinesets", "machines")) {
            topology.made(plural).forEach(object -> uids.put(
                    plural + "/" + object.at("/metadata/name").asText(), object.at("/metadata/uid").asText()));
        }
        return uids;
    }
}
