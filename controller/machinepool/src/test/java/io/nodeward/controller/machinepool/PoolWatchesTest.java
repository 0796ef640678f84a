package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.NodeView;
import io.nodeward.core.runtime.cache.Index;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PoolWatchesTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");

    private final ManualTime time = new ManualTime();
    private final OneCluster workload = new OneCluster();
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ManagementCluster management = new ManagementCluster(server, "", timers);
    private final ObjectCache<MachinePool> cache =
            new ObjectCache<>(MachinePools.BY_CLUSTER, MachinePools.BY_PROVIDER_ID, MachinePools.BY_NODE);
    private final PoolInfrastructure infrastructure =
            new PoolInfrastructure(server, timers, new SimpleMeterRegistry());
    private final MachinePools pools = new MachinePools(management, infrastructure, cache);
    private final NoExecuteLimit<ObjectKey, PoolNodeKey> limit =
            new NoExecuteLimit<>(NoExecuteLimit.Settings.DEFAULT, () -> 0);
    private final PoolWatches watches = new PoolWatches(pools, workload, limit, new InitializingNodes(() -> 0));

    @Test
    void a_pool_that_grows_concerns_its_new_node_alone() {
        node("n1");
        node("n2");
        MachinePool before = pool("p", "n1");
        MachinePool after = put(pool("p", "n1", "n2"));
        assertThat(watches.mapPool(before, after)).containsExactly(new PoolNodeKey(key("p"), "n2"));
        assertThat(watches.mapPool(after, before)).containsExactly(new PoolNodeKey(key("p"), "n2"));
    }

    @Test
    void a_pool_that_declares_something_else_concerns_itself_and_all_its_nodes_each_once() {
        node("n1");
        node("n2");
        MachinePool before = pool("p", "n1", "n2");
        MachinePool after = put(new MachinePool(before.metadata(), before.clusterName(),
                new MachinePool.Template(Map.of(), Map.of(),
                        List.of(new MachineTaint("a", "1", "NoSchedule", MachineTaint.ALWAYS))),
                before.infrastructure(), before.providerIds(), before.nodes(), before.conditions()));
        assertThat(watches.mapPool(before, after)).isEqualTo(whole("p", "n1", "n2"));
        assertThat(watches.mapPool(null, after)).isEqualTo(whole("p", "n1", "n2"));
    }

    @Test
    void a_node_that_two_pools_list_concerns_both() {
        node("n");
        put(pool("p", "n"));
        put(pool("q", "n"));
        Node node = workload.nodes.get(ObjectKey.clusterScoped("n")).orElseThrow();
        assertThat(watches.mapNode(CLUSTER, node, node))
                .containsExactlyInAnyOrder(new PoolNodeKey(key("p"), "n"), new PoolNodeKey(key("q"), "n"));
    }

    @Test
    void nodes_that_come_to_have_one_provider_id_concern_each_other() {
        node("n");
        put(pool("p", "n"));
        Node twin = new Node(metadata(ObjectKey.clusterScoped("twin")), "fake://n", List.of());
        workload.nodes.put(twin);
        assertThat(watches.mapNode(CLUSTER, null, twin))
                .containsExactlyInAnyOrder(new PoolNodeKey(key("p"), "twin"), new PoolNodeKey(key("p"), "n"));
    }

    @Test
    void a_node_that_comes_to_have_the_provider_id_of_thousands_concerns_few_as_all_were_blocked_before() {
        node("n");
        put(pool("p", "n"));
        for (int i = 0; i < 3_000; i++) {
            workload.nodes.put(new Node(metadata(ObjectKey.clusterScoped("twin" + i)), "fake://n", List.of()));
        }
        Node twin = workload.nodes.get(ObjectKey.clusterScoped("twin2999")).orElseThrow();
        assertThat(watches.mapNode(CLUSTER, null, twin)).contains(new PoolNodeKey(key("p"), "twin2999"))
                .hasSizeLessThanOrEqualTo(3);
        workload.nodes.remove(twin);
        assertThat(watches.mapNode(CLUSTER, twin, null)).contains(new PoolNodeKey(key("p"), "twin2999"))
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void the_first_machine_of_a_pool_and_the_last_concern_the_pool_and_those_between_do_not() {
        node("n");
        put(pool("p", "n"));
        Machine first = machine("first");
        Machine second = machine("second");
        management.machines().put(first);
        assertThat(watches.mapMachine(null, first)).isEqualTo(whole("p", "n"));
        management.machines().put(second);
        assertThat(watches.mapMachine(null, second)).isEmpty();
        assertThat(watches.mapMachine(second, second)).isEmpty();
        management.machines().remove(first);
        assertThat(watches.mapMachine(first, null)).isEmpty();
        management.machines().remove(second);
        assertThat(watches.mapMachine(second, null)).isEqualTo(whole("p", "n"));
    }

    @Test
    void what_the_infrastructure_makes_concerns_the_pool_and_its_nodes() {
        node("n");
        put(pool("p", "n"));
        assertThat(watches.mapInfrastructure(key("p"))).isEqualTo(whole("p", "n"));
        assertThat(watches.mapInfrastructure(key("gone"))).isEmpty();
    }

    @Test
    void a_cluster_whose_pause_ends_concerns_its_pools_and_their_nodes() {
        node("n");
        put(pool("p", "n"));
        assertThat(watches.mapCluster(cluster(true), cluster(false))).isEqualTo(whole("p", "n"));
        assertThat(watches.mapCluster(cluster(false), cluster(false))).isEmpty();
        assertThat(watches.mapAvailable(CLUSTER)).isEqualTo(whole("p", "n"));
    }

    @Test
    void nodes_that_left_unseen_still_count_and_are_looked_at_with_the_pool() {
        MachinePool pool = put(pool("p"));
        put(pool("q"));
        count("p", "left");
        count("q", "other");
        assertThat(watches.mapAvailable(CLUSTER)).containsAll(whole("p", "left"));
        assertThat(watches.mapInfrastructure(key("p"))).isEqualTo(whole("p", "left"));
        assertThat(watches.mapPool(pool, null)).isEqualTo(whole("p", "left"));
    }

    /** As when the Node was decided on. */
    private void count(String pool, String name) {
        Node node = new Node(metadata(ObjectKey.clusterScoped(name)), "", List.of());
        NodeChange none = new NodeChange(name, "1", Optional.empty(), new TreeMap<>(), new TreeMap<>());
        new LimitedNodes<>(any -> new Decision.Change(Target.of("v1beta2", pool(pool)),
                ObjectChange.node(CLUSTER, node, none), "declared", List.of(), Optional.empty()), limit,
                new PooledNodes(management, pools, new PoolScopes(management, pools, workload, infrastructure),
                        new InitializingNodes(() -> 0), time))
                .reconcile(new PoolNodeKey(key(pool), name));
    }

    @Test
    void a_node_is_in_the_lane_of_its_cluster() {
        put(pool("p"));
        assertThat(watches.lane(new PoolNodeKey(key("p"), "n"))).isEqualTo("ns/c");
        assertThat(watches.lane(new PoolNodeKey(key("gone"), "n"))).isEmpty();
    }

    private MachinePool put(MachinePool pool) {
        cache.put(pool);
        return pool;
    }

    private void node(String name) {
        workload.nodes.put(new Node(metadata(ObjectKey.clusterScoped(name)), "fake://" + name, List.of()));
    }

    private static Set<PoolNodeKey> whole(String pool, String... nodes) {
        Set<PoolNodeKey> all = new LinkedHashSet<>(Set.of(PoolNodeKey.itself(key(pool))));
        List.of(nodes).forEach(node -> all.add(new PoolNodeKey(key(pool), node)));
        return all;
    }

    private static MachinePool pool(String name, String... nodes) {
        return new MachinePool(metadata(key(name)), CLUSTER.name(),
                new MachinePool.Template(Map.of(), Map.of(), List.of()), new MachinePool.InfrastructureRef("", "", ""),
                List.of(nodes).stream().map(node -> "fake://" + node).toList(), List.of(), List.of());
    }

    private static Machine machine(String name) {
        Metadata metadata = new Metadata(key(name), "uid of " + name, "1", Map.of(), Map.of(),
                List.of(new OwnerRef("cluster.x-k8s.io/v1beta2", "MachinePool", "p", "uid of p", true)), false);
        return new Machine(metadata, CLUSTER.name(), "", "", List.of(), List.of());
    }

    private static Cluster cluster(boolean paused) {
        return new Cluster(metadata(CLUSTER), paused, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED,
                List.of());
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("ns", name);
    }

    private static Metadata metadata(ObjectKey key) {
        return new Metadata(key, "uid of " + key.name(), "1", Map.of(), Map.of(), List.of(), false);
    }

    /** Its Nodes have all been seen. */
    private static final class OneCluster implements NodeListers {
        private static final Index<Node> BY_PROVIDER_ID = Index.of("providerID", Node::providerId);

        private final ObjectCache<Node> nodes = new ObjectCache<>(BY_PROVIDER_ID);

        @Override
        public Optional<? extends NodeView> find(ObjectKey cluster) {
            return Optional.of(new NodeView() {
                @Override
                public Optional<Node> node(String name) {
                    return nodes.get(ObjectKey.clusterScoped(name));
                }

                @Override
                public List<Node> nodesByProviderId(String providerId) {
                    return nodes.find(BY_PROVIDER_ID, providerId);
                }
            });
        }

        @Override
        public void subscribe(WorkloadListener<Node> listener) {}
    }
}
