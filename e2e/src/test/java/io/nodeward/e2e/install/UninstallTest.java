package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.controller.app.Main;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.ControllerManager;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.launcher.Shell;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What becomes of the webhooks that a controller registers, which Helm does not know, in a namespace that the guide does not name.
 * API servers do not reach these webhooks.
 */
@Tag("deep")
class UninstallTest {
    private static final String NAMESPACE = "elsewhere";
    private static final String INSTALL = "helm install nodeward deploy/chart --namespace nodeward-system";
    private static final String UPGRADE = "helm upgrade nodeward deploy/chart --namespace nodeward-system";
    private static final String TURN_OFF =
            UPGRADE + " --reuse-values --set featureGates.DedicatedPodAdmission=false";
    private static final String WAIT = "kubectl wait --for=delete --timeout=2m"
            + " validatingwebhookconfigurations,mutatingwebhookconfigurations -l nodeward.io/component=dedicated";
    private static final String UNINSTALL = "helm uninstall nodeward --namespace nodeward-system";
    private static final String JOB = "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs/nodeward-cleanup";
    private static final String PODS = "/api/v1/namespaces/" + NAMESPACE + "/pods";
    private static final String OURS = "?labelSelector=app.kubernetes.io%2Fmanaged-by%3Dnodeward";
    private static final String FAIL = "extraArgs={--dedicated-failure-policy=Fail}";

