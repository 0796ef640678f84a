package io.nodeward.core.rules.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachinePool;
import io.nodeward.api.machine.MachinePool.NodeRef;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.Cases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What holds in every fleet, however badly it is kept. */
class NodeMatcherLawsTest {
    private static final List<String> IDS = List.of("", "p1", "p2", "p3");
    private static final List<String> NAMES = List.of("", "n1", "n2", "n3");

    private static void inEachFleet(Consumer<KnownFleet> law) {
        for (long seed = 0; seed < Cases.COUNT; seed++) {
            law.accept(fleet(Cases.random(seed)));
        }
    }

    private static KnownFleet fleet(Random random) {
        KnownFleet fleet = new KnownFleet();
        IntStream.rangeClosed(1, 1 + random.nextInt(3)).forEach(i -> fleet.with(
                KnownFleet.node("n" + i, one(random, IDS))));
        IntStream.range(0, random.nextInt(4)).forEach(i -> fleet.with(machine("m" + i, random)));
        IntStream.range(0, random.nextInt(3)).forEach(i -> fleet.with(pool("p" + i, random)));
        return fleet;
    }

    private static Machine machine(String name, Random random) {
        String id = one(random, IDS);
        String node = one(random, NAMES);
        return random.nextInt(5) == 0
                ? KnownFleet.ofPool(name, id, node, "p0")
                : KnownFleet.machine(name, id, node);
    }

    private static MachinePool pool(String name, Random random) {
        List<String> ids = IntStream.range(0, random.nextInt(3)).mapToObj(i -> one(random, IDS)).toList();
        NodeRef[] refs = IntStream.range(0, random.nextInt(3)).mapToObj(i -> {
            String node = one(random, NAMES);
            return new NodeRef(node, one(random, List.of("", "uid-" + node, "gone")));
        }).toArray(NodeRef[]::new);
        return KnownFleet.pool(name, ids, refs);
    }

    private static String one(Random random, List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    /** All that are matched with a Node, found from the side of the owners. */
    private static List<Object> matched(Node node, KnownFleet fleet) {
        List<Object> owners = new ArrayList<>();
        for (Machine machine : fleet.machines) {
            if (NodeMatcher.match(machine, fleet, fleet).equals(new MachineMatch.Matched(node))) {
                owners.add(machine);
            }
        }
        for (MachinePool pool : fleet.pools) {
            if (NodeMatcher.match(pool, node.key().name(), fleet.view()).equals(new PoolMatch.Matched(node))) {
                owners.add(pool);
            }
        }
        return owners;
    }

    @Test
    void a_node_has_the_owner_that_is_matched_with_it_and_never_two() {
        inEachFleet(fleet -> fleet.nodes.forEach(node -> {
            List<Object> expected = switch (NodeMatcher.owner(KnownFleet.CLUSTER, node, fleet.view())) {
                case NodeOwner.OfMachine of -> List.of(of.machine());
                case NodeOwner.OfPool of -> List.of(of.pool());
                case NodeOwner.Contested by -> List.of();
                case NodeOwner.OnlyNamed by -> List.of();
                case NodeOwner.Nobody nobody -> List.of();
            };
            assertThat(matched(node, fleet)).as("%s in\n%s", node.key(), fleet).isEqualTo(expected);
        }));
    }

    @Test
    void a_node_is_nobodys_where_nothing_claims_it_and_ambiguous_where_somebody_is_blocked_on_it() {
        inEachFleet(fleet -> fleet.nodes.forEach(node -> {
            boolean claimed = fleet.machines.stream().anyMatch(m -> NodeMatcher.claimed(m, fleet).contains(node))
                    || fleet.pools.stream().filter(pool -> !fleet.hasMachines(pool))
                            .anyMatch(pool -> NodeMatcher.joined(pool, fleet).containsValue(node));
            NodeOwner owner = NodeMatcher.owner(KnownFleet.CLUSTER, node, fleet.view());
            assertThat(owner instanceof NodeOwner.Nobody).as("%s in\n%s", node.key(), fleet).isEqualTo(!claimed);
            if (owner instanceof NodeOwner.Contested by) {
                assertThat(by.machines()).allMatch(m -> NodeMatcher.claimed(m, fleet).contains(node));
                assertThat(by.twins()).isEqualTo(!node.providerId().isEmpty()
                        && fleet.nodesByProviderId(node.providerId()).size() > 1);
            }
        }));
    }

    @Test
    void a_pool_lists_the_nodes_that_it_claims() {
        inEachFleet(fleet -> fleet.nodes.forEach(node -> fleet.pools.forEach(pool -> assertThat(
                NodeMatcher.joined(pool, fleet).containsKey(node.key().name())).as("%s of %s", node.key(), fleet)
                .isEqualTo(NodeMatcher.poolsClaiming(KnownFleet.CLUSTER, node, fleet).contains(pool)))));
    }

    @Test
    void a_machine_claims_the_nodes_that_it_is_claiming() {
        inEachFleet(fleet -> fleet.nodes.forEach(node -> assertThat(
                NodeMatcher.machinesClaiming(KnownFleet.CLUSTER, node, fleet)).doesNotHaveDuplicates()
                .containsExactlyInAnyOrderElementsOf(fleet.machines.stream()
                        .filter(machine -> NodeMatcher.claimed(machine, fleet).contains(node)).toList())));
    }

    /** A trigger that adds the rivals to the queue misses nothing. */
    @Test
    void a_machine_that_comes_or_goes_changes_the_match_of_its_rivals_alone() {
        inEachFleet(fleet -> fleet.machines.forEach(machine -> {
            KnownFleet without = fleet.without(machine);
            Set<ObjectKey> changed = new HashSet<>();
            without.machines.stream().filter(other -> !NodeMatcher.match(other, fleet, fleet)
                    .equals(NodeMatcher.match(other, without, without))).forEach(other -> changed.add(other.key()));
            assertThat(NodeMatcher.rivals(machine, without, without)).as("%s in\n%s", machine.key(), fleet)
                    .containsAll(changed);
        }));
    }

    /** Likewise of a Node's. */
    @Test
    void a_node_that_goes_changes_the_match_of_those_that_claim_it_alone() {
        inEachFleet(fleet -> {
            Node node = fleet.nodes.getLast();
            List<Machine> claiming = NodeMatcher.machinesClaiming(KnownFleet.CLUSTER, node, fleet);
            List<MachineMatch> before = fleet.machines.stream().map(m -> NodeMatcher.match(m, fleet, fleet)).toList();
            fleet.nodes.removeLast();
            for (int i = 0; i < before.size(); i++) {
                Machine machine = fleet.machines.get(i);
                if (!claiming.contains(machine)) {
                    assertThat(NodeMatcher.match(machine, fleet, fleet)).as("%s", fleet).isEqualTo(before.get(i));
                }
            }
        });
    }
}
