package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.machine.MachineSuite;
import org.junit.jupiter.api.Test;

/** Users of workload clusters who may do less than {@code workload.yaml} says. */
class RightsTest extends InRunningController {
    RightsTest() {
        super("rights");
    }

    @Test
    void a_user_without_rights_is_said_and_recovers_when_the_role_is_bound() {
        Tenant tenant = tenants.unbound("nobody");
        suite.fleet().cluster(tenant.name(), tenant.kubeconfig());
        tenant.pair(1, A);
        JsonNode blocked = conditions.awaitBlocked(tenant.path(), "NodesNotWatched");
        assertThat(blocked.path("message").asText()).contains("does not let Nodeward watch").doesNotContain("403");
        await("the event").atMost(MachineSuite.PATIENCE)
                .until(() -> !suite.warnings("Cluster", tenant.name()).isEmpty());
        assertThat(suite.warnings("Cluster", tenant.name())).singleElement()
                .satisfies(warning -> assertThat(warning.getKey()).isEqualTo("NodesNotWatched"));
        tenants.bind(tenant);
        awaitTaints(tenant.node(1), A);
        conditions.awaitNotBlocked(tenant.path());
    }

    @Test
    void rights_that_are_taken_away_are_missed_when_they_are_needed() {
        Tenant tenant = tenants.connected("revoked");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        tenants.unbind(tenant);
        tenant.relay().cut();
        conditions.awaitBlocked(tenant.path(), "NodesNotWatched");
        tenant.declare(1, B);
        tenants.bind(tenant);
        awaitTaints(tenant.node(1), B);
        conditions.awaitNotBlocked(tenant.path());
    }

    @Test
    void a_user_who_may_only_read_is_said_on_the_machines_that_wait() {
        AuditLog.Mark mark = suite.mark();
        Tenant tenant = tenants.unbound("reader");
        tenants.bind(tenant, tenants.nodeRole("get", "list", "watch"));
        suite.fleet().cluster(tenant.name(), tenant.kubeconfig());
        tenant.pair(1, A);
        String machine = suite.fleet().machinePath(tenant.node(1));
        JsonNode blocked = conditions.awaitBlocked(machine, "NodeRejected");
        assertThat(blocked.path("message").asText()).contains(tenant.node(1), "cannot patch");
        assertThat(conditions.writesSince(mark, tenant.path())).isEmpty();
        tenants.unbind(tenant);
        tenants.bind(tenant);
        awaitTaints(tenant.node(1), A);
        conditions.awaitNotBlocked(machine);
    }
}
