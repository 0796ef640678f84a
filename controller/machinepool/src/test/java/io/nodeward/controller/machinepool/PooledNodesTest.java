package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.NodeView;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Reconciler;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PooledNodesTest {
    private static final ObjectKey POOL = new ObjectKey("ns", "p");
    private static final PoolNodeKey KEY = new PoolNodeKey(POOL, "n");
    private static final String CONFIRMED = "nodeward.io/confirmed-noexecute-nodes";
    private static final Taint UNINITIALIZED = Taint.of("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule");
    private static final Taint INITIAL = Taint.of("b", "2", "NoExecute");
    private static final Owner OWNER = Owner.of(pool(Map.of()));

    private final ManualTime time = new ManualTime();
    private final ApiServer server = new ApiServer(new UnaskedServer());
    private final Timers timers = new Timers(time, time::nanoTime);
    private final ManagementCluster management = new ManagementCluster(server, "", timers);
    private final ObjectCache<MachinePool> cache =
            new ObjectCache<>(MachinePools.BY_CLUSTER, MachinePools.BY_PROVIDER_ID, MachinePools.BY_NODE);
    private final InitializingNodes initializing = new InitializingNodes(time::nanoTime);
    private final PoolInfrastructure infrastructure =
            new PoolInfrastructure(server, timers, new SimpleMeterRegistry());
    private final MachinePools pools = new MachinePools(management, infrastructure, cache);
    private final CountedLookups workload = new CountedLookups();
    private final PooledNodes nodes = new PooledNodes(
            management, pools, new PoolScopes(management, pools, workload, infrastructure), initializing, time);
    private final NoExecuteLimit<ObjectKey, PoolNodeKey> limit =
            new NoExecuteLimit<>(NoExecuteLimit.Settings.DEFAULT, time::nanoTime);

    @Test
    void a_pool_owns_its_nodes_and_confirms_their_number_while_it_exists() {
        MachinePool pool = pool(Map.of(CONFIRMED, "7"));
        cache.put(pool);
        assertThat(nodes.owner(KEY)).isEqualTo(POOL);
        assertThat(nodes.confirmed(POOL)).isEqualTo(7);
        assertThat(nodes.target(POOL)).hasValueSatisfying(
                target -> assertThat(target.regarding().key()).isEqualTo(POOL));
        cache.remove(pool);
        assertThat(nodes.confirmed(POOL)).isZero();
        assertThat(nodes.target(POOL)).isEmpty();
    }

    @Test
    void a_taint_that_evicts_waits_and_one_that_was_wiped_off_the_node_comes_back_at_once() {
        Node fresh = node("u", Map.of(), List.of(UNINITIALIZED));
        NodeChange given = NodePlanner.plan(OWNER, fresh, NodePolicy.forMachinePools()).change();
        assertThat(given.taints().orElseThrow()).containsExactly(UNINITIALIZED, INITIAL);
        Map<String, String> tracked = given.applyTo(fresh, "2").metadata().annotations();
        Verb.PatchNode update = again(node("u", tracked, List.of()));
        assertThat(nodes.without(KEY, update)).as("nobody knows that it was wiped").hasValueSatisfying(
                held -> assertThat(held.taints()).isEmpty());
        initializing.inEffect(KEY, OWNER, fresh, given);
        assertThat(nodes.without(KEY, update)).isEmpty();
        assertThat(nodes.without(KEY, again(node("another", tracked, List.of())))).as("a Node of its name").isPresent();
        assertThat(nodes.without(new PoolNodeKey(POOL, "m"), update)).as("another Node").isPresent();
    }

    /** A watch that was cut does not tell whether they went one by one. */
    @Test
    void initial_taints_that_are_found_gone_more_than_a_minute_later_stay_away() {
        Node fresh = node("u", Map.of(), List.of(UNINITIALIZED));
        NodeChange given = NodePlanner.plan(OWNER, fresh, NodePolicy.forMachinePools()).change();
        Node wiped = node("u", given.applyTo(fresh, "2").metadata().annotations(), List.of());
        initializing.inEffect(KEY, OWNER, fresh, given);
        time.pass(Duration.ofSeconds(59));
        assertThat(initializing.wiped(KEY, wiped)).containsExactly(INITIAL.id());
        time.pass(Duration.ofSeconds(1));
        initializing.seen(KEY, wiped);
        assertThat(initializing.wiped(KEY, wiped)).isEmpty();
    }

    @Test
    void only_a_pool_that_a_former_run_has_reported_on_is_looked_at_again() {
        assertThat(PooledNodes.reported(pool(Map.of(), condition("nodeward.io/NoExecuteBlocked"))))
                .containsExactly(POOL);
        assertThat(PooledNodes.reported(pool(Map.of(), condition("nodeward.io/Other")))).isEmpty();
        assertThat(PooledNodes.reported(pool(Map.of()))).isEmpty();
    }

    /** Else a report of a former leader would stay for ever. */
    @Test
    void a_report_waits_for_nodes_that_exist_and_for_all_while_the_cluster_is_away() {
        Reconciler<ObjectKey> owners = limit.owners(nodes::target, nodes::all);
        cluster();
        cache.put(named(Stream.of("n", "never")));
        assertThat(nodes.all(POOL, KEY::equals)).isFalse();
        assertThat(owners.reconcile(POOL)).as("the cluster is away").isInstanceOf(Decision.Waiting.class);
        workload.nodes.put("n", node("u", Map.of(), List.of()));
        assertThat(nodes.all(POOL, KEY::equals)).isTrue();
        assertThat(owners.reconcile(POOL)).as("a Node was not decided on").isInstanceOf(Decision.Waiting.class);
        cache.put(named(Stream.of("never")));
        assertThat(owners.reconcile(POOL)).isInstanceOf(Decision.InEffect.class);
    }

    @Test
    void a_report_looks_only_for_nodes_that_were_not_decided_on() {
        int count = 2000;
        cluster();
        List<String> names = IntStream.range(0, count).mapToObj(i -> "n" + i).toList();
        names.forEach(name -> workload.nodes.put(name,
                new Node(metadata(ObjectKey.clusterScoped(name), "u", Map.of()), "fake://" + name, List.of())));
        cache.put(named(names.stream()));
        Reconciler<ObjectKey> owners = limit.owners(nodes::target, nodes::all);
        Reconciler<PoolNodeKey> decides = new LimitedNodes<>(
                key -> new Decision.InEffect(nodes.target(POOL).orElseThrow(), List.of()), limit, nodes);
        for (String name : names) {
            assertThat(owners.reconcile(POOL)).isInstanceOf(Decision.Waiting.class);
            decides.reconcile(new PoolNodeKey(POOL, name));
        }
        assertThat(owners.reconcile(POOL)).isInstanceOf(Decision.InEffect.class);
        assertThat(workload.lookups).as("one for each of the reports that wait").isEqualTo(count);
    }

    private void cluster() {
        management.clusters().put(new Cluster(metadata(new ObjectKey("ns", "c"), "1", Map.of()), false,
                Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED, List.of()));
    }

    /** Returns the pool with a report, and with references to Nodes. */
    private static MachinePool named(Stream<String> names) {
        MachinePool pool = pool(Map.of(), condition("nodeward.io/NoExecuteBlocked"));
        return new MachinePool(pool.metadata(), pool.clusterName(), pool.template(), pool.infrastructure(), List.of(),
                names.map(name -> new MachinePool.NodeRef(name, "")).toList(), pool.conditions());
    }

    /** The taint is set once more. */
    private static Verb.PatchNode again(Node wiped) {
        NodeChange change = NodePlanner.plan(OWNER, wiped,
                NodePolicy.forMachinePools().withInitialization(Initialization.ONCE_MORE)).change();
        assertThat(change.taints()).isEqualTo(Optional.of(List.of(INITIAL)));
        return new Verb.PatchNode(Optional.empty(), wiped, change, NodeChange.PLANNED_FROM);
    }

    private static Node node(String uid, Map<String, String> annotations, List<Taint> taints) {
        return new Node(metadata(ObjectKey.clusterScoped("n"), uid, annotations), "fake://n", taints);
    }

    private static Metadata metadata(ObjectKey key, String uid, Map<String, String> annotations) {
        return new Metadata(key, uid, "1", Map.of(), annotations, List.of(), false);
    }

    private static MachinePool pool(Map<String, String> annotations, Condition... conditions) {
        return new MachinePool(metadata(POOL, "uid", annotations), "c",
                new MachinePool.Template(Map.of(), Map.of(), List.of(new MachineTaint(INITIAL.key(), INITIAL.value(),
                        INITIAL.effect(), MachineTaint.ON_INITIALIZATION))),
                new MachinePool.InfrastructureRef("", "", ""), List.of("fake://n"), List.of(), List.of(conditions));
    }

    private static Condition condition(String type) {
        return new Condition(type, Condition.TRUE, "NoExecuteNotConfirmed", "any", Instant.EPOCH);
    }

    /** A cluster that is away until it has a Node. */
    private static final class CountedLookups implements NodeListers, NodeView {
        private final Map<String, Node> nodes = new HashMap<>();
        private int lookups;

        @Override
        public Optional<? extends NodeView> find(ObjectKey cluster) {
            return nodes.isEmpty() ? Optional.empty() : Optional.of(this);
        }

        @Override
        public void subscribe(WorkloadListener<Node> listener) {}

        @Override
        public Optional<Node> node(String name) {
            lookups++;
            return Optional.ofNullable(nodes.get(name));
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return nodes.values().stream().filter(found -> found.providerId().equals(providerId)).toList();
        }
    }
}
