package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AdminClient;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.ControlPlane;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.controlplane.MachineSpec;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.RunningNodeward;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A controller that may look into two namespaces of the management cluster, and into no other. */
class NamespacesTest {
    private static final String USER = "tenant";

    @Test
    void with_rights_in_two_namespaces_it_does_all_in_these_and_asks_for_nothing_of_others() {
        try (MachineSuite suite = MachineSuite.in("namespace-a");
                Fleet second = Fleet.in(suite.admin(), "namespace-b");
                Fleet foreign = Fleet.in(suite.admin(), "namespace-c")) {
            ControlPlane controlPlane = suite.controlPlane();
            Kubeconfig tenant = controlPlane.kubeconfigForUser(USER, List.of());
            for (String namespace : List.of("namespace-a", "namespace-b")) {
                bind(suite.admin(), namespace);
                awaitAllowed(tenant, namespace);
            }
            pair(suite.fleet(), suite, "of-a");
            pair(foreign, suite, "of-c");
            AuditLog.Mark start = suite.mark();
            try (RunningNodeward nodeward = RunningNodeward.start(
                    controlPlane.file(tenant), "--controllers=machine", "--namespaces=namespace-a,namespace-b")) {
                suite.awaitTaints("of-a", "team=of-a:NoSchedule");
                pair(second, suite, "of-b");
                suite.awaitTaints("of-b", "team=of-b:NoSchedule");
                nodeward.awaitIdle();
                assertThat(Taints.on(suite.node("of-c")))
                        .containsExactly("node.cluster.x-k8s.io/uninitialized:NoSchedule");
                assertThat(nodeward.metric("nodeward_clusters_connected")).isEqualTo(2);
            }
            assertThat(controlPlane.audit().since(start).filter(request -> request.user().equals(USER)))
                    .filteredOn(request -> List.of("list", "watch", "get").contains(request.verb())
                            && !request.resource().isEmpty())
                    .isNotEmpty()
                    .allSatisfy(request -> assertThat(request.namespace()).isIn("namespace-a", "namespace-b"));
        }
    }

    /** API servers allow 100 streams on one connection. */
    @ParameterizedTest
    @MethodSource("io.nodeward.e2e.clusters.Backends#names")
    void more_watches_than_a_connection_takes_streams_all_stand(String backend) {
        List<String> namespaces = IntStream.range(0, 60).mapToObj(i -> backend + "-" + i).toList();
        try (MachineSuite suite = MachineSuite.in(namespaces.getLast())) {
            namespaces.forEach(name -> suite.admin().createIfAbsent("/api/v1/namespaces",
                    Json.tree(Map.of("metadata", Map.of("name", name)))));
            try (RunningNodeward nodeward = RunningNodeward.start(suite.managementKubeconfig(), "--backend=" + backend,
                    "--controllers=machine", "--namespaces=" + String.join(",", namespaces))) {
                pair(suite.fleet(), suite, "last-" + backend);
                suite.awaitTaints("last-" + backend, "team=last-" + backend + ":NoSchedule");
                assertThat(nodeward.metrics().lines()).noneMatch(
                        line -> line.startsWith("rest_client_requests_total") && line.contains("<error>"));
            }
        }
    }

    private static void pair(Fleet fleet, MachineSuite suite, String name) {
        fleet.cluster(name, suite.workload());
        fleet.pair(MachineSpec.named(name, name).withTaint("team", name, "NoSchedule", "Always"));
    }

    /** The role of the whole cluster, in one namespace. */
    private static void bind(AdminClient admin, String namespace) {
        admin.createIfAbsent("/apis/rbac.authorization.k8s.io/v1/namespaces/" + namespace + "/rolebindings",
                Json.tree(Map.of(
                        "metadata", Map.of("name", "nodeward"),
                        "roleRef", Map.of("apiGroup", "rbac.authorization.k8s.io", "kind", "ClusterRole", "name",
                                "nodeward-machine-management"),
                        "subjects", List.of(Map.of("kind", "User", "name", USER)))));
    }

    private static void awaitAllowed(Kubeconfig user, String namespace) {
        try (AdminClient client = new AdminClient(user)) {
            await("the role in " + namespace).atMost(MachineSuite.PATIENCE).until(() -> client.send("GET",
                    "/api/v1/namespaces/" + namespace + "/secrets?limit=1", AdminClient.JSON, "").isOk());
        }
    }
}
