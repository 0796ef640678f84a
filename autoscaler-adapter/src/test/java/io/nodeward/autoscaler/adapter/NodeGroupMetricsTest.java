package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.core.rules.capacity.CapacityPolicy;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.cluster.PoolInfrastructure.Makes;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupMetricsTest {
    private static final NodeGroupKey POOL = new NodeGroupKey(NodeGroupKind.MACHINE_POOL, new ObjectKey("ns", "g"));
    private static final String SIZE = "cluster.x-k8s.io/cluster-api-autoscaler-node-group-%s-size";

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final ManagementCluster management = new ManagementCluster(server, "", timers);
    private final NodeGroupCaches groups = new NodeGroupCaches(management);
    private final AdapterConfig config = new AdapterConfig();
    private final RedundantGroups redundant = new RedundantGroups();
    private final CapacityPlanner planner = new CapacityPlanner(
            CapacityPolicy.standard(), List.of(), new PoolPropagation(false, false, this::makes), config);
    private final AdapterReconciler reconciler = new AdapterReconciler(
            management, groups, planner, new PoolInfrastructure(server, timers, registry), redundant);
    private int asked;

    @Test
    void a_scrape_counts_what_was_decided_last_and_asks_nobody() {
        Gauge gauge = gauge();
        groups.of(NodeGroupKind.MACHINE_POOL).put(pool());
        assertThat(reconciler.reconcile(POOL)).as("a group that waits counts, too")
                .isInstanceOf(Decision.Waiting.class);
        assertThat(asked).isOne();
        assertThat(gauge.value()).isOne();
        assertThat(asked).as("after a scrape").isOne();

        groups.of(NodeGroupKind.MACHINE_POOL).remove(pool());
        reconciler.executed(POOL, reconciler.reconcile(POOL));
        assertThat(gauge.value()).isZero();
    }

    private Makes makes(NodeGroup pool) {
        asked++;
        return Makes.NONE;
    }

    private Gauge gauge() {
        new NodeGroupMetrics(groups, redundant, config, registry);
        return registry.get("nodeward.autoscaler.redundant.groups").gauge();
    }

    private static NodeGroup pool() {
        Metadata metadata = new Metadata(POOL.object(), "u", "1", Map.of(),
                Map.of(SIZE.formatted("min"), "0", SIZE.formatted("max"), "3"), List.of(), false);
        return new NodeGroup(metadata, "c", new Template(Map.of(), Map.of(), List.of()),
                new InfrastructureRef("", "", ""), Map.of(), List.of());
    }
}
