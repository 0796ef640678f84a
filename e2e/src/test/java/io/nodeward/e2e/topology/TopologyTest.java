package io.nodeward.e2e.topology;

import static io.nodeward.e2e.machine.Taints.UNINITIALIZED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Taints on their way from Clusters to Machines, on a real API server with Cluster API's CRDs and nobody else. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopologyTest {
    static final String RIGHTS = "/apis/cluster.x-k8s.io/v1beta2/clusterclasses";
    private static final String GATE = "--feature-gates=TopologyTaintPropagation=true,MachinePoolTaintPropagation=true";
    private static final String A = "example.com/a=class:NoSchedule:Always";
    private static final String A_OF_CLUSTER = "example.com/a=cluster:NoSchedule:OnInitialization";
    private static final String B = "example.com/b:NoExecute:Always";
    private static final String C = "example.com/c=1:PreferNoSchedule:Always";

    /** Bound as it is: nobody aggregates roles on these servers. */
    private static final Path LEGACY_RIGHTS =
            Path.of("src", "test", "resources", "io", "nodeward", "e2e", "topology", "legacy-control-planes.yaml");

    private final MachineSuite suite =
            MachineSuite.in("topologies").allow("topology", RIGHTS).allow("machinepool", RIGHTS);
    private final Topologies topologies = new Topologies(suite);
    private RunningNodeward nodeward;

    /** Who declares taints, and what is to come of it. */
    enum Row {
        NOBODY(List.of(), List.of(), List.of()),
        THE_CLASS_ALONE(List.of(A, B), List.of(), List.of(A, B)),
        THE_CLUSTER_ALONE(List.of(), List.of(A_OF_CLUSTER), List.of(A_OF_CLUSTER)),
        BOTH(List.of(A, B), List.of(A_OF_CLUSTER, C), List.of(A_OF_CLUSTER, B, C));

        final List<String> ofClass;
        final List<String> ofCluster;
        final List<String> merged;

        Row(List<String> ofClass, List<String> ofCluster, List<String> merged) {
            this.ofClass = ofClass;
            this.ofCluster = ofCluster;
            this.merged = merged;
        }

        String cluster() {
            return "row-" + ordinal();
        }
    }

    @BeforeAll
    void start() {
        suite.allow(LEGACY_RIGHTS, "clusterclasses");
        suite.cluster("plain");
        suite.add(new TopologyCanary(suite, topologies, "plain"));
        nodeward = suite.start(GATE, "--blocked-after=3s");
    }

    @AfterAll
    void stop() {
        nodeward.close();
        topologies.close();
        suite.close();
    }

    @ParameterizedTest
    @EnumSource
    void each_row_of_the_merge_reaches_all_three_places_and_leaves_no_field_behind(Row row) {
        String name = row.cluster();
        AuditLog.Mark mark = suite.settled();
        topologies.create(name, Topologies.KUBEADM, row.ofClass, row.ofCluster);
        List<String> places = List.of(Topologies.KUBEADM, "machinedeployments", "machinepools");
        places.forEach(place -> awaitTaints(place, name, row.merged));
        Map<String, String> before = uids(places, name);
        assertThat(writes(mark)).as("equal lists cost nothing").hasSize(row.merged.isEmpty() ? 0 : 3)
                .allMatch(write -> write.code() == 200);

        topologies.declareByCluster(name, List.of());
        places.forEach(place -> awaitTaints(place, name, row.ofClass));
        topologies.declareByClass(name, List.of());
        places.forEach(place -> {
            awaitTaints(place, name, List.of());
            assertThat(topologies.list(place, name).isMissingNode()).isTrue();
        });
        assertThat(uids(places, name)).isEqualTo(before);
    }

    @Test
    void a_provider_of_the_older_contract_has_them_in_its_older_place() {
        topologies.create("legacy", Topologies.LEGACY, List.of(A), List.of(A_OF_CLUSTER, C));
        awaitTaints(Topologies.LEGACY, "legacy", List.of(A_OF_CLUSTER, C));
        topologies.declareByCluster("legacy", List.of());
        awaitTaints(Topologies.LEGACY, "legacy", List.of(A));
        topologies.declareByClass("legacy", List.of());
        awaitTaints(Topologies.LEGACY, "legacy", List.of());
    }

    @Test
    void a_provider_without_the_field_is_left_alone_and_named() {
        topologies.create("without", "", List.of(A), List.of());
        awaitTaints("machinedeployments", "without", List.of(A));
        await("event").atMost(MachineSuite.PATIENCE).until(() -> !suite.warnings("Cluster", "without").isEmpty());
        assertThat(suite.warnings("Cluster", "without")).singleElement().satisfies(warning -> {
            assertThat(warning.getKey()).isEqualTo("ControlPlaneWithoutTaints");
            assertThat(warning.getValue()).contains("GenericControlPlane without", "contract");
        });
        assertThat(blocked("clusters", "without")).containsExactly("ControlPlaneWithoutTaints");
        topologies.declareByClass("without", List.of());
        await("its end").atMost(MachineSuite.PATIENCE).until(() -> blocked("clusters", "without").isEmpty());
    }

    @Test
    void a_deployment_reaches_the_nodes_of_its_old_and_new_sets_in_place() {
        JsonNode deployment = topologies.deployment("plain", "rolling");
        for (String set : List.of("rolling-old", "rolling-new")) {
            JsonNode made = topologies.set("plain", set, deployment);
            topologies.machine("plain", "topologies-" + set, made);
        }
        List<String> kinds = List.of("machinesets", "machines");
        suite.settled();
        Map<String, String> before = uids(kinds, "rolling");
        topologies.declare("machinedeployments", "rolling", A, B);
        for (String node : List.of("topologies-rolling-old", "topologies-rolling-new")) {
            awaitNode(node, "example.com/a=class:NoSchedule", "example.com/b:NoExecute");
        }
        AuditLog.Mark mark = suite.settled();
        topologies.declare("machinedeployments", "rolling", "example.com/a=2:NoSchedule:Always");
        for (String node : List.of("topologies-rolling-old", "topologies-rolling-new")) {
            awaitNode(node, "example.com/a=2:NoSchedule");
        }
        assertThat(writes(mark)).as("two sets, two Machines, two Nodes").hasSize(6);
        assertThat(uids(kinds, "rolling")).isEqualTo(before).hasSize(4);
        topologies.declare("machinedeployments", "rolling");
        awaitNode("topologies-rolling-old");
        assertThat(topologies.list("machines", "topologies-rolling-old").isMissingNode()).isTrue();
    }

    @Test
    void what_a_set_and_a_machine_were_made_with_follows_an_edit_and_a_removal() {
        JsonNode deployment = topologies.deployment("plain", "scaled");
        JsonNode set = topologies.set("plain", "scaled", deployment);
        topologies.declare("machinesets", "scaled", A); // as whoever makes it from a template
        topologies.machine("plain", "topologies-scaled", set, A);
        topologies.declare("machinedeployments", "scaled", A);
        awaitOwned("machinesets", "scaled");
        awaitOwned("machines", "topologies-scaled");

        String changed = "example.com/a=2:NoSchedule:OnInitialization";
        topologies.declare("machinedeployments", "scaled", changed, B);
        awaitTaints("machines", "topologies-scaled", List.of(changed, B));
        topologies.declare("machinedeployments", "scaled", "example.com/a:NoSchedule:Always", B);
        awaitTaints("machines", "topologies-scaled", List.of("example.com/a:NoSchedule:Always", B));
        topologies.declare("machinedeployments", "scaled");
        awaitTaints("machines", "topologies-scaled", List.of());
        assertThat(topologies.list("machines", "topologies-scaled").isMissingNode()).isTrue();
        suite.settled();
        assertThat(suite.warnings("MachineSet", "scaled")).isEmpty();
    }

    private void awaitOwned(String plural, String name) {
        await(plural + " " + name).atMost(MachineSuite.PATIENCE)
                .until(() -> managersOf(plural, name).contains("nodeward-topology"));
    }

    @Test
    void a_pool_reaches_the_nodes_of_its_machines() {
        JsonNode pool = topologies.pool("plain", "pooled");
        topologies.machine("plain", "topologies-pooled-0", pool);
        topologies.machine("plain", "topologies-pooled-1", pool);
        topologies.declare("machinepools", "pooled", A);
        awaitNode("topologies-pooled-0", "example.com/a=class:NoSchedule");
        awaitNode("topologies-pooled-1", "example.com/a=class:NoSchedule");
        assertThat(managersOf("machines", "topologies-pooled-0")).containsExactly("nodeward-machinepool");
        topologies.declare("machinepools", "pooled");
        awaitNode("topologies-pooled-1");
    }

    @Test
    void entries_of_others_survive_an_edit_and_a_removal() {
        JsonNode deployment = topologies.deployment("plain", "shared");
        topologies.set("plain", "shared", deployment);
        topologies.declare("machinedeployments", "shared", A, B);
        awaitTaints("machinesets", "shared", List.of(A, B));
        topologies.apply("machinesets", "MachineSet", "shared", "operator", C);
        topologies.declare("machinedeployments", "shared", B);
        awaitTaints("machinesets", "shared", List.of(B, C));
        topologies.declare("machinedeployments", "shared");
        awaitTaints("machinesets", "shared", List.of(C));
        assertThat(managersOf("machinesets", "shared")).containsExactly("operator");
    }

    @Test
    void what_another_manager_takes_over_is_let_go_without_a_gap_and_then_left_to_it() {
        JsonNode deployment = topologies.deployment("plain", "handed");
        topologies.set("plain", "handed", deployment);
        topologies.declare("machinedeployments", "handed", A, B);
        awaitTaints("machinesets", "handed", List.of(A, B));
        topologies.apply("machinesets", "MachineSet", "handed", "capi-machinedeployment", A, B);
        await("let go").atMost(MachineSuite.PATIENCE)
                .until(() -> managersOf("machinesets", "handed").equals(List.of("capi-machinedeployment")));
        assertThat(topologies.taints("machinesets", "handed")).containsExactly(A, B);

        AuditLog.Mark mark = suite.settled();
        topologies.declare("machinedeployments", "handed", C);
        await("event").atMost(MachineSuite.PATIENCE)
                .until(() -> !suite.warnings("MachineDeployment", "handed").isEmpty());
        assertThat(suite.warnings("MachineDeployment", "handed")).singleElement()
                .matches(warning -> warning.getKey().equals("FieldConflict")
                        && warning.getValue().contains("capi-machinedeployment carries taints"));
        assertThat(blocked("machinedeployments", "handed")).containsExactly("FieldConflict");
        assertThat(writes(mark)).noneMatch(write -> write.is("patch", "machinesets"));
        assertThat(topologies.taints("machinesets", "handed")).containsExactly(A, B);

        topologies.forget("machinesets", "handed", "capi-machinedeployment");
        topologies.declare("machinedeployments", "handed", C, A);
        awaitTaints("machinesets", "handed", List.of(A, B, C));
        await("condition").atMost(MachineSuite.PATIENCE)
                .until(() -> blocked("machinedeployments", "handed").isEmpty());
    }

    private void awaitTaints(String plural, String name, List<String> taints) {
        await(plural + " " + name).atMost(MachineSuite.PATIENCE).untilAsserted(
                () -> assertThat(topologies.taints(plural, name)).containsExactlyInAnyOrderElementsOf(taints));
    }

    private void awaitNode(String node, String... taints) {
        await("taints of " + node).atMost(MachineSuite.PATIENCE).untilAsserted(() -> assertThat(
                Taints.on(suite.node(node)).stream().filter(taint -> !taint.equals(UNINITIALIZED)))
                .containsExactlyInAnyOrder(taints));
    }

    /** Writes of the controller to taints, in any cluster. */
    private List<AuditRequest> writes(AuditLog.Mark mark) {
        return suite.settledSince(mark).stream()
                .filter(request -> request.isWrite() && !request.uri().contains("/status")
                        && !request.uri().contains("/events"))
                .toList();
    }

    private Map<String, String> uids(List<String> plurals, String part) {
        Map<String, String> uids = new TreeMap<>();
        for (String plural : plurals) {
            suite.admin().get(topologies.path(plural)).path("items").forEach(object -> {
                String name = object.at("/metadata/name").asText();
                if (name.contains(part)) {
                    uids.put(plural + "/" + name, object.at("/metadata/uid").asText());
                }
            });
        }
        return uids;
    }

    /** Who owns anything of the taints. */
    private List<String> managersOf(String plural, String name) {
        return topologies.get(plural, name).at("/metadata/managedFields").valueStream()
                .filter(entry -> entry.path("fieldsV1").toString().contains("f:taints"))
                .map(entry -> entry.path("manager").asText()).toList();
    }

    /** Reasons of the controller's condition. */
    private List<String> blocked(String plural, String name) {
        return topologies.get(plural, name).at("/status/conditions").valueStream()
                .filter(condition -> condition.path("type").asText().equals("nodeward.io/TopologyBlocked"))
                .map(condition -> condition.path("reason").asText()).toList();
    }
}
