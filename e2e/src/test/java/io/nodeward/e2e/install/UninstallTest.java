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
import org.junit.jupiter.api.Test;
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
    private static final String ROLLBACK = "helm rollback --namespace nodeward-system nodeward";
    private static final String UNINSTALL = "helm uninstall nodeward --namespace nodeward-system";
    private static final String JOB = "/apis/batch/v1/namespaces/" + NAMESPACE + "/jobs/nodeward-cleanup";
    private static final List<String> TO_REGISTER = List.of(
            "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/nodeward-dedicated-admission-registration",
            "/apis/rbac.authorization.k8s.io/v1/namespaces/" + NAMESPACE
                    + "/rolebindings/nodeward-dedicated-registration");
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
            await("webhooks").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == 2);
            await("refusal").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 500);

            // Of its own: what runs in the common pool keeps the HTTP client of this process from reading.
            CompletableFuture<Command.Result> uninstall = CompletableFuture.supplyAsync(
                    () -> release.typed(UNINSTALL), helm -> Thread.ofPlatform().start(helm));
            JsonNode pod = pod();
            assertThat(controller.isReady()).isTrue();
            assertThat(registered()).as("nothing goes before the Job has run").hasSize(2);
            assertThat(run(release, pod)).contains("deleting validatingwebhookconfigurations nodeward-dedicated",
                    "deleting secrets elsewhere/nodeward-dedicated", "left on purpose, of dedicated: taints");
            end(pod);
            uninstall.get().orThrow("helm uninstall");
            assertThat(registered()).isEmpty();
            controller.awaitIdle();
        }
        assertThat(registered()).isEmpty();
        await("a pod").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 201);
        assertThat(left()).isEmpty();
        assertThat(secrets()).isEmpty();
    }

    /** Helm waits for a Job that does not end, and stops. */
    @Test
    void an_uninstall_that_fails_leaves_a_controller_that_serves_and_is_taken_back_by_a_rollback() throws Exception {
        Release release = new Release(controlPlane, Component.HELM, NAMESPACE);
        release.typed(INSTALL, Shape.HOME.with("--set", FAIL)).orThrow("helm install");
        try (RunningNodeward controller = release.start()) {
            await("webhooks").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == 2);
            controller.awaitIdle();
        }
        assertThat(release.typed(UNINSTALL, "--timeout", "3s").exit()).isNotZero();
        JsonNode pod = pod();
        TO_REGISTER.forEach(binding -> admin().delete(binding));
        try (RunningNodeward restarted = release.start()) {
            await("it reads what it needs to serve").atMost(MachineSuite.PATIENCE)
                    .until(() -> restarted.metric("nodeward_dedicated_in_force") == 1);
            run(release, pod);
            await("it is refused").atMost(MachineSuite.PATIENCE)
                    .until(() -> restarted.metric("nodeward_dedicated_in_force") == 0);
            assertThat(registered()).isEmpty();
        }

        release.typed(ROLLBACK, "1").orThrow("helm rollback");
        try (RunningNodeward controller = release.start()) {
            await("webhooks").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == 2);
            controller.awaitIdle();
        }
        release.typed(UNINSTALL, "--no-hooks").orThrow("helm uninstall");
        cleanUp();
        assertThat(left()).isEmpty();
    }

    /** By values or by a rollback, and whether its gate is false or not given any more. */
    @ParameterizedTest
    @CsvSource({"HELM,HOME,DedicatedPodAdmission,null,--dedicated-failure-policy=Fail",
            "HELM_3,HOME,DedicatedPodAdmission,null,--dedicated-failure-policy=Fail",
            "HELM,ADMISSION,MachineTaintAdmission,false,--admission-failure-policy=Fail",
            "HELM,ADMISSION,MachineTaintAdmission,false,--admission-mode=policy"})
    void a_webhook_goes_with_the_revision_that_had_its_gate_on(
            Component version, Shape shape, String gate, String off, String flag) {
        Release release = new Release(controlPlane, version, NAMESPACE);
        String[] without = shape.with("--set", "featureGates." + gate + "=" + off);
        String[] with = shape.with("--set", "extraArgs={" + flag + "}");
        release.typed(INSTALL, without).orThrow("helm install");
        for (boolean back : List.of(false, true)) {
            release.typed(UPGRADE, with).orThrow("helm upgrade");
            run(release, true);
            (back ? release.typed(ROLLBACK, "1") : release.typed(UPGRADE, without)).orThrow("gate off");
            run(release, false);
        }
        await("a pod").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 201);
        release.typed(UNINSTALL, "--no-hooks").orThrow("helm uninstall");
        assertThat(left()).isEmpty();
        cleanUp();
    }

    /** As the strategy Recreate does it: it ends before the next one starts. */
    private static void run(Release release, boolean registers) {
        try (RunningNodeward controller = release.start()) {
            await("registers: " + registers).atMost(MachineSuite.PATIENCE)
                    .until(() -> registered().isEmpty() != registers);
            controller.awaitIdle();
        }
    }

    /** Of the Job that Helm has created. */
    private static JsonNode pod() {
        await("the Job").atMost(MachineSuite.PATIENCE).until(() -> admin().find(JOB).isPresent());
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
    private static String run(Release release, JsonNode pod) throws Exception {
        JsonNode container = pod.at("/spec/containers/0");
        assertThat(container.has("command")).isFalse();
        assertThat(container.has("env")).isFalse();
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
                System.getProperty("java.class.path"), Main.class.getName()));
        container.path("args").forEach(argument -> words.add(argument.asText()));
        return Shell.run(Map.of("KUBECONFIG", release.account(pod.path("spec")).toString()),
                words.toArray(String[]::new));
    }

    private static void end(JsonNode pod) {
        admin().mergePatch(PODS + "/" + pod.at("/metadata/name").asText() + "/status",
                "{\"status\":{\"phase\":\"Succeeded\"}}");
    }

    /** What a test leaves for the next. */
    private static void cleanUp() {
        secrets().forEach(name -> admin().delete("/api/v1/namespaces/" + NAMESPACE + "/secrets/" + name));
        if (admin().find(JOB).isPresent()) {
            admin().delete(JOB + "?propagationPolicy=Background");
        }
    }

    /** By which Nodeward has API servers ask or refuse. */
    private static List<String> registered() {
        return names("/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies",
                "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings");
    }

    /** With the certificates of webhooks. */
    private static List<String> secrets() {
        return names("/api/v1/secrets");
    }

    private static List<String> names(String... kinds) {
        List<String> names = new ArrayList<>();
        for (String kind : kinds) {
            admin().get(kind + OURS).path("items").forEach(object -> names.add(object.at("/metadata/name").asText()));
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
