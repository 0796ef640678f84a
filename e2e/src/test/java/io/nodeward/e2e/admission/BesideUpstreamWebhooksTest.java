package io.nodeward.e2e.admission;

import static io.nodeward.e2e.admission.AdmissionSuite.soon;
import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** With the gate MachineTaintPropagation off here and on there: Cluster API's webhooks decide where they are installed. */
@Tag("deep")
class BesideUpstreamWebhooksTest {
    private MachineSuite suite;

    @Test
    void nothing_is_blocked_for_kinds_that_upstream_validates_and_all_is_when_its_webhooks_are_gone() {
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened = MachineSuite.on(controlPlane,
                        ClusterApiRelease.LATEST, "beside-webhooks")) {
            suite = opened;
            Path kubeconfig = controlPlane.file(controlPlane.adminKubeconfig());
            try (Upstream upstream = Upstream.start(controlPlane, "MachineTaintPropagation=true")) {
                try (ClusterApiWebhooks webhooks = upstream.install(suite.admin());
                        RunningAdmission webhook =
                                RunningAdmission.start(kubeconfig, "MachineTaintPropagation=false")) {
                    decides(webhook, webhooks);
                }
                try (ClusterApiWebhooks webhooks = upstream.install(suite.admin());
                        RunningAdmission policy = RunningAdmission.start(kubeconfig, "MachineTaintPropagation=false",
                                "--admission-mode=policy")) {
                    decides(policy, webhooks);
                }
            }
        }
    }

    private void decides(RunningAdmission nodeward, ClusterApiWebhooks webhooks) {
        soon().until(() -> nodeward.metric("nodeward_admission_in_force") == 1);
        // What it would refuse in any case shows that it is asked.
        soon().until(() -> message("node.cluster.x-k8s.io/uninitialized").contains("nodeward"));
        soon().untilAsserted(() -> assertThat(message("example.com/a")).isEmpty());
        webhooks.close();
        soon().untilAsserted(() -> assertThat(message("example.com/a"))
                .contains("the gate MachineTaintPropagation is off", "nodeward"));
    }

    /** Why a MachineDeployment with this taint is refused; empty if it is not. */
    private String message(String key) {
        AdminClient.Reply reply = suite.admin().send("POST", suite.clusterApi() + "/machinedeployments?dryRun=All",
                AdminClient.JSON, deployment(key).toString());
        return reply.isOk() ? "" : reply.body().path("message").asText();
    }

    private static JsonNode deployment(String key) {
        Map<String, String> labels = Map.of("cluster.x-k8s.io/cluster-name", "c", "example.com/md", "workers");
        Map<String, Object> spec = new TreeMap<>(Map.of("clusterName", "c", "selector", Map.of("matchLabels", labels)));
        spec.put("template", Map.of("metadata", Map.of("labels", labels), "spec", Map.of(
                "clusterName", "c",
                "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                "taints", List.of(Map.of("key", key, "effect", "NoSchedule", "propagation", "Always")),
                "infrastructureRef", Map.of(
                        "apiGroup", "infrastructure.cluster.x-k8s.io", "kind",
                        "GenericInfrastructureMachineTemplate", "name", "workers"))));
        return Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "MachineDeployment",
                "metadata", Map.of("name", "workers", "labels", labels), "spec", spec));
    }
}
