package io.nodeward.controller.machine;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Cluster;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.meta.Condition;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.NodeView;
import io.nodeward.api.node.Taint;
import io.nodeward.core.runtime.cluster.ManagementCluster;
import io.nodeward.core.runtime.cluster.NodeListers;
import io.nodeward.core.runtime.controller.Decision;
import io.nodeward.core.runtime.controller.LimitedNodes;
import io.nodeward.core.runtime.controller.NoExecuteLimit;
import io.nodeward.core.runtime.controller.ObjectChange;
import io.nodeward.core.runtime.controller.WorkloadListener;
import io.nodeward.core.runtime.status.ObjectId;
import io.nodeward.core.runtime.status.Target;
import io.nodeward.core.runtime.time.Timers;
import io.nodeward.core.spi.ApiServer;
import io.nodeward.core.testkit.ManualTime;
import io.nodeward.core.testkit.UnaskedServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class MachineWatchesTest {
    private static final ObjectKey CLUSTER = new ObjectKey("ns", "c");

    private final ManualTime time = new ManualTime();
    private final ManagementCluster management = management();
    private final NoExecuteLimit<ObjectId, ObjectKey> limit =
            new NoExecuteLimit<>(NoExecuteLimit.Settings.DEFAULT, time::nanoTime);
    private final NodeOwners owners = new NodeOwners(management, time);
    private final MachineWatches watches = new MachineWatches(management, new NoClusters(), limit);

    @Test
    void a_machine_concerns_itself_once() {
        Machine before = machine("m", "fake://m", "");
        Machine after = machine("m", "fake://m", "n");
        assertThat(watches.mapMachine(null, after)).containsExactly(key("m"));
        assertThat(watches.mapMachine(before, after)).containsExactly(key("m"));
        assertThat(watches.mapMachine(after, null)).containsExactly(key("m"));
    }

    @Test
    void a_condition_of_a_machine_concerns_nobody() {
        Machine before = machine("m", "fake://m", "");
        Machine after = new Machine(before.metadata(), before.clusterName(), before.providerId(), before.nodeName(),
                before.taints(), List.of(new Condition("nodeward.io/Any", "True", "Any", "any", Instant.EPOCH)));
        assertThat(watches.mapMachine(before, after)).isEmpty();
    }

    @Test
    void a_machine_that_claims_another_node_concerns_all_that_claim_either() {
        put(machine("a", "fake://1", ""));
        put(machine("b", "fake://2", ""));
        Machine after = put(machine("m", "fake://2", ""));
        assertThat(watches.mapMachine(machine("m", "fake://1", ""), after))
                .containsExactlyInAnyOrder(key("m"), key("a"), key("b"));
    }

    @Test
    void a_cluster_that_is_paused_or_is_no_more_concerns_its_machines() {
        put(machine("a", "", ""));
        put(machine("b", "", ""));
        assertThat(watches.mapCluster(cluster(true), cluster(false))).containsExactly(key("a"), key("b"));
        assertThat(watches.mapCluster(null, cluster(false))).containsExactly(key("a"), key("b"));
        assertThat(watches.mapCluster(cluster(false), null)).containsExactly(key("a"), key("b"));
        assertThat(watches.mapCluster(cluster(false), cluster(false))).isEmpty();
        assertThat(watches.mapAvailable(CLUSTER)).containsExactly(key("a"), key("b"));
        assertThat(watches.mapAvailable(new ObjectKey("ns", "other"))).isEmpty();
    }

    @Test
    void a_node_concerns_the_machines_that_claim_it_before_or_after_each_once() {
        put(machine("by-id", "fake://1", ""));
        put(machine("by-name", "", "n"));
        put(machine("both", "fake://1", "n"));
        put(machine("other", "fake://2", ""));
        assertThat(watches.mapNode(CLUSTER, node("fake://1"), node("fake://1")))
                .containsExactlyInAnyOrder(key("by-id"), key("by-name"), key("both"));
        assertThat(watches.mapNode(CLUSTER, node("fake://1"), node("fake://2")))
                .containsExactlyInAnyOrder(key("by-id"), key("by-name"), key("both"), key("other"));
        assertThat(watches.mapNode(new ObjectKey("ns", "other"), null, node("fake://1"))).isEmpty();
    }

    @Test
    void a_deployment_that_comes_concerns_all_that_have_counted_for_its_cluster() {
        count(put(deployed("m", "d")), false);
        count(put(machine("free", "", "")), true);
        count(put(machine("other", "", "", "another")), true);
        assertThat(watches.mapDeployment(null, deployment("d", "0"))).containsExactlyInAnyOrder(key("m"), key("free"));
        assertThat(watches.mapDeployment(null, deployment("d", "0", "none"))).isEmpty();
    }

    @Test
    void a_deployment_that_goes_concerns_all_that_have_counted_for_it() {
        owners.deployments().put(deployment("d", "0"));
        owners.deployments().put(deployment("e", "0"));
        count(put(deployed("m", "d")), false);
        count(put(deployed("waiting", "d")), true);
        count(put(deployed("other", "e")), true);
        count(put(machine("free", "", "")), true);
        assertThat(watches.mapDeployment(deployment("d", "0"), null))
                .containsExactlyInAnyOrder(key("m"), key("waiting"));
        assertThat(watches.mapDeployment(deployment("none", "0"), null)).isEmpty();
    }

    @Test
    void a_confirmation_concerns_the_machines_of_its_owner_that_wait() {
        owners.deployments().put(deployment("d", "0"));
        count(put(deployed("m", "d")), false);
        count(put(deployed("waiting", "d")), true);
        count(put(machine("free", "", "")), true);
        count(put(machine("still", "", "")), false);
        assertThat(watches.mapDeployment(deployment("d", "0"), deployment("d", "2"))).containsExactly(key("waiting"));
        assertThat(watches.mapDeployment(deployment("d", "2"), deployment("d", "2"))).isEmpty();
        assertThat(watches.mapCluster(cluster(false), confirmed())).containsExactly(key("free"));
    }

    /** As when the Machine's Node was decided on. */
    private void count(Machine machine, boolean evicts) {
        Node node = node("");
        NodeChange change = new NodeChange("n", "1",
                Optional.of(List.of(Taint.of("out", "", "NoExecute"))).filter(any -> evicts), new TreeMap<>(),
                new TreeMap<>());
        new LimitedNodes<>(any -> new Decision.Change(Target.of("v1beta2", machine),
                ObjectChange.node(machine.cluster(), node, change), "declared", List.of(), Optional.empty()), limit,
                owners)
                .reconcile(machine.key());
    }

    @Test
    void a_machine_is_in_the_lane_of_its_cluster() {
        put(machine("m", "", ""));
        assertThat(watches.lane(key("m"))).isEqualTo("ns/c");
        assertThat(watches.lane(key("gone"))).isEmpty();
    }

    private Machine put(Machine machine) {
        management.machines().put(machine);
        return machine;
    }

    private ManagementCluster management() {
        ApiServer server = new ApiServer(new UnaskedServer());
        return new ManagementCluster(server, "", new Timers(time, time::nanoTime));
    }

    private static ObjectKey key(String name) {
        return new ObjectKey("ns", name);
    }

    private static Machine machine(String name, String providerId, String nodeName) {
        return machine(name, providerId, nodeName, CLUSTER.name());
    }

    private static Machine machine(String name, String providerId, String nodeName, String cluster) {
        return new Machine(metadata(key(name)), cluster, providerId, nodeName, List.of(), List.of());
    }

    private static Machine deployed(String name, String deployment) {
        return new Machine(new Metadata(key(name), "uid of " + name, "1",
                Map.of("cluster.x-k8s.io/deployment-name", deployment), Map.of(), List.of(), false),
                CLUSTER.name(), "", "", List.of(), List.of());
    }

    private static TaintHolder deployment(String name, String confirmed) {
        return deployment(name, confirmed, CLUSTER.name());
    }

    private static TaintHolder deployment(String name, String confirmed, String cluster) {
        return new TaintHolder(confirming(key(name), confirmed), cluster, List.of(), List.of(), List.of(), 0);
    }

    private static Cluster confirmed() {
        return new Cluster(confirming(CLUSTER, "2"), false, Cluster.ControlPlaneRef.NONE,
                Cluster.Initialization.INITIALIZED, List.of());
    }

    private static Metadata confirming(ObjectKey key, String nodes) {
        return new Metadata(key, "uid of " + key.name(), "1", Map.of(),
                Map.of("nodeward.io/confirmed-noexecute-nodes", nodes), List.of(), false);
    }

    private static Cluster cluster(boolean paused) {
        return new Cluster(metadata(CLUSTER), paused, Cluster.ControlPlaneRef.NONE, Cluster.Initialization.INITIALIZED,
                List.of());
    }

    private static Node node(String providerId) {
        return new Node(metadata(ObjectKey.clusterScoped("n")), providerId, List.of());
    }

    private static Metadata metadata(ObjectKey key) {
        return new Metadata(key, "uid of " + key.name(), "1", Map.of(), Map.of(), List.of(), false);
    }

    /** None is connected. */
    private static final class NoClusters implements NodeListers {
        @Override
        public Optional<? extends NodeView> find(ObjectKey cluster) {
            return Optional.empty();
        }

        @Override
        public void subscribe(WorkloadListener<Node> listener) {}
    }
}
