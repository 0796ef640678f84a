package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Command;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Helm;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The life of a release, by each of Helm's versions. No pod runs here. */
@Tag("deep")
class InstallTest {
    private static final String NAMESPACE = "nodeward-system";
    private static final String CRD =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/dedicatednodes.nodeward.io";
    private static final String GROUPS = "/apis/nodeward.io/v1alpha1/dedicatednodes";
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/" + NAMESPACE + "/deployments/nodeward";
    private static final String ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/nodeward-dedicated";

    private static ControlPlane controlPlane;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        controlPlane = ControlPlane.start(Options.standard());
    }

    @AfterAll
    static void stop() {
        controlPlane.close();
    }

    @ParameterizedTest
    @EnumSource(names = "HELM.*", mode = EnumSource.Mode.MATCH_ALL)
    void a_release_is_installed_upgraded_with_its_crds_and_leaves_these_behind(Component version) throws IOException {
        Helm helm = controlPlane.helm(version);
        helm("install", helm, OlderChart.in(directory), "--create-namespace");
        assertThat(admin().get(DEPLOYMENT).at("/spec/template/spec/serviceAccountName").asText()).isEqualTo("nodeward");
        assertThat(admin().find(ROLE)).isPresent();
        assertThat(columns()).isNotEmpty().doesNotContain("Taint");
        admin().createIfAbsent(GROUPS, Json.parse("""
                {"apiVersion":"nodeward.io/v1alpha1","kind":"DedicatedNodes","metadata":{"name":"kept"},
                "spec":{"shared":true,"taint":{"key":"k","effects":["NoSchedule"]}}}"""));

        helm("upgrade", helm, Shape.CHART);
        assertThat(columns()).contains("Taint");
        assertThat(strategy()).as("a pod without leader election runs").isEqualTo("Recreate");
        helm("upgrade", helm, Shape.CHART);
        assertThat(strategy()).as("it may still run").isEqualTo("Recreate");

        reportUpdated();
        helm("upgrade", helm, Shape.CHART, "--set", "replicas=1");
        assertThat(strategy()).isEqualTo("RollingUpdate");
        assertThat(replicas("")).isEqualTo(1);
        helm.run("rollback", "nodeward", "--namespace", NAMESPACE).orThrow("helm rollback");
        assertThat(replicas("")).isEqualTo(2);

        uninstall(helm, "nodeward");
        assertThat(admin().find(DEPLOYMENT)).isEmpty();
        assertThat(admin().find(ROLE)).isEmpty();
        assertThat(admin().find(GROUPS + "/kept")).as("no object goes with the release").isPresent();

        helm("install", helm, Shape.CHART);
        assertThat(admin().find(DEPLOYMENT)).as("the CRDs that stayed are in nobody's way").isPresent();
        assertThat(crds()).isNotEmpty().allMatch(name -> name.endsWith(".nodeward.io"));
        uninstall(helm, "nodeward");
    }

    /** The guide has it, to give admission a ServiceAccount of its own. */
    @ParameterizedTest
    @EnumSource(names = "HELM.*", mode = EnumSource.Mode.MATCH_ALL)
    void a_second_release_runs_beside_the_first(Component version) {
        Release release = new Release(controlPlane, version, NAMESPACE);
        release.typed("helm install nodeward deploy/chart --namespace nodeward-system --create-namespace")
                .orThrow("helm install");
        release.typed("helm install nodeward-admission deploy/chart --namespace nodeward-system"
                + " --values deploy/chart/ci/admission.yaml").orThrow("helm install of a second release");
        assertThat(replicas("-admission")).isEqualTo(2);

        uninstall(controlPlane.helm(version), "nodeward-admission");
        assertThat(admin().find(DEPLOYMENT)).isPresent();
        assertThat(crds()).isNotEmpty();
        uninstall(controlPlane.helm(version), "nodeward");
    }

    /** No pod runs that would have registered anything. */
    private static void uninstall(Helm helm, String release) {
        helm.run("uninstall", release, "--namespace", NAMESPACE, "--no-hooks").orThrow("helm uninstall");
    }

    private static int replicas(String release) {
        return admin().get(DEPLOYMENT + release).at("/spec/replicas").asInt();
    }

    private static List<String> crds() {
        List<String> names = new ArrayList<>();
        admin().get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions").path("items")
                .forEach(crd -> names.add(crd.at("/metadata/name").asText()));
        return names;
    }

    private static String strategy() {
        return admin().get(DEPLOYMENT).at("/spec/strategy/type").asText();
    }

    /** Writes what kube-controller-manager does when a pod of the present template runs. */
    private static void reportUpdated() {
        admin().mergePatch(DEPLOYMENT + "/status",
                Json.tree(Map.of("status", Map.of("replicas", 1, "updatedReplicas", 1,
                        "observedGeneration", admin().get(DEPLOYMENT).at("/metadata/generation").asInt()))).toString());
    }

    private static List<String> columns() {
        List<String> names = new ArrayList<>();
        for (JsonNode column : admin().get(CRD).at("/spec/versions/0/additionalPrinterColumns")) {
            names.add(column.path("name").asText());
        }
        return names;
    }

    private static void helm(String verb, Helm helm, Path chart, String... more) {
        List<String> words = new ArrayList<>(List.of(verb, "nodeward", chart.toString(), "--namespace", NAMESPACE));
        words.addAll(List.of(more));
        Command.Result result = helm.run(Shape.HOME.with(words.toArray(String[]::new))).orThrow("helm " + verb);
        assertThat(result.out()).contains("with the controllers: dedicated devices.",
                "It registers webhooks itself: dedicated. To turn one off, set its feature gate to false");
    }

    private static AdminClient admin() {
        return controlPlane.admin();
    }
}
