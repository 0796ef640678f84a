package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import org.junit.jupiter.api.Test;

/** When a workload cluster is connected: not before it is there, and then at once. */
class ReadinessTest extends InRunningController {
    private int refused;

    ReadinessTest() {
        super("readiness");
    }

    @Test
    void a_cluster_is_left_alone_until_its_status_says_that_infrastructure_and_control_plane_are_there() {
        AuditLog.Mark mark = suite.mark();
        Tenant tenant = tenants.unbound("early");
        tenants.bind(tenant);
        // Its Secret comes last: until then there is nothing to connect with.
        suite.fleet().cluster(tenant.name());
        status(tenant, "{\"phase\":\"Provisioning\"}");
        suite.fleet().kubeconfigSecret(tenant.name(), tenant.kubeconfig());
        assertLeftAlone(tenant, mark);
        status(tenant, "{\"initialization\":{\"infrastructureProvisioned\":true}}");
        assertLeftAlone(tenant, mark);
        status(tenant, "{\"initialization\":{\"controlPlaneInitialized\":true}}");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        assertThat(tenant.kubeconfigReadsSince(mark)).hasSize(1);
    }

    @Test
    void a_control_plane_without_infrastructure_is_not_enough() {
        AuditLog.Mark mark = suite.mark();
        Tenant tenant = tenants.unbound("half");
        tenants.bind(tenant);
        suite.fleet().cluster(tenant.name());
        status(tenant, "{\"initialization\":{\"controlPlaneInitialized\":true}}");
        suite.fleet().kubeconfigSecret(tenant.name(), tenant.kubeconfig());
        assertLeftAlone(tenant, mark);
        status(tenant, "{\"initialization\":{\"infrastructureProvisioned\":true}}");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
    }

    @Test
    void a_connection_that_stands_is_not_given_up_for_what_the_status_says_later() {
        Tenant tenant = tenants.connected("standing");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();
        status(tenant, "{\"phase\":\"Failed\",\"initialization\":{\"infrastructureProvisioned\":false}}");
        awaitLaterOneConnected();
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
        assertThat(tenant.settledSince(mark)).isNotEmpty().allMatch(AuditRequest::isWrite);
    }

    private void assertLeftAlone(Tenant tenant, AuditLog.Mark mark) {
        awaitLaterOneBlocked();
        assertThat(tenant.kubeconfigReadsSince(mark)).isEmpty();
        assertThat(tenant.relay().accepted()).isZero();
        assertThat(conditions.writesSince(mark, tenant.path())).isEmpty();
    }

    /** The controller handles Clusters in the order in which they change, and reports each after the same time. */
    private void awaitLaterOneBlocked() {
        String name = "later-refused-" + ++refused;
        suite.fleet().cluster(name);
        suite.fleet().kubeconfigSecret(name, "no kubeconfig");
        conditions.awaitBlocked(suite.clusterApi() + "/clusters/" + name, "KubeconfigRefused");
    }

    private void status(Tenant tenant, String status) {
        suite.admin().mergePatch(tenant.path() + "/status", "{\"status\":" + status + "}");
    }
}
