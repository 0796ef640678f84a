package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.ControllerManager;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each Pod that kube-controller-manager creates is a controller in this JVM. */
@Tag("deep")
class RolloutTest {
    private static final String NAMESPACE = "nodeward-system";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments/nodeward";

    @TempDir
    private Path directory;

    private final ControlPlane controlPlane = ControlPlane.start(Options.standard());
    private final ControllerManager manager =
            ControllerManager.start(controlPlane, List.of("deployment-controller", "replicaset-controller"));
    private final AdminClient admin = controlPlane.admin();
    private final Release release = new Release(controlPlane, Component.HELM, NAMESPACE);
    /** By the names of their Pods. */
    private final Map<String, RunningNodeward> running = new HashMap<>();

    @AfterEach
    void stop() {
        running.values().forEach(RunningNodeward::close);
        manager.close();
        controlPlane.close();
    }

    /** Its probe asks for the webhook alone, and old Pods serve the webhook until new ones are ready. */
    @Test
    void a_gate_is_turned_off_in_two_replicas_and_no_webhook_is_left() {
        admin.create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", NAMESPACE))));
        release.typed("helm install nodeward deploy/chart --namespace nodeward-system", Shape.ADMISSION.with())
                .orThrow("helm install");
        rollOut();
        await("its webhook").atMost(MachineSuite.PATIENCE).until(() -> new Leftovers(admin).registered().size() == 1);
        List<String> before = List.copyOf(running.keySet());

        release.typed("helm upgrade nodeward deploy/chart --namespace nodeward-system",
                Shape.ADMISSION.with("--set", "featureGates.MachineTaintAdmission=false")).orThrow("helm upgrade");
        rollOut();
        assertThat(running.keySet()).hasSize(2).doesNotContainAnyElementsOf(before);
        running.values().forEach(RunningNodeward::awaitIdle);
        assertThat(new Leftovers(admin).registered()).isEmpty();
    }

    private void rollOut() {
        await("the rollout").atMost(MachineSuite.PATIENCE.multipliedBy(2)).until(() -> {
            List<JsonNode> pods = new ArrayList<>();
            admin.get(PODS).path("items").forEach(pods::add);
            pods.forEach(this::run);
            running.entrySet().removeIf(each -> {
                boolean gone = pods.stream().noneMatch(pod -> name(pod).equals(each.getKey()));
                if (gone) {
                    each.getValue().close();
                }
                return gone;
            });
            return isRolledOut(admin.get(DEPLOYMENT)) && running.size() == 2;
        });
    }

    private void run(JsonNode pod) {
        RunningNodeward controller = running.computeIfAbsent(name(pod), any -> release.start(pod.path("spec")));
        String probe = pod.at("/spec/containers/0/readinessProbe/httpGet/path").asText();
        if (!pod.at("/status/phase").asText().equals("Running") && controller.isReady(probe)) {
            new Kubelet(admin, pod, directory).reportReady();
        }
    }

    private static boolean isRolledOut(JsonNode deployment) {
        JsonNode status = deployment.path("status");
        return status.path("observedGeneration").equals(deployment.at("/metadata/generation"))
                && status.path("updatedReplicas").asInt() == 2 && status.path("availableReplicas").asInt() == 2
                && status.path("replicas").asInt() == 2;
    }

    private static String name(JsonNode pod) {
        return pod.at("/metadata/name").asText();
    }
}
