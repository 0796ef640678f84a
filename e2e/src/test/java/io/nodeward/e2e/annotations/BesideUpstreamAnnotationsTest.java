package io.nodeward.e2e.annotations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.ClusterApiRelease;
import io.nodeward.e2e.controlplane.ClusterApiWebhooks;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Options;
import io.nodeward.e2e.controlplane.Upstream;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import io.nodeward.e2e.machinepool.Pools;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Taints declared by annotation on a MachineDeployment, which the upstream manager carries to its Machines, and on a
 * MachinePool without Machines: with its webhooks in the path, its gate off as it is by default, and on; and that of older
 * releases. Our own gates are on, off in turn, and on again.
 */
@Tag("deep")
class BesideUpstreamAnnotationsTest {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int REPLICAS = 3;
    private static final String GROUP = "infrastructure.cluster.x-k8s.io";
    private static final String POOLS = "--feature-gates=MachinePoolTaintPropagation=true";
    private static final String MACHINE_POOLS = "/apis/cluster.x-k8s.io/v1beta2/machinepools";
    private static final String POOL = "annotations-pool";
    private static final String ANNOTATION = "taint.nodeward.io/gpu";
    private static final String A100 = "example.com/gpu=a100:NoSchedule";
    private static final String H100 = "example.com/gpu=h100:NoSchedule";
    private static final String B200 = "example.com/gpu=b200:NoSchedule";

    private MachineSuite suite;
    private Pools pools;

    @ParameterizedTest
    @CsvSource({"LATEST,false", "LATEST,true", "V1_13,false", "V1_13,true", "V1_12,false", "V1_12,true"})
    void an_edit_reaches_nodes_of_deployments_and_pools_in_place(ClusterApiRelease release, boolean gate) {
        // On servers of its own: a release brings its own CRDs, and its webhooks are in the path of all requests.
        try (ControlPlane controlPlane = ControlPlane.start(Options.standard());
                MachineSuite opened =
                        MachineSuite.on(controlPlane, release, "annotations").allow("machinepool", MACHINE_POOLS);
                Pools openedPools = new Pools(opened, "c")) {
            suite = opened;
            pools = openedPools;
            suite.fleet().cluster("c", controlPlane.kubeconfigForUser("upstream", List.of("system:masters")));
            try (Upstream upstream = Upstream.start(controlPlane, release, "MachineTaintPropagation=" + gate);
                    ClusterApiWebhooks webhooks = upstream.install(suite.admin());
                    Provider provider = new Provider(suite)) {
                awaitWebhooks();
                create();
                assertThat(specIsAccepted("machinedeployments/workers")).isEqualTo(gate);
                assertThat(specIsAccepted("machinepools/" + POOL)).isFalse();
                edits();
                upstream.stop();
            }
        }
    }

    private void edits() {
        Map<String, String> before;
        try (RunningNodeward nodeward = suite.start(POOLS)) {
            awaitTaints(); // all Nodes are initialized
            before = machines();
            annotate(A100);
            awaitTaints(A100);
            assertThat(nodeward.isReady()).isTrue();
        }
        withoutGateOfPools();
        withoutGateOfTaints();
        try (RunningNodeward onAgain = suite.start(POOLS)) {
            awaitTaints(B200);
            annotate(null);
            awaitTaints();
            assertThat(onAgain.isReady()).isTrue();
        }
        assertThat(machines()).isEqualTo(before);
        assertThat(items("machinesets")).hasSize(1);
    }

