package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.controlplane.Fleet;
import io.nodeward.e2e.controlplane.Kubeconfig;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Credentials that change while the cluster is connected: in time, too late, and with all else. */
@Tag("deep")
class TokenRotationTest extends InRunningController {
    /** Refused requests after which nothing else is taken to be tried. */
    private static final int REFUSALS = 5;
    /** A minute, but for what the two requests themselves took. */
    private static final Duration RENEW_EVERY = Duration.ofSeconds(55);

    TokenRotationTest() {
        super("rotation");
    }

    @Test
    void a_new_token_in_time_costs_one_read_of_the_secret_and_ends_no_watch() {
        Tenant tenant = unconnected("in-time");
        MortalToken old = tenants.token(tenant, "in-time-1");
        suite.fleet().cluster(tenant.name(), tenant.as(old.kubeconfig()));
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();

        putAndAwaitRead(tenant, tenants.token(tenant, "in-time-2").kubeconfig(), mark);
        awaitUse(tenant, tenant.user(), mark);
        old.end();
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
        suite.admin().mergePatch(Fleet.nodePath(tenant.node(1)), Taints.patch());
        awaitTaints(tenant.node(1), B);

        assertThat(tenant.settledSince(mark)).hasSize(2).allMatch(r -> r.is("patch", "nodes"));
        assertThat(tenant.kubeconfigReadsSince(mark)).hasSize(1);
        assertThat(refusedSince(mark)).isEmpty();
        assertThat(conditions.writesSince(mark, tenant.path())).isEmpty();
    }

    @Test
    void a_token_that_ended_is_said_and_the_new_one_makes_up_for_it() {
        Tenant tenant = unconnected("late");
        MortalToken old = tenants.token(tenant, "late-1");
        suite.fleet().cluster(tenant.name(), tenant.as(old.kubeconfig()));
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();

        old.end();
        tenant.relay().cut();
        tenant.declare(1, B);
        JsonNode blocked = conditions.awaitBlocked(tenant.path(), "CredentialsRefused");
        assertThat(blocked.path("message").asText()).contains("401");
        await("refusals").atMost(MachineSuite.PATIENCE).until(() -> refusedSince(mark).count() >= REFUSALS);
        assertThat(tenant.kubeconfigReadsSince(mark)).as("the Secret is looked at again").isNotEmpty();
        assertThat(gaps(tenant.kubeconfigReadsSince(mark))).allMatch(gap -> gap.compareTo(RENEW_EVERY) > 0);
        assertThat(Taints.on(suite.node(tenant.node(1)))).containsExactly(A);

        AuditLog.Mark mended = suite.mark();
        putAndAwaitRead(tenant, tenants.token(tenant, "late-2").kubeconfig(), mended);
        awaitTaints(tenant.node(1), B);
        conditions.awaitNotBlocked(tenant.path());
        suite.admin().mergePatch(Fleet.nodePath(tenant.node(1)), Taints.patch());
        awaitTaints(tenant.node(1), B);
        assertThat(tenant.settledSince(mark)).filteredOn(r -> !r.is("patch", "nodes"))
                .as("whether the server was restored, and the watch from where it was").satisfiesExactly(
                        list -> assertThat(list.uri()).contains("limit=1").doesNotContain("watch=true"),
                        watch -> assertThat(watch.uri()).contains("watch=true").doesNotContain("sendInitialEvents"));
        assertThat(tenant.kubeconfigReadsSince(mended)).hasSize(1);
        assertThat(suite.warnings("Cluster", tenant.name())).singleElement()
                .satisfies(warning -> assertThat(warning.getKey()).isEqualTo("CredentialsRefused"));
    }

    @Test
    void another_user_goes_on_where_the_one_before_was() {
        Tenant tenant = tenants.connected("another-user");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();
        String user = suite.fleet().namespace() + "-other";
        Kubeconfig certificate = suite.controlPlane().kubeconfigForUser(user, List.of("system:masters"));
        putAndAwaitRead(tenant, certificate, mark);
        awaitUse(tenant, user, mark);
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
        assertThat(tenant.settledSince(mark, user)).singleElement()
                .satisfies(r -> assertThat(r.is("patch", "nodes")).isTrue());
        assertThat(tenant.settledSince(mark)).isEmpty();
    }

    @Test
    void another_server_is_connected_anew_and_the_one_before_let_go() {
        Tenant tenant = tenants.connected("another-server");
        tenant.pair(1, A);
        awaitTaints(tenant.node(1), A);
        AuditLog.Mark mark = suite.mark();
        suite.fleet().kubeconfigSecret(tenant.name(), tenant.direct());
        await("the watch").atMost(MachineSuite.PATIENCE)
                .until(() -> tenant.requestsSince(mark).stream().anyMatch(r -> r.is("watch", "nodes")));
        await("the end of the old connections").atMost(MachineSuite.PATIENCE)
                .until(() -> tenant.relay().standing() == 0);
        tenant.declare(1, B);
        awaitTaints(tenant.node(1), B);
    }

    private Tenant unconnected(String name) {
        Tenant tenant = tenants.unbound(name);
        tenants.bind(tenant);
        return tenant;
    }

    /** Once it has read what is new, the controller asks the server for its version. */
    private void awaitUse(Tenant tenant, String user, AuditLog.Mark mark) {
        AuditRequest read = tenant.kubeconfigReadsSince(mark).getFirst();
        await("its use").atMost(MachineSuite.PATIENCE).until(() -> suite.controlPlane().audit().since(mark)
                .dropWhile(r -> !r.equals(read))
                .anyMatch(r -> r.user().equals(user) && r.uri().startsWith("/version")));
    }

    private void putAndAwaitRead(Tenant tenant, Kubeconfig direct, AuditLog.Mark mark) {
        suite.fleet().kubeconfigSecret(tenant.name(), tenant.as(direct));
        await("the Secret to be read").atMost(MachineSuite.PATIENCE)
                .until(() -> !tenant.kubeconfigReadsSince(mark).isEmpty());
    }

    /** Requests of the controller that were answered with 401: they have no user. */
    private Stream<AuditRequest> refusedSince(AuditLog.Mark mark) {
        return suite.controlPlane().audit().since(mark)
                .filter(r -> r.code() == 401 && r.userAgent().startsWith("nodeward/"));
    }

    private static List<Duration> gaps(List<AuditRequest> requests) {
        List<Instant> times = requests.stream().map(AuditRequest::at).toList();
        return IntStream.range(1, times.size())
                .mapToObj(i -> Duration.between(times.get(i - 1), times.get(i))).toList();
    }
}
