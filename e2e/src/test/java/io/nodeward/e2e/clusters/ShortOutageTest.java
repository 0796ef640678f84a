package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What passes before anybody need be told is told to nobody. */
class ShortOutageTest extends InRunningController {
    private static final String AVAILABLE = "nodeward_clusters_available";

    ShortOutageTest() {
        super("short", "--blocked-after=1h");
    }

    @Test
    void a_short_outage_writes_nothing() {
        Tenant tenant = tenants.connected("refused");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        double before = gauge(AVAILABLE);
        AuditLog.Mark mark = suite.mark();
        tenant.relay().refuse();
        tenant.declare(1, B);
        awaitGauge(AVAILABLE, before - 1);
        tenant.relay().resume();
        awaitTaints(tenant.node(1), B);
        awaitGauge(AVAILABLE, before);
        assertThat(suite.settledSince(mark)).noneMatch(AuditRequest::isWrite);
        assertThat(tenant.settledSince(mark)).filteredOn(AuditRequest::isWrite).hasSize(1);
    }

    /** The list has one Node at most: its version shows whether a backup was restored meanwhile. */
    @Test
    void a_cut_connection_costs_a_watch_and_a_list_of_one_object() {
        Tenant tenant = tenants.connected("cut");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();
        tenant.relay().cut();
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
        await("the watch").atMost(MachineSuite.PATIENCE)
                .until(() -> tenant.requestsSince(mark).stream().anyMatch(r -> r.verb().equals("watch")));
        assertThat(reads(tenant, mark)).satisfiesExactly(
                list -> assertThat(list.uri()).endsWith("?limit=1"),
                watch -> assertThat(watch.uri()).contains("watch=true", "resourceVersion=")
                        .doesNotContain("sendInitialEvents"));
    }

    @Test
    void connections_that_a_firewall_forgot_are_given_up_for_new_ones() {
        Tenant tenant = tenants.connected("forgotten");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        int connections = tenant.relay().accepted();
        tenant.relay().forget();
        await("another connection").atMost(MachineSuite.PATIENCE)
                .until(() -> tenant.relay().accepted() > connections);
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
    }

    private static List<AuditRequest> reads(Tenant tenant, AuditLog.Mark mark) {
        return tenant.settledSince(mark).stream().filter(r -> !r.isWrite()).toList();
    }
}
