package io.nodeward.e2e.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.core.testkit.Relay;
import io.nodeward.e2e.controlplane.AuditLog;
import io.nodeward.e2e.controlplane.AuditRequest;
import io.nodeward.e2e.machine.MachineSuite;
import io.nodeward.e2e.machine.Taints;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A workload cluster that is away for long: said on its Cluster, made up for afterwards, no trouble to another. */
class OutageTest extends InRunningController {
    OutageTest() {
        super("outage");
    }

    /** How it is away. */
    enum Outage {
        REFUSES(Relay::refuse), HANGS(Relay::hang);

        private final Consumer<Relay> begin;

        Outage(Consumer<Relay> begin) {
            this.begin = begin;
        }
    }

    @ParameterizedTest
    @EnumSource
    void an_outage_is_said_on_its_cluster_and_made_up_for_when_it_ends(Outage outage) {
        String name = outage.name().toLowerCase(Locale.ROOT);
        Tenant far = tenants.connected(name);
        Tenant near = tenants.connected(name + "-not");
        far.pair(1, A);
        near.pair(1, A);
        awaitTaints(far.node(1), A);
        awaitTaints(near.node(1), A);
        JsonNode foreign = conditions.foreign(far.path(), "example.com/Audited");
        Optional<JsonNode> owned = conditions.appliedBy("somebody-else", far.path());
        AuditLog.Mark mark = suite.mark();

        outage.begin.accept(far.relay());
        far.declare(1, B);
        JsonNode blocked = conditions.awaitBlocked(far.path(), "ClusterUnreachable");
        assertThat(blocked.path("status").asText()).isEqualTo("True");
        assertThat(blocked.path("message").asText()).startsWith("the API server does not answer");
        assertThat(conditions.appliedBy("nodeward-cluster", far.path())).contains(Conditions.conditionAlone());
        await("the event").atMost(MachineSuite.PATIENCE).until(() -> !suite.warnings("Cluster", far.name()).isEmpty());
        assertThat(suite.warnings("Cluster", far.name())).singleElement()
                .satisfies(warning -> assertThat(warning.getKey()).isEqualTo("ClusterUnreachable"));
        near.declare(1, B);
        awaitTaints(near.node(1), B);
        near.pair(2, A);
        awaitTaints(near.node(2), A);
        assertThat(Taints.on(suite.node(far.node(1)))).containsExactly(A);

        far.relay().resume();
        awaitTaints(far.node(1), B);
        conditions.awaitNotBlocked(far.path());
        far.pair(2, A);
        awaitTaints(far.node(2), A);
        assertThat(conditions.appliedBy("nodeward-cluster", far.path())).isEmpty();
        assertThat(conditions.condition(far.path(), "example.com/Audited")).contains(foreign);
        assertThat(conditions.appliedBy("somebody-else", far.path())).isEqualTo(owned);
        List<AuditRequest> writes = conditions.writesSince(mark, far.path());
        assertThat(writes).as("one says it, one takes it away").hasSize(2)
                .allMatch(r -> r.code() == 200 && r.user().equals(MachineSuite.MANAGEMENT_USER));
        assertThat(conditions.writesSince(mark, near.path())).isEmpty();
    }
}
