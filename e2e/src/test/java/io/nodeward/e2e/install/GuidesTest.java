package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Ports;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Who does what the guides say gets a controller that writes: their commands, as they are written, on a server with RBAC. The
 * controller runs as the ServiceAccount that they make, with the rights that they bind, and then from the chart over all of it.
 */
class GuidesTest {
    private static final String SYSTEM = "nodeward-system";
    private static final String GROUP = "/apis/nodeward.io/v1alpha1/dedicatednodes/banana";

    private ControlPlane controlPlane;

    @BeforeEach
    void start() {
        controlPlane = ControlPlane.start(Options.standard());
        admin().create("/api/v1/namespaces", Json.parse("{\"metadata\":{\"name\":\"banana\"}}"));
        admin().create("/api/v1/namespaces/banana/serviceaccounts",
                Json.parse("{\"metadata\":{\"name\":\"default\"}}"));
        Stream.of("foo", "bar", "baz").forEach(node -> admin().create("/api/v1/nodes",
                Json.tree(Map.of("metadata", Map.of("name", node)))));
    }

    @AfterEach
    void stop() {
        controlPlane.close();
    }

    @Test
    void of_dedicated_nodes() {
        Guide guide = Guide.of("dedicated-nodes.md");
        List<String> begin = guide.commands("# Dedicated Nodes");
        type(begin);
        try (RunningNodeward running = run(begin)) {
            controlPlane.kubectl().apply(guide.yaml("## The Nodes foo, bar and baz are for namespace banana"));
            type(guide.commands("## The Nodes foo, bar and baz are for namespace banana"));
            assertThat(taints("foo")).contains("dedicated");
            assertThat(running.metric("nodeward_paused")).isZero();
        }
        admin().create("/api/v1/namespaces/banana/pods", Json.parse(
                "{\"metadata\":{\"name\":\"member\"},\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"i\"}]}}"));
        List<String> pods = guide.commands("## Pods that exist");
        type(pods);
        try (RunningNodeward running = run(pods)) {
            await("the toleration").atMost(MachineSuite.PATIENCE).until(() -> admin()
                    .get("/api/v1/namespaces/banana/pods/member").at("/spec/tolerations").toString()
                    .contains("banana"));
            assertThat(running.metric("nodeward_paused")).isZero();
        }
        List<String> webhooks = guide.commands("## The webhooks");
        controlPlane.kubectl().apply(guide.yaml("## The webhooks"));
        type(webhooks);
        int port = Ports.free();
        try (RunningNodeward running = run(webhooks, "--dedicated-address=127.0.0.1:" + port,
                "--dedicated-service=https://127.0.0.1:" + port)) {
            await("a review").atMost(MachineSuite.PATIENCE)
                    .until(() -> running.metric("nodeward_dedicated_reached") == 1);
            awaitReady();
            assertThat(shell(guide.commands("### Whether API servers reach them").getFirst()))
                    .contains("denied the request: Nodeward got the probe by-hand");
        }
        chart();
    }

    @Test
    void of_device_taints() {
        List<String> begin = Guide.of("device-taints.md").commands("# Device taints");
        type(begin);
        try (RunningNodeward running = run(begin)) {
            controlPlane.kubectl().apply(Guide.of("device-taints.md").yaml("## See what would be evicted"));
            await("the status").atMost(MachineSuite.PATIENCE).until(() -> admin()
                    .get("/apis/nodeward.io/v1alpha1/devicetaintrules/broken").at("/status/conditions").size() > 0);
            assertThat(running.metric("nodeward_paused")).isZero();
        }
        chart();
    }

    @Test
    @Tag("deep")
    void of_a_cluster_without_cluster_api_and_then_helm_3() {
        clusterWithoutClusterApi();
        chart(Component.HELM_3, "");
    }

    @Test
    void of_a_cluster_without_cluster_api() {
        clusterWithoutClusterApi();
        chart();
    }

    private void clusterWithoutClusterApi() {
        List<String> begin = Guide.of("home-cluster.md").commands("# Without Cluster API, or without Secrets");
        type(begin);
        Guide groups = Guide.of("dedicated-nodes.md");
        try (RunningNodeward running = run(begin)) {
            controlPlane.kubectl().apply(groups.yaml("## The Nodes foo, bar and baz are for namespace banana"));
            awaitReady();
            assertThat(running.metric("nodeward_paused")).isZero();
        }
    }

    private void chart() {
        chart(Component.HELM, " --force-conflicts");
    }

    /** Does the guide's command and starts what the Deployment says. */
    private void chart(Component helm, String more) {
        Release release = new Release(controlPlane, helm, SYSTEM);
        release.typed("helm install nodeward deploy/chart --namespace nodeward-system --take-ownership" + more
                + " --values deploy/chart/ci/home.yaml").orThrow("helm install");
        try (RunningNodeward running = release.start()) {
            assertThat(running.metric("nodeward_paused")).isZero();
        }
    }

    /** Types all commands but those that start a controller. */
    private void type(List<String> commands) {
        commands.stream().filter(command -> command.startsWith("kubectl ")).forEach(this::typed);
    }

    private void typed(String command) {
        controlPlane.kubectl().shell("cd " + Path.of("..").toAbsolutePath().normalize() + "; " + command)
                .orThrow(command);
    }

    /** Returns what it says, be it an error. */
    private String shell(String command) {
        return controlPlane.kubectl().shell(command).err();
    }

    /** Runs the last controller of the commands, where API servers reach it here. */
    private RunningNodeward run(List<String> commands, String... more) {
        List<String> words = List.of(commands.stream().filter(command -> command.startsWith("nodeward controller "))
                .findFirst().orElseThrow().split(" +"));
        return RunningNodeward.startUnready(
                controlPlane.file(controlPlane.kubeconfigForServiceAccount(SYSTEM, "nodeward")),
                Stream.concat(words.subList(2, words.size()).stream(), Stream.of(more)).toArray(String[]::new))
                .awaitReady();
    }

    private void awaitReady() {
        await("Ready").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(admin().get(GROUP)
                .at("/status/conditions").valueStream().filter(each -> each.path("type").asText().equals("Ready"))
                .map(each -> each.path("status").asText() + each.path("observedGeneration"))
                .toList()).containsExactly("True" + admin().get(GROUP).at("/metadata/generation")));
    }

    private List<String> taints(String node) {
        return admin().get("/api/v1/nodes/" + node).at("/spec/taints").valueStream()
                .map(taint -> taint.path("key").asText()).toList();
    }

    private AdminClient admin() {
        return controlPlane.admin();
    }
}
