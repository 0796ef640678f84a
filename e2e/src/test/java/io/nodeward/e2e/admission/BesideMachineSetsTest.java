package io.nodeward.e2e.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ClusterApiWebhooks;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * In a fleet that has worked for long, with faults in its template that Cluster API does not mind, and a taint that is in
 * order: admission is switched on, and the real controllers of Cluster API go on making Machines and MachineSets of it.
 */
@Tag("deep")
class BesideMachineSetsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String ANNOTATION = "taint.nodeward.io/old";
    /** Cluster API counts up to 317 characters. */
    private static final String LONG = "a".repeat(253) + "/x";

    private MachineSuite suite;

    @ParameterizedTest
    @ValueSource(strings = {"webhook", "policy"})
    void a_fleet_with_an_old_fault_scales_and_rolls_out_with_the_gate_on_and_off(String mode) {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened =
                        MachineSuite.on(controlPlane, ClusterApiRelease.LATEST, "copied-" + mode)) {
            suite = opened;
            suite.fleet().cluster("c", controlPlane.kubeconfigForUser("upstream", List.of("system:masters")));
            Path kubeconfig = controlPlane.file(controlPlane.adminKubeconfig());
            try (Upstream upstream = Upstream.start(controlPlane, "MachineTaintPropagation=true")) {
                try (ClusterApiWebhooks webhooks = upstream.install(suite.admin())) {
                    createFleet();
                    awaitMachines(1);
                    rollsOut(kubeconfig, mode);
                }
                scalesWithoutUpstreamsWebhooks(kubeconfig, mode);
            }
        }
    }

    private void rollsOut(Path kubeconfig, String mode) {
        try (RunningAdmission nodeward = RunningAdmission.start(kubeconfig, "", "--admission-mode=" + mode)) {
            awaitInForce(nodeward);
            scale(2);
            awaitMachines(2);
            suite.admin().mergePatch(suite.clusterApi() + "/machinedeployments/workers",
                    "{\"spec\":{\"template\":{\"spec\":{\"version\":\"v1.36.2\"}}}}");
            await("the new MachineSet and a Machine of it").atMost(PATIENCE).until(() -> items("machines").stream()
                    .anyMatch(machine -> machine.at("/spec/version").asText().equals("v1.36.2")));
            assertThat(items("machinesets")).hasSize(2);
        }
    }

    private void scalesWithoutUpstreamsWebhooks(Path kubeconfig, String mode) {
        try (RunningAdmission nodeward = RunningAdmission.start(kubeconfig, "MachineTaintPropagation=false",
                "--admission-mode=" + mode)) {
            awaitInForce(nodeward);
            await("the gate").atMost(PATIENCE).until(() -> isRefused("example.com/a"));
            int before = items("machines").size();
            scale(4);
            await("a Machine more").atMost(PATIENCE).until(() -> items("machines").size() > before);
            assertThat(items("machines")).allSatisfy(
                    machine -> {
                        assertThat(machine.at("/spec/taints").findValuesAsText("key"))
                                .containsExactlyInAnyOrder(LONG, "example.com/a");
                        assertThat(machine.at("/metadata/annotations").path(ANNOTATION).asText()).isEqualTo("nonsense");
                    });
        }
    }

    private void awaitInForce(RunningAdmission nodeward) {
        await("in force").atMost(PATIENCE).until(() -> nodeward.metric("nodeward_admission_in_force") == 1);
        await("judged").atMost(PATIENCE).until(() -> isRefused(LONG));
    }

    /** By us, of who writes a Machine by hand. */
    private boolean isRefused(String key) {
        AdminClient.Reply reply = suite.admin().send("POST",
                suite.clusterApi() + "/machines?dryRun=All", AdminClient.JSON,
                Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "Machine",
                        "metadata", Map.of("name", "by-hand"), "spec", machine(List.of(key)))).toString());
        return !reply.isOk() && reply.body().path("message").asText().contains("nodeward");
    }

    private void createFleet() {
        suite.admin().create("/apis/" + GROUP + "/v1beta1/namespaces/" + suite.fleet().namespace()
                + "/genericinfrastructuremachinetemplates",
                Json.tree(Map.of(
                        "apiVersion", GROUP + "/v1beta1", "kind", "GenericInfrastructureMachineTemplate",
                        "metadata", Map.of("name", "workers"),
                        "spec", Map.of("template", Map.of("spec", Map.of())))));
        // The API server learns of webhooks through a watch of its own, and of those that give defaults too.
        await("upstream's webhooks").atMost(PATIENCE).untilAsserted(() -> {
            AdminClient.Reply reply = suite.admin().send("POST",
                    suite.clusterApi() + "/machinedeployments?dryRun=All", AdminClient.JSON, deployment().toString());
            assertThat(reply.isOk()).as("%s", reply.body()).isTrue();
            assertThat(reply.body().at("/metadata/labels").has("cluster.x-k8s.io/cluster-name")).isTrue();
        });
        suite.admin().create(suite.clusterApi() + "/machinedeployments", deployment());
    }

    private static JsonNode deployment() {
        Map<String, String> labels = Map.of("cluster.x-k8s.io/cluster-name", "c", "example.com/md", "workers");
        return Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "MachineDeployment",
                "metadata", Map.of("name", "workers"),
                "spec", Map.of("clusterName", "c", "replicas", 1, "selector", Map.of("matchLabels", labels),
                        "template", Map.of(
                                "metadata", Map.of("labels", labels, "annotations", Map.of(ANNOTATION, "nonsense")),
                                "spec",
                                machine(List.of(LONG, "example.com/a"))))));
    }

    private static Map<String, Object> machine(List<String> keys) {
        return new TreeMap<>(Map.of(
                "clusterName", "c",
                "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                "taints", keys.stream()
                        .map(key -> Map.of("key", key, "effect", "NoSchedule", "propagation", "Always")).toList(),
                "infrastructureRef", Map.of("apiGroup", GROUP, "kind", "GenericInfrastructureMachineTemplate",
                        "name", "workers")));
    }

    private void scale(int replicas) {
        suite.admin().mergePatch(suite.clusterApi() + "/machinedeployments/workers",
                "{\"spec\":{\"replicas\":%d}}".formatted(replicas));
    }

    private void awaitMachines(int count) {
        await(count + " Machines").atMost(PATIENCE).until(() -> items("machines").size() == count);
    }

    private List<JsonNode> items(String plural) {
        return suite.admin().get(suite.clusterApi() + "/" + plural).path("items").valueStream().toList();
    }
}