    private void withoutGateOfPools() {
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start()) {
            annotate(H100);
            await("taints").atMost(PATIENCE).untilAsserted(() -> assertMachinesHave(H100));
            assertThat(suite.settledSince(mark)).noneMatch(r -> r.isWrite() && r.name().startsWith(POOL));
            // What is changed there does not reach the controller: no canary could tell when it has.
            assertThat(suite.watchedSince(mark)).contains("machines").doesNotContain("machinepools");
            assertPoolHas(A100);
            assertThat(nodeward.isReady()).isTrue();
        }
    }

    private void withoutGateOfTaints() {
        annotate(B200);
        await("upstream").atMost(PATIENCE).until(() -> items("machines").stream()
                .allMatch(machine -> machine.at("/metadata/annotations").path(ANNOTATION).asText().equals(B200)));
        AuditLog.Mark mark = suite.mark();
        try (RunningNodeward nodeward = suite.start(POOLS + ",MachineTaintPropagation=false")) {
            // The manager would answer a canary as well: that it has seen all and is idle shows it.
            await("Nodes").atMost(PATIENCE)
                    .until(() -> nodeward.metric("nodeward_nodes ") == REPLICAS + Provider.POOL_SIZE);
            assertThat(suite.settledSince(mark)).isNotEmpty().noneMatch(AuditRequest::isWrite);
            assertThat(nodeward.isReady()).isTrue();
        }
        assertMachinesHave(H100);
        assertPoolHas(A100);
    }

    /**
     * The API server learns of them through a watch of its own. The mutating one gives every MachineDeployment this label;
     * the validating one refuses a template of another Cluster.
     */
    private void awaitWebhooks() {
        await("webhooks").atMost(PATIENCE).until(() -> {
            AdminClient.Reply good = dryRun(deployment(Map.of()));
            return good.isOk() && good.body().at("/metadata/labels").has("cluster.x-k8s.io/cluster-name")
                    && !dryRun(deployment(Map.of("clusterName", "another"))).isOk();
        });
    }

    private AdminClient.Reply dryRun(JsonNode deployment) {
        return suite.admin().send("POST", suite.clusterApi() + "/machinedeployments?dryRun=All", AdminClient.JSON,
                deployment.toString());
    }

    private void create() {
        suite.admin().create("/apis/" + GROUP + "/v1beta1/namespaces/" + suite.fleet().namespace()
                + "/genericinfrastructuremachinetemplates",
                Json.tree(Map.of(
                        "apiVersion", GROUP + "/v1beta1", "kind", "GenericInfrastructureMachineTemplate",
                        "metadata", Map.of("name", "workers"),
                        "spec", Map.of("template", Map.of("spec", Map.of())))));
        suite.admin().create(suite.clusterApi() + "/machinedeployments", deployment(Map.of("replicas", REPLICAS)));
        pools.create(POOL, Provider.POOL_SIZE);
    }

    private static JsonNode deployment(Map<String, Object> more) {
        Map<String, Object> spec = new TreeMap<>(more);
        Map<String, String> labels = Map.of("cluster.x-k8s.io/cluster-name", "c", "example.com/md", "workers");
        spec.putIfAbsent("clusterName", "c");
        spec.put("selector", Map.of("matchLabels", labels));
        spec.put("template", Map.of("metadata", Map.of("labels", labels), "spec", Map.of(
                "clusterName", "c",
                "version", "v1.36.3",
                "bootstrap", Map.of("dataSecretName", "bootstrap"),
                "infrastructureRef", Map.of(
                        "apiGroup", GROUP, "kind", "GenericInfrastructureMachineTemplate", "name", "workers"))));
        return Json.tree(Map.of("apiVersion", "cluster.x-k8s.io/v1beta2", "kind", "MachineDeployment",
                "metadata", Map.of("name", "workers"), "spec", spec));
    }

    private boolean specIsAccepted(String object) {
        return suite.admin().send("PATCH", suite.clusterApi() + "/" + object + "?dryRun=All",
                AdminClient.MERGE_PATCH, "{\"spec\":{\"template\":%s}}".formatted(Taints.patch(A100 + ":Always")))
                .isOk();
    }

    /** Null for no taint. */
    private void annotate(@Nullable String taint) {
        String text = taint == null ? "null" : '"' + taint + '"';
        for (String object : List.of("machinedeployments/workers", "machinepools/" + POOL)) {
            suite.admin().mergePatch(suite.clusterApi() + "/" + object,
                    "{\"spec\":{\"template\":{\"metadata\":{\"annotations\":{\"%s\":%s}}}}}".formatted(ANNOTATION,
                            text));
        }
    }

    private void awaitTaints(String... taints) {
        await("taints").atMost(PATIENCE).untilAsserted(() -> {
            assertMachinesHave(taints);
            assertPoolHas(taints);
        });
    }

    private void assertMachinesHave(String... taints) {
        assertThat(machines().keySet()).hasSize(REPLICAS).allSatisfy(name -> {
            assertThat(suite.machine(name).at("/status/nodeRef/name").asText()).isNotEmpty();
            String node = suite.machine(name).at("/spec/infrastructureRef/name").asText();
            assertThat(Taints.on(suite.node(node))).containsExactly(taints);
        });
    }

    private void assertPoolHas(String... taints) {
        assertThat(Provider.poolNodes(POOL))
                .allSatisfy(node -> assertThat(Taints.on(suite.node(node))).containsExactly(taints));
    }

    /** Their uids by name. */
    private Map<String, String> machines() {
        Map<String, String> machines = new TreeMap<>();
        items("machines").forEach(machine -> machines.put(
                machine.at("/metadata/name").asText(), machine.at("/metadata/uid").asText()));
        return machines;
    }

    private List<JsonNode> items(String plural) {
        return suite.admin().get(suite.clusterApi() + "/" + plural).path("items").valueStream().toList();
    }
}
