package io.nodeward.autoscaler.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool.InfrastructureRef;
import io.nodeward.api.machine.MachinePool.Template;
import io.nodeward.api.machine.NodeGroup;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GroupWatchesTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");
    private static final NodeGroupKey POOL = new NodeGroupKey(NodeGroupKind.MACHINE_POOL, new ObjectKey("ns", "g"));

    private final ManualTime time = new ManualTime();
    private final NodeGroupCaches groups = new NodeGroupCaches(management());
    private final NodeGroupWatches watches = new NodeGroupWatches(groups);

    @Test
    void a_group_concerns_itself_and_a_condition_of_it_concerns_nobody() {
        NodeGroup before = group();
        assertThat(watches.mapGroup(NodeGroupKind.MACHINE_POOL, null, before)).containsExactly(POOL);
        assertThat(watches.mapGroup(NodeGroupKind.MACHINE_POOL, before, null)).containsExactly(POOL);
        NodeGroup declared = GroupServer.declared(before, new Template(Map.of("a", "b"), Map.of(), List.of()));
        assertThat(watches.mapGroup(NodeGroupKind.MACHINE_POOL, before, declared)).containsExactly(POOL);
        NodeGroup reported = GroupServer.conditions(before,
                List.of(new Condition("nodeward.io/Any", "True", "Any", "any", Instant.EPOCH)));
        assertThat(watches.mapGroup(NodeGroupKind.MACHINE_POOL, before, reported)).isEmpty();
    }

    @Test
    void a_pool_is_concerned_by_machines_that_come_and_go_and_by_its_infrastructure_if_it_is_a_group() {
        assertThat(watches.mapMachine(null, machine("g"))).as("no group yet").isEmpty();
        groups.of(NodeGroupKind.MACHINE_POOL).put(group());
        assertThat(watches.mapMachine(null, machine("g"))).containsExactly(POOL);
        assertThat(watches.mapMachine(machine("g"), null)).containsExactly(POOL);
        assertThat(watches.mapMachine(machine("g"), machine("other"))).containsExactly(POOL);
        assertThat(watches.mapMachine(machine("g"), machine("g"))).isEmpty();
        assertThat(watches.mapPool(POOL.object())).containsExactly(POOL);
        assertThat(watches.mapPool(new ObjectKey("ns", "other"))).isEmpty();
    }

    @Test
    void a_cluster_whose_pause_ends_concerns_its_groups_of_every_kind() {
        groups.of(NodeGroupKind.MACHINE_POOL).put(group());
        groups.of(NodeGroupKind.MACHINE_DEPLOYMENT).put(group());
        assertThat(watches.mapCluster(cluster(true), cluster(false)))
                .containsExactlyInAnyOrder(POOL, new NodeGroupKey(NodeGroupKind.MACHINE_DEPLOYMENT, POOL.object()));
        assertThat(watches.mapCluster(cluster(false), cluster(false))).isEmpty();
    }

    private ManagementCluster management() {
        ApiServer server = new ApiServer(new UnaskedServer());
        return new ManagementCluster(server, "", new Timers(time, time::nanoTime));
    }

    private static NodeGroup group() {
        return new NodeGroup(metadata(POOL.object(), List.of()), CLUSTER.name(),
                new Template(Map.of(), Map.of(), List.of()), new InfrastructureRef("", "", ""), Map.of(), List.of());
    }

    private static Machine machine(String pool) {
        OwnerRef owner = new OwnerRef("cluster.x-k8s.io/v1beta2", "MachinePool", pool, "uid", true);
        return new Machine(metadata(new ObjectKey("ns", "m"), List.of(owner)), CLUSTER.name(), "", "", List.of(),
                List.of());
    }

    private static Cluster cluster(boolean paused) {
        return new Cluster(metadata(CLUSTER, List.of()), paused, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of());
    }

    private static Metadata metadata(ObjectKey key, List<OwnerRef> owners) {
        return new Metadata(key, "uid", "1", Map.of(), Map.of(), owners, false);
    }
}
