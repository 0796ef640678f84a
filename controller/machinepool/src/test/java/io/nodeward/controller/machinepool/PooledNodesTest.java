package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.node.NodePlanner;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.node.Owner;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
    private final InitializingNodes initializing = new InitializingNodes();
    private final PooledNodes nodes = new PooledNodes(management,
            new MachinePools(management, new PoolInfrastructure(server, timers, new SimpleMeterRegistry()), cache),
            initializing, time);

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

    @Test
    void only_a_pool_that_a_former_run_has_reported_on_is_looked_at_again() {
        assertThat(PooledNodes.reported(pool(Map.of(), condition("nodeward.io/NoExecuteBlocked"))))
                .containsExactly(POOL);
        assertThat(PooledNodes.reported(pool(Map.of(), condition("nodeward.io/Other")))).isEmpty();
        assertThat(PooledNodes.reported(pool(Map.of()))).isEmpty();
    }

    /** The taint is set once more. */
    private static Verb.PatchNode again(Node wiped) {
        NodeChange change = NodePlanner.plan(OWNER, wiped,
                NodePolicy.forMachinePools().withInitialization(Initialization.ONCE_MORE)).change();
        assertThat(change.taints()).isEqualTo(Optional.of(List.of(INITIAL)));
        return new Verb.PatchNode(Optional.empty(), wiped, change, NodeChange.PLANNED_FROM);
    }

    private static Node node(String uid, Map<String, String> annotations, List<Taint> taints) {
        return new Node(new Metadata(ObjectKey.clusterScoped("n"), uid, "1", Map.of(), annotations, List.of(), false),
                "fake://n", taints);
    }

    private static MachinePool pool(Map<String, String> annotations, Condition... conditions) {
        return new MachinePool(new Metadata(POOL, "uid", "1", Map.of(), annotations, List.of(), false), "c",
                new MachinePool.Template(Map.of(), Map.of(), List.of(new MachineTaint(INITIAL.key(), INITIAL.value(),
                        INITIAL.effect(), MachineTaint.ON_INITIALIZATION))),
                new MachinePool.InfrastructureRef("", "", ""), List.of("fake://n"), List.of(), List.of(conditions));
    }

    private static Condition condition(String type) {
        return new Condition(type, Condition.TRUE, "NoExecuteNotConfirmed", "any", Instant.EPOCH);
    }
}
