package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.LoggedProcess;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
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

    private static final String TAINT = "example.com/load=%d:NoSchedule";
    private static final int NODES = 50;
    /** The guide promises it. */
    private static final Duration AFTER_RELEASE = Duration.ofSeconds(5);

    @TempDir
    private Path directory;

    private final ControlPlane controlPlane = ControlPlane.start(Options.standard());
    private final LoggedProcess manager =
            controlPlane.controllerManager(List.of("deployment-controller", "replicaset-controller"));
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
        install(Shape.ADMISSION.with());
        rollOut();
        await("its webhook").atMost(MachineSuite.PATIENCE).until(() -> new Leftovers(admin).registered().size() == 1);
        List<String> before = List.copyOf(running.keySet());

        release.typed("helm upgrade nodeward deploy/chart --namespace nodeward-system",
                Shape.ADMISSION.with("--set", "featureGates.MachineTaintAdmission=false")).orThrow("helm upgrade");
        rollOut();
        assertThat(running.keySet()).hasSize(2).doesNotContainAnyElementsOf(before);
        // The one that leads next deletes it.
        await("no webhook").atMost(MachineSuite.PATIENCE).until(() -> new Leftovers(admin).registered().isEmpty());
    }

    /** New values come to the Nodes all the time. */
    @Test
    void a_rolling_restart_of_two_replicas_loses_nothing_and_leaves_no_gap() {
        ClusterApiCrds.install(admin);
        install();
        try (Fleet fleet = Fleet.in(admin, "rollout")) {
            fleet.cluster("c", controlPlane.adminKubeconfig());
            IntStream.range(0, NODES).forEach(i -> fleet
                    .pair(Taints.declare(MachineSpec.named(node(i), "c"), TAINT.formatted(0) + ":Always")));
            rollOut();
            awaitTaints(0);
            List<String> before = List.copyOf(running.keySet());
            AuditLog.Mark mark = controlPlane.audit().mark();

            AtomicBoolean restarted = new AtomicBoolean();
            CompletableFuture<Integer> edits = CompletableFuture.supplyAsync(() -> edit(fleet, restarted),
                    Thread::startVirtualThread);
            try {
                release.typed(
                        "helm upgrade nodeward deploy/chart --namespace nodeward-system --reset-then-reuse-values",
                        "--set", "podAnnotations.restarted=once").orThrow("helm upgrade");
                rollOut();
            } finally {
                restarted.set(true);
            }
            awaitTaints(edits.join());
            assertThat(running.keySet()).hasSize(2).doesNotContainAnyElementsOf(before);
            assertInOrderWithoutGap(controlPlane.audit().since(mark).filter(request -> request.code() == 200
                    && request.is("patch", "nodes") && request.userAgent().startsWith("nodeward/")).toList());
        }
    }

    /** Its pods write without a Lease. A finalizer keeps them, as their kubelet does until their processes have ended. */
    @Test
    void pods_of_a_chart_without_leader_election_end_before_others_begin() throws IOException {
        createNamespace();
        controlPlane.helm(Component.HELM).run(Shape.ADMISSION.with("install", "nodeward",
                OlderChart.in(directory).toString(), "--namespace", NAMESPACE)).orThrow("helm install");
        rollOut();
        List<String> before = List.copyOf(running.keySet());
        before.forEach(pod -> admin.mergePatch(PODS + "/" + pod, "{\"metadata\":{\"finalizers\":[\"e2e/ends\"]}}"));

        release.typed("helm upgrade nodeward deploy/chart --namespace nodeward-system", Shape.ADMISSION.with())
                .orThrow("helm upgrade");
        await("their end").atMost(MachineSuite.PATIENCE).until(() -> before.stream()
                .allMatch(pod -> admin.get(PODS + "/" + pod).at("/metadata/deletionTimestamp").isTextual()));
        Instant told = Instant.now();
        await("others that might begin").until(() -> Instant.now().isAfter(told.plusSeconds(2)));
        Instant ended = Instant.now().truncatedTo(ChronoUnit.SECONDS);
        before.forEach(pod -> admin.mergePatch(PODS + "/" + pod, "{\"metadata\":{\"finalizers\":null}}"));
        rollOut();
        assertThat(running.keySet()).hasSize(2).doesNotContainAnyElementsOf(before);
        assertThat(running.keySet()).allSatisfy(pod -> assertThat(
                Instant.parse(admin.get(PODS + "/" + pod).at("/metadata/creationTimestamp").asText()))
                .isAfterOrEqualTo(ended));
    }

    private void awaitTaints(int value) {
        await("the taints").atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(IntStream.range(0, NODES)
                .mapToObj(i -> Taints.on(admin.get(Fleet.nodePath(node(i))))))
                .containsOnly(List.of(TAINT.formatted(value))));
    }

    private static void assertInOrderWithoutGap(List<AuditRequest> writes) {
        Map<String, List<Integer>> values = writes.stream().collect(Collectors.groupingBy(AuditRequest::name,
                Collectors.mapping(RolloutTest::value, Collectors.toList())));
        assertThat(values).hasSize(NODES);
        assertThat(values).allSatisfy((node, all) -> assertThat(all).isSorted().doesNotHaveDuplicates());
        List<Instant> times = writes.stream().map(AuditRequest::at).sorted().toList();
        assertThat(IntStream.range(1, times.size()).mapToObj(i -> Duration.between(times.get(i - 1), times.get(i))))
                .allSatisfy(gap -> assertThat(gap).isLessThan(AFTER_RELEASE));
    }

    /** Gives all Machines one value after the other. Returns the last value. */
    private int edit(Fleet fleet, AtomicBoolean end) {
        int value = 0;
        while (!end.get()) {
            String taint = Taints.patch(TAINT.formatted(++value) + ":Always");
            IntStream.range(0, NODES).forEach(i -> admin.mergePatch(fleet.machinePath(node(i)), taint));
        }
        return value;
    }

    private static int value(AuditRequest write) {
        return write.written().at("/spec/taints/0/value").asInt();
    }

    private static String node(int i) {
        return "rollout-" + i;
    }

    private void createNamespace() {
        admin.create("/api/v1/namespaces", Json.tree(Map.of("metadata", Map.of("name", NAMESPACE))));
    }

    private void install(String... values) {
        createNamespace();
        release.typed("helm install nodeward deploy/chart --namespace nodeward-system", values).orThrow("helm install");
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
