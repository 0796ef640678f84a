package io.nodeward.core.rules.fleet;

import static io.nodeward.core.rules.fleet.KnownFleet.CLUSTER;
import static io.nodeward.core.rules.fleet.KnownFleet.machine;
import static io.nodeward.core.rules.fleet.KnownFleet.node;
import static io.nodeward.core.rules.fleet.KnownFleet.ofPool;
import static io.nodeward.core.rules.fleet.KnownFleet.pool;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeView;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class NodeMatcherTest {
    private static final Node N1 = node("n1", "p1");
    private static final Node TWIN = node("twin", "p1");
    private static final Node BARE = node("bare", "");
    private static final Machine M1 = machine("m1", "p1", "");

    private static MachineMatch match(Machine machine, KnownFleet fleet) {
        return NodeMatcher.match(machine, fleet, fleet);
    }

    private static PoolMatch match(MachinePool pool, String node, KnownFleet fleet) {
        return NodeMatcher.match(pool, node, fleet.view());
    }

    private static NodeOwner owner(Node node, KnownFleet fleet) {
        return NodeMatcher.owner(CLUSTER, node, fleet.view());
    }

    private static PoolMatch.NotMatched notMatched(String reason) {
        return new PoolMatch.NotMatched(reason);
    }

    @Test
    void a_machine_has_the_node_of_its_provider_id_whatever_its_status_names() {
        Machine other = machine("m1", "p1", "bare");
        KnownFleet fleet = new KnownFleet().with(other).with(N1).with(BARE);
        assertThat(match(other, fleet)).isEqualTo(new MachineMatch.Matched(N1));
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.OfMachine(other));
    }

    @Test
    void a_machine_whose_labels_are_not_known_has_no_node_and_keeps_it_from_others() {
        Machine known = machine("m1", "p1", "");
        Machine truncated = new Machine(known.metadata(), known.clusterName(), known.providerId(), known.nodeName(),
                known.taints(), known.conditions(), List.of("metadata.labels"));
        KnownFleet fleet = new KnownFleet().with(truncated).with(N1);
        assertThat(match(truncated, fleet)).isEqualTo(new Ambiguous(Reason.METADATA_TOO_LONG, "metadata.labels: labels"
                + " and annotations of this Machine have more than 65536 characters; its Node is not changed"));
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Contested(List.of(truncated), List.of(), false));
    }

    @Test
    void a_machine_whose_node_is_not_there_waits_for_it() {
        assertThat(match(M1, new KnownFleet().with(M1).with(BARE)))
                .isEqualTo(new MachineMatch.NotJoined("no Node has providerID p1"));
        Machine named = machine("m", "", "n1");
        assertThat(match(named, new KnownFleet().with(named)))
                .isEqualTo(new MachineMatch.NotJoined("there is no Node n1"));
        Machine fresh = machine("m", "", "");
        assertThat(match(fresh, new KnownFleet().with(fresh).with(BARE)))
                .isEqualTo(new MachineMatch.Waiting("spec.providerID"));
    }

    @Test
    void machines_with_one_provider_id_have_no_node() {
        Machine second = machine("m2", "p1", "");
        KnownFleet fleet = new KnownFleet().with(second).with(M1).with(N1);
        Ambiguous expected = new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE,
                "several Machines have providerID p1: m1, m2; none of them is propagated");
        assertThat(match(M1, fleet)).isEqualTo(expected);
        assertThat(match(second, fleet)).isEqualTo(expected);
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Contested(List.of(M1, second), List.of(), false));
    }

    @Test
    void nodes_with_one_provider_id_have_no_machine() {
        KnownFleet fleet = new KnownFleet().with(M1).with(TWIN).with(N1);
        assertThat(match(M1, fleet)).isEqualTo(new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE,
                "several Nodes have providerID p1: n1, twin; none of them is changed"));
        assertThat(owner(TWIN, fleet)).isEqualTo(new NodeOwner.Contested(List.of(M1), List.of(), true));
    }

    /** A broken provider may set one providerID on many Nodes; each event of one of them is decided on. */
    @Test
    void of_thousands_of_nodes_with_one_provider_id_few_are_looked_at_and_named() {
        MachinePool pool = pool("p", List.of("p1"));
        KnownFleet machine = new KnownFleet().with(M1);
        KnownFleet pools = new KnownFleet().with(pool);
        Twins twins = new Twins(3_000);
        Node any = twins.nodes.get(1_234);
        assertThat(NodeMatcher.match(M1, machine, twins)).isEqualTo(new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE,
                "several Nodes have providerID p1: n1000, n1001, n1002, n1003, n1004, n1005, n1006, n1007, n1008, n1009,"
                        + " ...; none of them is changed"));
        assertThat(twins.looks()).isLessThanOrEqualTo(11);
        assertThat(NodeMatcher.match(pool, any.key().name(), new FleetView(pools, pools, twins)))
                .isEqualTo(new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE,
                        "several Nodes have providerID p1; none of them is changed"));
        assertThat(twins.looks()).isLessThanOrEqualTo(2);
        assertThat(NodeMatcher.owner(CLUSTER, any, new FleetView(pools, pools, twins)))
                .isEqualTo(new NodeOwner.Contested(List.of(), List.of(pool), true));
        assertThat(twins.looks()).isLessThanOrEqualTo(4);
        assertThat(NodeMatcher.owner(CLUSTER, any, new FleetView(machine, machine, twins)))
                .isEqualTo(new NodeOwner.Contested(List.of(M1), List.of(), true));
        assertThat(twins.looks()).isLessThanOrEqualTo(13);
    }

    @Test
    void a_message_names_ten_nodes_without_saying_that_there_are_more() {
        Ambiguous ten = (Ambiguous) NodeMatcher.match(M1, new KnownFleet().with(M1), new Twins(10));
        assertThat(ten.message()).contains("n1008, n1009; none");
    }

    /** Nodes with providerID p1, and how many of them were handed out. */
    private static final class Twins implements NodeView {
        private final List<Node> nodes;
        private int looks;

        Twins(int count) {
            nodes = IntStream.range(0, count).mapToObj(i -> KnownFleet.node("n" + (1_000 + i), "p1")).toList();
        }

        /** Since this was asked last. */
        int looks() {
            int since = looks;
            looks = 0;
            return since;
        }

        @Override
        public Optional<Node> node(String name) {
            return nodes.stream().filter(node -> node.key().name().equals(name)).findFirst();
        }

        @Override
        public List<Node> nodesByProviderId(String providerId) {
            return nodesByProviderId(providerId, nodes.size());
        }

        @Override
        public List<Node> nodesByProviderId(String providerId, int atMost) {
            List<Node> found = nodes.subList(0, Math.min(atMost, nodes.size()));
            looks += found.size();
            return found;
        }
    }

    @Test
    void a_machine_without_provider_id_has_the_node_it_names_unless_another_claims_it() {
        Machine named = machine("m", "", "n1");
        KnownFleet alone = new KnownFleet().with(named).with(N1);
        assertThat(match(named, alone)).isEqualTo(new MachineMatch.Matched(N1));
        assertThat(match(named, alone.with(TWIN))).as("its name is its own").isEqualTo(new MachineMatch.Matched(N1));
        String also = "Node n1 is also the Node of %s; this Machine has no providerID and is not propagated";
        for (Machine other : List.of(machine("m1", "p1", ""), machine("m1", "", "n1"), machine("m1", "p9", "n1"),
                machine("m1", "p1", "n1"))) {
            assertThat(match(named, new KnownFleet().with(named).with(other).with(N1))).as("%s", other)
                    .isEqualTo(new Ambiguous(Reason.NODE_CLAIMED_TWICE, also.formatted("m1")));
        }
        KnownFleet both = new KnownFleet().with(named).with(M1).with(machine("a", "", "n1")).with(N1);
        assertThat(match(named, both)).as("those that name it come first")
                .isEqualTo(new Ambiguous(Reason.NODE_CLAIMED_TWICE, also.formatted("a, m1")));
    }

    @Test
    void the_machine_with_the_provider_id_has_the_node_that_others_only_name() {
        KnownFleet fleet = new KnownFleet().with(machine("a", "", "n1")).with(machine("b", "p9", "n1")).with(M1)
                .with(N1);
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.OfMachine(M1));
    }

    @Test
    void a_node_without_provider_id_is_tied_to_no_machine_or_pool_by_that() {
        Machine fresh = machine("m", "", "");
        KnownFleet fleet = new KnownFleet().with(fresh).with(pool("p", List.of(""))).with(BARE)
                .with(node("other", ""));
        assertThat(owner(BARE, fleet)).isEqualTo(new NodeOwner.Nobody());
        assertThat(match(fleet.pools.get(0), "bare", fleet)).isEqualTo(notMatched("the pool does not list the Node"));
        assertThat(NodeMatcher.joined(fleet.pools.get(0), fleet)).isEmpty();
        assertThat(NodeMatcher.claimed(fresh, fleet)).isEmpty();
        MachinePool byName = pool("q", List.of(), new NodeRef("bare", ""));
        assertThat(match(byName, "bare", fleet.with(byName))).as("two Nodes without one are no twins")
                .isEqualTo(new PoolMatch.Matched(BARE));
    }

    @Test
    void a_node_that_machines_of_other_nodes_name_is_nobodys() {
        Machine stale = machine("m", "p9", "n1");
        MachinePool pool = pool("p", List.of("p1"));
        KnownFleet fleet = new KnownFleet().with(stale).with(pool).with(N1);
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.OnlyNamed(List.of(stale)));
        assertThat(match(pool, "n1", fleet)).isEqualTo(notMatched("the Node is that of Machine m"));
        assertThat(owner(N1, fleet.with(machine("a", "", "n1")))).as("one that has no other Node")
                .isEqualTo(new NodeOwner.Contested(List.of(fleet.machines.get(1), stale), List.of(), false));
    }

    @Test
    void a_pool_has_the_nodes_it_lists_by_provider_id_or_by_reference() {
        MachinePool pool = pool("p", List.of("p1", "p1", "p2"), new NodeRef("bare", "uid-bare"));
        KnownFleet fleet = new KnownFleet().with(pool).with(N1).with(BARE).with(node("n3", "p3"));
        assertThat(match(pool, "n1", fleet)).isEqualTo(new PoolMatch.Matched(N1));
        assertThat(match(pool, "bare", fleet)).isEqualTo(new PoolMatch.Matched(BARE));
        assertThat(match(pool, "n3", fleet)).isEqualTo(notMatched("the pool does not list the Node"));
        assertThat(match(pool, "gone", fleet)).isEqualTo(notMatched("there is no such Node"));
        assertThat(owner(BARE, fleet)).isEqualTo(new NodeOwner.OfPool(pool));
        assertThat(NodeMatcher.joined(pool, fleet)).containsOnlyKeys("n1", "bare").containsEntry("n1", N1);
    }

    @Test
    void a_reference_with_another_uid_is_to_a_node_that_is_gone() {
        MachinePool gone = pool("p", List.of(), new NodeRef("bare", "another"));
        MachinePool any = pool("q", List.of(), new NodeRef("bare", ""));
        KnownFleet fleet = new KnownFleet().with(gone).with(BARE);
        assertThat(match(gone, "bare", fleet)).isEqualTo(notMatched("the pool does not list the Node"));
        assertThat(owner(BARE, fleet)).isEqualTo(new NodeOwner.Nobody());
        assertThat(NodeMatcher.joined(gone, fleet)).isEmpty();
        assertThat(owner(BARE, fleet.with(any))).isEqualTo(new NodeOwner.OfPool(any));
        assertThat(NodeMatcher.joined(any, fleet)).containsOnlyKeys("bare");
    }

    @Test
    void a_pool_leaves_its_nodes_to_its_machines() {
        MachinePool pool = pool("p", List.of("p1"));
        KnownFleet fleet = new KnownFleet().with(ofPool("m", "p9", "", "p")).with(pool).with(N1);
        assertThat(match(pool, "n1", fleet)).isEqualTo(notMatched("this pool has Machines, which have its Nodes"));
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Nobody());
        MachinePool second = pool("q", List.of("p1"));
        assertThat(owner(N1, fleet.with(second))).as("which of both it is from is not known")
                .isEqualTo(new NodeOwner.Contested(List.of(), List.of(pool, second), false));
    }

    @Test
    void a_machine_goes_before_a_pool() {
        MachinePool pool = pool("p", List.of("p1"));
        KnownFleet fleet = new KnownFleet().with(M1).with(pool).with(N1);
        assertThat(match(pool, "n1", fleet)).isEqualTo(notMatched("the Node is that of Machine m1"));
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.OfMachine(M1));
    }

    @Test
    void a_node_of_two_pools_is_nobodys() {
        MachinePool p = pool("p", List.of("p1"));
        MachinePool q = pool("a", List.of(), new NodeRef("n1", ""));
        KnownFleet fleet = new KnownFleet().with(p).with(q).with(N1);
        Ambiguous expected = new Ambiguous(Reason.NODE_CLAIMED_TWICE,
                "Node n1 is claimed by MachinePools a, p; none of them is propagated");
        assertThat(match(p, "n1", fleet)).isEqualTo(expected);
        assertThat(match(q, "n1", fleet)).isEqualTo(expected);
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Contested(List.of(), List.of(p, q), false));
        assertThat(
                match(p, "n1", new KnownFleet().with(pool("p", List.of("p1"), new NodeRef("n1", "uid-n1"))).with(N1)))
                .as("claimed twice by one").isEqualTo(new PoolMatch.Matched(N1));
    }

    @Test
    void nodes_with_one_provider_id_have_no_pool() {
        MachinePool pool = pool("p", List.of(), new NodeRef("n1", ""));
        KnownFleet fleet = new KnownFleet().with(pool).with(N1).with(TWIN);
        assertThat(match(pool, "n1", fleet)).isEqualTo(new Ambiguous(Reason.PROVIDER_ID_NOT_UNIQUE,
                "several Nodes have providerID p1; none of them is changed"));
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Contested(List.of(), List.of(pool), true));
    }

    @Test
    void what_belongs_to_another_cluster_claims_nothing() {
        KnownFleet fleet = new KnownFleet().with(new Machine(M1.metadata(), "other", "p1", "n1", List.of(), List.of()))
                .with(N1);
        assertThat(owner(N1, fleet)).isEqualTo(new NodeOwner.Nobody());
    }

    @Test
    void a_machine_claims_the_nodes_of_its_provider_id_and_the_one_it_names() {
        KnownFleet fleet = new KnownFleet().with(N1).with(TWIN).with(BARE);
        assertThat(NodeMatcher.claimed(machine("m", "p1", "bare"), fleet)).containsExactly(N1, TWIN, BARE);
        assertThat(NodeMatcher.claimed(machine("m", "p1", "n1"), fleet)).containsExactly(N1, TWIN);
        assertThat(NodeMatcher.claimed(machine("m", "p1", "n1"), NodeView.NONE)).isEmpty();
    }

    @Test
    void rivals_of_a_machine_that_is_known_by_its_provider_id_are_those_that_name_its_node() {
        Machine named = machine("named", "", "n1");
        KnownFleet fleet = new KnownFleet().with(named).with(machine("same", "p1", "")).with(machine("other", "p2", ""))
                .with(machine("fresh", "", "")).with(N1);
        assertThat(NodeMatcher.rivals(M1, fleet, fleet)).extracting(key -> key.name())
                .containsExactlyInAnyOrder("named", "same");
        assertThat(NodeMatcher.rivals(M1, fleet, NodeView.NONE)).extracting(key -> key.name())
                .containsExactly("same");
        assertThat(NodeMatcher.rivals(machine("m", "", "n1"), fleet, fleet)).extracting(key -> key.name())
                .containsExactly("named");
        assertThat(NodeMatcher.rivals(machine("m", "", ""), fleet, fleet)).isEmpty();
    }
}
