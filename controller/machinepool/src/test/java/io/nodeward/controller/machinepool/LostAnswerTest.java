package io.nodeward.controller.machinepool;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.node.NodePolicy;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.runtime.cache.ObjectCache;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.cluster.PoolInfrastructure;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.Verb;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.leader.Leadership;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Taints for initialization of which it is not known whether they were written, or whether they may come back. */
class LostAnswerTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");
    private static final Taint UNINITIALIZED = Taint.of("node.cluster.x-k8s.io/uninitialized", "", "NoSchedule");
    private static final MachinePool POOL = new MachinePool(metadata(new ObjectKey("ns", "p"), "1"), "c",
            new MachinePool.Template(Map.of(), Map.of(), List.of(
                    new MachineTaint("always", "", "NoSchedule", MachineTaint.ALWAYS),
                    new MachineTaint("initial", "", "NoSchedule", "OnInitialization"))),
            new MachinePool.InfrastructureRef("", "", ""), List.of("fake://n"), List.of(), List.of());
    private static final PoolNodeKey KEY = new PoolNodeKey(POOL.key(), "n");

    private final ManualTime time = new ManualTime();
    private final Timers timers = new Timers(time, time::nanoTime);
    private final Leadership leadership = Leadership.by(
            new ObjectKey("ns", "lease"), new UnaskedServer(), "host", timers, time, new SimpleMeterRegistry());
    private Node node = new Node(metadata(ObjectKey.clusterScoped("n"), "1"), "fake://n", List.of(UNINITIALIZED));
    private PoolReconciler reconciler = reconciler(NodePolicy.forMachinePools());

    @Test
    void what_was_written_without_an_answer_is_added_once_more_when_it_is_wiped() {
        Decision.Change change = decide();
        reconciler.unanswered(KEY, change);
        node = update(change).change().applyTo(node, "2");
        reconciler.executed(KEY, decide());
        node = wiped();

        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always", "initial");
    }

    @Test
    void that_is_so_even_if_it_is_wiped_before_it_has_been_seen() {
        Decision.Change change = decide();
        reconciler.unanswered(KEY, change);
        node = update(change).change().applyTo(node, "2");
        node = wiped();

        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always", "initial");
    }

    @Test
    void what_was_not_written_is_not_taken_for_wiped() {
        reconciler = reconciler(NodePolicy.forMachinePools().withInitialization(Initialization.WHEN_UNINITIALIZED));
        reconciler.unanswered(KEY, decide());
        node = wiped();

        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always");
    }

    @Test
    void a_decision_that_nobody_has_carried_out_leaves_no_trace() {
        Decision.Change change = decide();
        node = update(change).change().applyTo(node, "2");
        decide();
        node = wiped();

        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always");
    }

    /** A process that led before may lead again much later, when pods run on the Node. */
    @Test
    void what_was_wiped_while_another_process_led_is_not_added_once_more() {
        Decision.Change change = decide();
        reconciler.executed(KEY, change);
        node = update(change).change().applyTo(node, "2");
        reconciler.executed(KEY, decide());
        node = wiped();
        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always", "initial");

        leadership.startsLeading();
        assertThat(keys(update(decide()).change().applyTo(node, "4"))).containsExactly("always");
    }

    private Decision.Change decide() {
        return (Decision.Change) reconciler.reconcile(KEY);
    }

    private static Verb.PatchNode update(Decision.Change change) {
        return (Verb.PatchNode) change.change().verb();
    }

    private static List<String> keys(Node node) {
        return node.taints().stream().map(Taint::key).sorted().toList();
    }

    /** Somebody has removed {@code uninitialized} by writing the list of before. */
    private Node wiped() {
        return new Node(node.metadata().withResourceVersion("3"), node.providerId(), List.of());
    }

    private PoolReconciler reconciler(NodePolicy policy) {
        ApiServer server = new ApiServer(new UnaskedServer());
        ManagementCluster management = new ManagementCluster(server, "", timers);
        management.clusters().put(new Cluster(metadata(CLUSTER, "1"), false, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of()));
        PoolInfrastructure infrastructure = new PoolInfrastructure(server, timers, new SimpleMeterRegistry());
        ObjectCache<MachinePool> cache = new ObjectCache<>(
                MachinePools.BY_CLUSTER, MachinePools.BY_PROVIDER_ID, MachinePools.BY_NODE);
        cache.put(POOL);
        MachinePools pools = new MachinePools(management, infrastructure, cache);
        return new PoolReconciler(management, pools, new PoolScopes(management, pools, new One(), infrastructure),
                new PoolPolicy(policy),
                new MachinePoolModule(new MachinePoolConfig(), true, Initialization.WHEN_UNTRACKED,
                        NoExecuteLimit.Settings.NONE).initializing(timers, leadership));
    }

    private static Metadata metadata(ObjectKey key, String version) {
        return new Metadata(key, "uid", version, Map.of(), Map.of(), List.of(), false);
    }

    private final class One implements NodeListers, NodeView {
        @Override
        public Optional<? extends NodeView> find(ObjectKey cluster) {
            return Optional.of(this);
        }

        @Override
        public void subscribe(WorkloadListener<Node> listener) {}

        @Override
        public Optional<Node> node(String name) {
            return Optional.of(node);
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return List.of(node);
        }
    }
}
