package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
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
    private static final String FAIL = "extraArgs={--dedicated-failure-policy=Fail}";

    private static ControlPlane controlPlane;
    private static LoggedProcess jobs;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
        jobs = controlPlane.controllerManager(List.of("job-controller"));
        admin().create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", NAMESPACE,
                "labels", Map.of("pod-security.kubernetes.io/enforce", "restricted")))));
        admin().createIfAbsent("/api/v1/namespaces/default/serviceaccounts",
                Json.tree(Map.of("metadata", Map.of("name", "default"))));
    }

    @AfterAll
    static void stop() {
        try (ControlPlane last = controlPlane; LoggedProcess first = jobs) {
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

            CompletableFuture<Command.Result> uninstall = release.typing(UNINSTALL);
            JsonNode pod = release.podOf(JOB);
            assertThat(controller.isReady()).isTrue();
            assertThat(registered()).as("nothing goes before the Job has run").hasSize(2);
            assertThat(release.run(pod)).contains("deleted validatingwebhookconfigurations nodeward-dedicated",
                    "deleted secrets elsewhere/nodeward-dedicated", "left on purpose, of dedicated: taints");
            release.end(pod);
            uninstall.get().orThrow("helm uninstall");
            assertThat(registered()).isEmpty();
            controller.awaitIdle();
        }
        assertThat(registered()).isEmpty();
        await("a pod").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 201);
        assertThat(left()).isEmpty();
        assertThat(new Leftovers(admin()).secrets()).isEmpty();
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
        JsonNode pod = release.podOf(JOB);
        TO_REGISTER.forEach(binding -> admin().delete(binding));
        try (RunningNodeward restarted = release.start()) {
            await("it reads what it needs to serve").atMost(MachineSuite.PATIENCE)
                    .until(() -> restarted.metric("nodeward_dedicated_in_force") == 1);
            release.run(pod);
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

    /** By values or by a rollback, whether its gate is false or not given any more, or its controller is none that runs. */
    @ParameterizedTest
    @CsvSource({"HELM,HOME,featureGates.DedicatedPodAdmission=null,--dedicated-failure-policy=Fail",
            "HELM_3,HOME,featureGates.DedicatedPodAdmission=null,--dedicated-failure-policy=Fail",
            "HELM,HOME,controllers={devices},--dedicated-failure-policy=Fail",
            "HELM,ADMISSION,featureGates.MachineTaintAdmission=false,--admission-failure-policy=Fail",
            "HELM,ADMISSION,featureGates.MachineTaintAdmission=false,--admission-mode=policy",
            "HELM,ADMISSION,controllers={-admission},--admission-mode=policy"})
    void a_webhook_goes_with_the_revision_that_had_it(Component version, Shape shape, String off, String flag) {
        Release release = new Release(controlPlane, version, NAMESPACE);
        String[] without = shape.with("--set", off);
        String[] with = shape.with("--set", "extraArgs={" + flag + "}");
        release.typed(INSTALL, without).orThrow("helm install");
        for (boolean back : List.of(false, true)) {
            release.typed(UPGRADE, with).orThrow("helm upgrade");
            run(release, true);
            (back ? release.typed(ROLLBACK, "1") : release.typed(UPGRADE, without)).orThrow("webhook off");
            run(release, false);
        }
        await("a pod").atMost(MachineSuite.PATIENCE).until(() -> creatingPod() == 201);
        release.typed(UNINSTALL, "--no-hooks").orThrow("helm uninstall");
        assertThat(left()).isEmpty();
        cleanUp();
    }

    /** Two releases share the controllers. */
    @Test
    void what_another_release_has_registered_stays() {
        Release release = new Release(controlPlane, Component.HELM, NAMESPACE);
        second("install", Shape.ADMISSION.with(Shape.CHART.toString()));
        try (RunningNodeward other = release.start("nodeward-admission")) {
            await("its webhook").atMost(MachineSuite.PATIENCE).until(() -> registered().size() == 1);
            other.awaitIdle();
        }
        for (String without : List.of("controllers={-admission}", "featureGates.MachineTaintAdmission=false")) {
            release.typed(INSTALL, Shape.ADMISSION.with("--set", without)).orThrow("helm install");
            try (RunningNodeward controller = release.start()) {
                await("a look").atMost(MachineSuite.PATIENCE)
                        .until(() -> controller.metric("workqueue_adds_total{name=\"admission-cleanup\"") == 1);
                controller.awaitIdle();
            }
            assertThat(registered()).as(without).containsExactly("nodeward-admission");
            release.typed(UNINSTALL, "--no-hooks").orThrow("helm uninstall");
        }
        second("upgrade", Shape.ADMISSION.with(Shape.CHART.toString(), "--set", "controllers={-admission}"));
        try (RunningNodeward other = release.start("nodeward-admission")) {
            await("none").atMost(MachineSuite.PATIENCE).until(() -> registered().isEmpty());
            other.awaitIdle();
        }
        second("uninstall", "--no-hooks");
        cleanUp();
    }

    private static void second(String verb, String... more) {
        List<String> words = new ArrayList<>(List.of(verb, "nodeward-admission", "--namespace", NAMESPACE));
        words.addAll(List.of(more));
        controlPlane.helm().run(words.toArray(String[]::new)).orThrow("helm " + verb);
    }

    /** Nobody else than the Job of a release that has the gate off removes what was registered before. */
    @Test
    void an_uninstall_after_a_rollback_whose_pod_never_started_leaves_no_webhook() throws Exception {
        Release release = new Release(controlPlane, Component.HELM, NAMESPACE);
        release.typed(INSTALL, Shape.HOME.with("--set", "featureGates.DedicatedPodAdmission=null")).orThrow("install");
        release.typed(UPGRADE, Shape.HOME.with("--set", FAIL)).orThrow("helm upgrade");
        run(release, true);
        release.typed(ROLLBACK, "1").orThrow("helm rollback");
        assertThat(registered()).hasSize(2);

        CompletableFuture<Command.Result> uninstall = release.typing(UNINSTALL);
        JsonNode pod = release.podOf(JOB);
        assertThat(release.run(pod)).contains("deleted mutatingwebhookconfigurations nodeward-dedicated");
        release.end(pod);
        uninstall.get().orThrow("helm uninstall");
        assertThat(registered()).isEmpty();
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

    /** What a test leaves for the next. */
    private static void cleanUp() {
        new Leftovers(admin()).delete(NAMESPACE);
        if (admin().find(JOB).isPresent()) {
            admin().delete(JOB + "?propagationPolicy=Background");
        }
    }

    private static List<String> registered() {
        return new Leftovers(admin()).registered();
    }

    private static List<String> left() {
        return new Leftovers(admin()).ofReleases();
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
