package io.nodeward.e2e.controlplane;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClusterApiTest {
    private final ControlPlane controlPlane = ControlPlane.shared();
    private final AdminClient admin = controlPlane.admin();

    @BeforeEach
    void install() {
        ClusterApiCrds.install(admin);
    }

    @Test
    void a_machine_with_taints_is_kept_as_it_was_sent() {
        try (Fleet fleet = Fleet.in(admin, "crds")) {
            fleet.cluster("c", controlPlane.adminKubeconfig());
            fleet.machine(MachineSpec.named("crds-1", "c")
                    .withTaint("example.com/a", "v", "NoSchedule", "Always")
                    .withTaint("example.com/a", "", "NoExecute", "OnInitialization"));
            assertThat(admin.get(fleet.machinePath("crds-1")).path("spec").path("taints")).isEqualTo(Json.parse("""
                    [{"key":"example.com/a","value":"v","effect":"NoSchedule","propagation":"Always"},
                     {"key":"example.com/a","effect":"NoExecute","propagation":"OnInitialization"}]"""));
        }
        assertThat(admin.find("/apis/cluster.x-k8s.io/v1beta2/namespaces/crds/machines/crds-1")).isEmpty();
    }

    @Tag("deep")
    @Test
    void the_upstream_manager_puts_taints_of_three_machines_on_their_nodes() {
        Kubeconfig workload = controlPlane.kubeconfigForUser("upstream-workload", List.of("system:masters"));
        AuditLog.Mark mark = controlPlane.audit().mark();
        try (Fleet fleet = Fleet.in(admin, "upstream")) {
            fleet.cluster("c", workload);
            for (int i = 1; i <= 3; i++) {
                MachineSpec machine = MachineSpec.named("upstream-" + i, "c");
                fleet.pair(machine.withTaint("example.com/t", "", "NoSchedule", "Always"));
            }
            try (Upstream upstream = Upstream.start(controlPlane)) {
                for (int i = 1; i <= 3; i++) {
                    String node = Fleet.nodePath("upstream-" + i);
                    await(upstream.log()).atMost(Duration.ofMinutes(3)).until(() -> isPropagated(admin.get(node)));
                }
                upstream.stop();
            }
            assertThat(controlPlane.audit().since(mark).filter(r -> r.user().equals("upstream-workload")))
                    .filteredOn(r -> r.is("patch", "nodes") && r.code() == 200)
                    .extracting(AuditRequest::name).contains("upstream-1", "upstream-2", "upstream-3");
        }
    }

    private static boolean isPropagated(JsonNode node) {
        JsonNode annotations = node.path("metadata").path("annotations");
        String tracked = annotations.path("cluster.x-k8s.io/taints-from-machine").asText();
        return tracked.equals("example.com/t:NoSchedule") && node.path("spec").path("taints").size() == 1;
    }
}
