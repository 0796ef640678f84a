package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.NodeSpec;
import io.nodeward.e2e.machine.MachineSuite;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A controller that starts finds what a former one said, says it no second time, and takes it back when it is over. */
@Tag("deep")
class RestartTest extends InRunningController {
    RestartTest() {
        super("restart");
    }

    @Test
    void what_a_former_run_said_is_not_said_again_and_goes_when_it_is_over() {
        Tenant away = tenants.connected("away");
        away.pair(1, A);
        awaitTaints(away.node(1), A);
        Tenant refused = tenants.connected("refused");
        suite.fleet().kubeconfigSecret(refused.name(), "no kubeconfig");
        Tenant well = tenants.connected("well");
        suite.fleet().machine(well.machine(1, A + ":Always"));
        String machine = suite.fleet().machinePath(well.node(1));
        away.relay().refuse();
        JsonNode ofAway = conditions.awaitBlocked(away.path(), "ClusterUnreachable");
        JsonNode ofRefused = conditions.awaitBlocked(refused.path(), "KubeconfigRefused");
        JsonNode ofMachine = conditions.awaitBlocked(machine, "NodeNotJoined");

        AuditLog.Mark mark = suite.mark();
        restart();
        // All three are known again, and longer than it takes to be said.
        awaitGauge("nodeward_clusters_blocked", 2);
        suite.fleet().machine(well.machine(2, A + ":Always"));
        String later = suite.fleet().machinePath(well.node(2));
        conditions.awaitBlocked(later, "NodeNotJoined");
        assertThat(suite.settledSince(mark)).filteredOn(AuditRequest::isWrite)
                .filteredOn(r -> !r.name().equals(well.node(2))).allMatch(r -> r.is("create", "events"))
                .allMatch(r -> r.code() == 409);
        assertThat(conditions.blocked(away.path())).contains(ofAway);
        assertThat(conditions.blocked(refused.path())).contains(ofRefused);
        assertThat(conditions.blocked(machine)).contains(ofMachine);
        assertThat(suite.warnings("Cluster", away.name())).hasSize(1);
        assertThat(suite.warnings("Cluster", refused.name())).hasSize(1);

        stop();
        away.relay().resume();
        suite.fleet().kubeconfigSecret(refused.name(), refused.kubeconfig());
        suite.fleet().node(NodeSpec.named(well.node(1)).uninitialized());
        startController();
        conditions.awaitNotBlocked(away.path());
        conditions.awaitNotBlocked(refused.path());
        conditions.awaitNotBlocked(machine);
        assertThat(conditions.blocked(later)).isPresent();
        awaitTaints(well.node(1), A);
    }

    @Test
    void a_condition_of_somebody_else_does_not_keep_a_cluster_from_being_connected() {
        Tenant tenant = tenants.connected("audited");
        conditions.foreign(tenant.path(), "example.com/Audited");
        tenant.pair(1, A);
        restart();
        awaitTaints(tenant.node(1), A);
    }

    @Test
    void what_was_said_goes_although_what_it_was_said_of_is_gone() {
        Tenant tenant = tenants.connected("secretless");
        suite.fleet().kubeconfigSecret(tenant.name(), "no kubeconfig");
        conditions.awaitBlocked(tenant.path(), "KubeconfigRefused");
        suite.admin().delete(suite.core() + "/secrets/" + tenant.name() + "-kubeconfig");
        conditions.awaitNotBlocked(tenant.path());
        await("no Warning more").atMost(MachineSuite.PATIENCE)
                .until(() -> suite.warnings("Cluster", tenant.name()).size() == 1);
    }
}
