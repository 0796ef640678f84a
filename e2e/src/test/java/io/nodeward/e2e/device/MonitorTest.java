package io.nodeward.e2e.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubectl;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of a health monitor, with the rights of its role, on a cluster whose devices are in use. */
@Tag("deep")
class MonitorTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "device-monitor").toAbsolutePath();
    private static final String SLICE = "health-node-1";
    private static final String NODE = "/api/v1/nodes/node-1";

    private static DeviceSuite suite;
    private static LoggedProcess garbageCollector;
    private static RunningNodeward nodeward;

    @TempDir
    private static Path directory;

    @BeforeAll
    static void start() throws IOException {
        suite = DeviceSuite.scheduled();
        garbageCollector = suite.controlPlane().controllerManager(List.of("garbage-collector-controller"));
        nodeward = suite.run();
        suite.admin().create("/apis/rbac.authorization.k8s.io/v1/clusterroles",
                Json.yaml(Files.readString(EXAMPLE.resolve("role.yaml"))).getFirst());
        suite.user("monitor", SLICE.replace("health", "health-monitor"));
    }

    @AfterAll
    static void stop() throws Exception {
        nodeward.close();
        garbageCollector.close();
        suite.stop();
    }

    /** Starts the monitor with the rights of its role alone. */
    private static LoggedProcess monitor(Path source) {
        Kubectl kubectl = suite.kubectl();
        return LoggedProcess.start("monitor", List.of(EXAMPLE.resolve("monitor.sh").toString(), SLICE,
                "health.example.com/ecc", source.toString()),
                Map.of("KUBECTL", kubectl.program() + " --as=monitor --cache-dir=" + directory, "HOME",
                        directory.toString(), "KUBECONFIG", kubectl.kubeconfig().toString()),
                directory);
    }

    private static void say(Path source, String... lines) throws IOException {
        Path next = Files.writeString(directory.resolve("next"), String.join("\n", lines) + "\n");
        Files.move(next, source, StandardCopyOption.ATOMIC_MOVE);
    }

    private static void awaitPods(String... left) {
        await("pods").atMost(MachineSuite.PATIENCE)
                .untilAsserted(() -> assertThat(suite.pods()).containsExactlyInAnyOrder(left));
    }

    private static void awaitTaints(int count) {
        await("taints").atMost(MachineSuite.PATIENCE).untilAsserted(() -> {
            JsonNode slice = suite.taintSlice(SLICE);
            assertThat(slice.at("/spec/taints")).hasSize(count);
            assertThat(slice.at("/status/observedGeneration")).isEqualTo(slice.at("/metadata/generation"));
        });
    }

    private static String event(String pod) {
        return suite.admin().get("/api/v1/namespaces/ml/events").path("items").valueStream()
                .filter(event -> event.at("/involvedObject/name").asText().equals(pod))
                .map(event -> event.path("message").asText()).filter(message -> message.startsWith("evicted by"))
                .findFirst().orElse("");
    }

    @Test
    void devices_get_and_lose_their_taints_as_the_source_says_and_the_slice_ends_with_its_node() throws Exception {
        suite.pods("node-1", 3, "[]");
        suite.taintSlice(SLICE, "node-1", "[]");
        suite.admin().mergePatch("/apis/nodeward.io/v1alpha1/devicetaintslices/" + SLICE, DeviceSuite.parse("""
                {'metadata':{'ownerReferences':[{'apiVersion':'v1','kind':'Node','name':'node-1','uid':'%s'}]}}"""
                .formatted(suite.admin().get(NODE).at("/metadata/uid").asText())).toString());
        Path source = directory.resolve("health");
        try (LoggedProcess monitor = monitor(source)) {
            say(source, "d0 NoExecute 3 uncorrectable errors", "d1 None warm", "D2 NoExecute no device", "end");
            awaitPods("node-1-1", "node-1-2");
            assertThat(event("node-1-0")).endsWith("(3 uncorrectable errors)");
            awaitTaints(2);
            assertThat(suite.taintSlice(SLICE).at("/status/poolGeneration").asInt()).isEqualTo(1);
            assertThat(suite.serverRules(SLICE)).hasSize(1);

            for (String half : List.of("", "d0 NoExecute", "<html>")) {
                AuditLog.Mark mark = suite.mark();
                say(source, half);
                suite.awaitQuiet(mark, "pods", Duration.ofSeconds(3));
                assertThat(suite.taintSlice(SLICE).at("/spec/taints")).as("no answer: " + half).hasSize(2);
            }
            say(source, "end");
            awaitTaints(0);
            await("rules").atMost(MachineSuite.PATIENCE).until(() -> suite.serverRules(SLICE).isEmpty());
            say(source, "d1 NoSchedule", "end");
            awaitTaints(1);
            assertThat(monitor.isAlive()).as(monitor.tail()).isTrue();
            assertThat(monitor.tail()).contains("left out: D2 NoExecute no device").doesNotContain("forbidden");
        }
        assertThat(suite.pods()).containsExactlyInAnyOrder("node-1-1", "node-1-2");
        suite.admin().delete(NODE);
        await("the slice").atMost(Duration.ofMinutes(2)).untilAsserted(() -> assertThat(suite.admin()
                .get("/apis/nodeward.io/v1alpha1/devicetaintslices").path("items")).isEmpty());
        await("its rules").atMost(MachineSuite.PATIENCE).until(() -> suite.serverRules(SLICE).isEmpty());
    }
}