    private static ControlPlane controlPlane;
    private static ControllerManager jobs;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
        jobs = ControllerManager.start(controlPlane, List.of("job-controller"));
        admin().create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", NAMESPACE,
                "labels", Map.of("pod-security.kubernetes.io/enforce", "restricted")))));
        admin().createIfAbsent("/api/v1/namespaces/default/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
    }

    @AfterAll
    static void stop() {
        try (ControlPlane last = controlPlane; ControllerManager first = jobs) {
            assertThat(last).isNotNull();
            assertThat(first).isNotNull();
        }
    }

    /** The controller runs all the while, and would register its webhooks again. */
    @ParameterizedTest
    @EnumSource(names = "HELM.*", mode = EnumSource.Mode.MATCH_ALL)
    void an_uninstall_leaves_no_webhook_that_keeps_pods_from_being_created(Component version) throws Exception {
        Release release = new Release(controlPlane, version, NAMESPACE);
        release.typed(INSTALL, Shape.HOME.with("--set", FAIL)).orThrow("helm install");
        try (RunningNodeward controller = release.start()) {
            await("webhooks").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == 3);
            await("refusal").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 500);

            Command.Result early = release.typed(UNINSTALL, "--timeout", "3s");
            assertThat(early.exit()).as("nobody runs the Job").isNotZero();
            assertThat(controller.isReady()).isTrue();
            assertThat(registered()).as("nothing goes before the Job has run").hasSize(3);

            String before = admin().get(JOB).at("/metadata/uid").asText();
            CompletableFuture<Command.Result> uninstall = CompletableFuture.supplyAsync(() -> release.typed(UNINSTALL));
            run(release, podOfNewerJob(before));
            uninstall.get().orThrow("helm uninstall");
            assertThat(registered()).isEmpty();
            controller.awaitIdle();
        }
        assertThat(registered()).isEmpty();
        await("a pod").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 201);
        assertThat(left()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"HELM,HOME,DedicatedPodAdmission,3", "HELM_3,HOME,DedicatedPodAdmission,3",
            "HELM,ADMISSION,MachineTaintAdmission,2"})
    void a_gate_is_taken_out_once_its_webhooks_are_gone(Component version, Shape shape, String gate, int objects) {
        Release release = new Release(controlPlane, version, NAMESPACE);
        release.typed(INSTALL, shape.with()).orThrow("helm install");
        try (RunningNodeward controller = release.start()) {
            await("webhooks").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == objects);
            controller.awaitIdle();
        }
        String[] without = shape.with("--set", "featureGates." + gate + "=null");
        Command.Result refused = release.typed(UPGRADE, without);
        assertThat(refused.exit()).isNotZero();
        assertThat(refused.err()).contains("set its feature gate to false by its name");
        assertThat(registered()).hasSize(objects);

        release.typed(TURN_OFF, "--set", "featureGates." + gate + "=false").orThrow("helm upgrade");
        try (RunningNodeward controller = release.start()) {
            await("no webhooks").atMost(MachineSuite.PATIENCE)
                    .untilAsserted(() -> assertThat(registered()).isEmpty());
            assertThat(Release.GUIDE).content().contains("\n    " + WAIT + "\n");
            controlPlane.kubectl().shell(WAIT).orThrow("kubectl wait");
            controller.awaitIdle();
        }
        release.typed(UPGRADE, without).orThrow("helm upgrade");
        release.typed(UNINSTALL).orThrow("helm uninstall without anything to clean up");
        assertThat(left()).isEmpty();
    }

    private static JsonNode podOfNewerJob(String before) {
        await("the Job").atMost(MachineSuite.PATIENCE).until(() -> admin().find(JOB)
                .filter(job -> !job.at("/metadata/uid").asText().equals(before)).isPresent());
        String uid = admin().get(JOB).at("/metadata/uid").asText();
        await("its pod").atMost(MachineSuite.PATIENCE).until(() -> podsOf(uid).size() == 1);
        return podsOf(uid).getFirst();
    }

    private static List<JsonNode> podsOf(String job) {
        List<JsonNode> pods = new ArrayList<>();
        admin().get(PODS + "?labelSelector=batch.kubernetes.io%2Fcontroller-uid%3D" + job).path("items")
                .forEach(pods::add);
        return pods;
    }

    /** As a kubelet: what the image starts, with the arguments, environment and ServiceAccount of the pod. */
    private static void run(Release release, JsonNode pod) throws Exception {
        JsonNode container = pod.at("/spec/containers/0");
        assertThat(container.has("command")).isFalse();
        assertThat(container.has("env")).isFalse();
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        container.path("args").forEach(argument -> words.add(argument.asText()));
        Shell.run(Map.of("KUBECONFIG", release.account(pod.path("spec")).toString()), words.toArray(String[]::new));
        admin().mergePatch(PODS + "/" + pod.at("/metadata/name").asText() + "/status",
                "{\"status\":{\"phase\":\"Succeeded\"}}");
    }

    /** The webhook configurations of Nodeward, and the Secrets with their certificates. */
    private static List<String> registered() {
        List<String> names = new ArrayList<>();
        for (String kinds : List.of("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations", "/api/v1/secrets")) {
            admin().get(kinds + OURS).path("items")
                    .forEach(object -> names.add(object.at("/metadata/name").asText()));
        }
        return names;
    }

    /** What is left of the release and of its clean-up, but for CRDs. */
    private static List<String> left() {
        List<String> names = new ArrayList<>();
        for (String kinds : List.of("/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", "/apis/rbac.authorization.k8s.io/v1/roles",
                "/apis/rbac.authorization.k8s.io/v1/rolebindings", "/api/v1/serviceaccounts", "/apis/batch/v1/jobs",
                "/apis/apps/v1/deployments", "/api/v1/services")) {
            admin().get(kinds + "?labelSelector=app.kubernetes.io%2Finstance%3Dnodeward").path("items")
                    .forEach(object -> names.add(kinds + " " + object.at("/metadata/name").asText()));
        }
        return names;
    }

    private static int creatingPod() {
        return admin().send("POST", "/api/v1/namespaces/default/pods?dryRun=All", AdminClient.JSON, """
                {"metadata":{"name":"p"},"spec":{"containers":[{"name":"c","image":"i"}]}}""")
                .code();
    }

    private static AdminClient admin() {
        return controlPlane.admin();
    }
}
