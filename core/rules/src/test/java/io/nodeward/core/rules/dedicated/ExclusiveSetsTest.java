package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Exclusive groups with different keys let a pod of both run on Nodes of both only. */
class ExclusiveSetsTest {
    private static final List<Node> NODES = List.of(node("a"), node("b"), node("c"));
    private static final CandidatePod POD = pod("team/p", "");
    private static final Make TENANT =
            group("tenant").taint("tenant", "x", DedicatedEffect.NoSchedule).namespaces("team").exclusive().names("a");
    private static final Make GPU =
            group("gpu").taint("gpu", "", DedicatedEffect.NoSchedule).namespaces("team").exclusive();

    @Test
    void no_common_node_is_a_contradiction() {
        assertThat(conflicts(GPU.names("b", "c"), POD)).containsExactly(new Conflict(Reason.EXCLUSIVE_SETS, "tenant",
                "DedicatedNodes tenant is exclusive for some of the same pods, and no Node is of both"));
    }

    @Test
    void a_common_node_is_enough() {
        assertThat(conflicts(GPU.names("b", "a"), POD)).isEmpty();
    }

    @Test
    void both_have_to_be_exclusive() {
        Make open = group("open").taint("gpu", "", DedicatedEffect.NoSchedule).namespaces("team").names("b");
        assertThat(conflicts(open, POD)).isEmpty();
        ListedCluster facts = facts(NODES, POD);
        assertThat(Make.resolution(List.of(open.established(), TENANT.declared()), facts).find("tenant").orElseThrow()
                .conflicts()).isEmpty();
    }

    @Test
    void pods_that_only_one_of_two_groups_with_one_key_has_need_a_node_of_that_one() {
        Make first = TENANT.namespaces("a");
        Make second = group("second").taint("tenant", "y", DedicatedEffect.NoSchedule).namespaces("b").exclusive()
                .names("b");
        List<DeclaredGroup> declared = List.of(
                first.established(), second.established(), GPU.namespaces("a", "b").names("a").declared());
        assertThat(Make.resolution(declared, facts(NODES)).find("gpu").orElseThrow().conflicts())
                .extracting(Conflict::other).containsExactly("second");
    }

    @Test
    void a_group_needs_a_node_of_each_of_two_groups_with_one_key() {
        Make sibling = group("sibling").taint("tenant", "y", DedicatedEffect.NoSchedule).namespaces("team").exclusive()
                .names("b");
        assertThat(conflicts(sibling, POD)).isEmpty();
        ListedCluster facts = facts(NODES, POD);
        Resolution resolution = Make.resolution(
                List.of(TENANT.established(), sibling.established(), GPU.names("a", "b").declared()), facts);
        assertThat(resolution.find("gpu").orElseThrow().conflicts()).isEmpty();
        Resolution one = Make.resolution(
                List.of(TENANT.established(), sibling.established(), GPU.names("b").declared()), facts);
        assertThat(one.find("gpu").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("tenant");
    }

    @Test
    void the_other_is_one_with_another_key() {
        Make alike = group("alike").taint("gpu", "other", DedicatedEffect.NoSchedule).namespaces("team").exclusive()
                .names("c");
        Make gpu = group("gpu").taint("gpu", "", DedicatedEffect.NoSchedule).namespaces("team").exclusive().names("b");
        Resolution resolution = Make.resolution(
                List.of(alike.established(), gpu.declared(), TENANT.established()), facts(NODES, POD));
        assertThat(resolution.find("gpu").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("tenant");
    }

    @Test
    void groups_without_a_common_pod_have_nothing_to_contradict() {
        Make other = GPU.namespaces("other").names("b");
        assertThat(conflicts(other, POD, pod("other/p", ""))).isEmpty();
    }

    @Test
    void a_namespace_without_pods_counts() {
        assertThat(conflicts(GPU.names("b"))).hasSize(1);
        Make labelled = GPU.names("b").who(new Who(List.of(), Optional.of(selector("a", "b")), List.of(),
                Optional.empty(), List.of(), List.of()));
        for (String label : List.of("b", "c")) {
            ListedCluster facts =
                    new ListedCluster(new NodeSets(NODES), List.of(), members(Map.of("team", Map.of("a", label))));
            assertThat(Make.resolution(List.of(TENANT.established(), labelled.declared()), facts).find("gpu")
                    .orElseThrow().conflicts()).hasSize(label.equals("b") ? 1 : 0);
        }
    }

    @Test
    void service_accounts_count_and_what_only_single_pods_have_does_not() {
        Who account = who(List.of(new ObjectKey("team", "build")), List.of());
        Make builders = GPU.names("b").who(account);
        assertThat(conflicts(builders)).as("a namespace has it").hasSize(1);
        assertThat(between(TENANT.who(account), builders)).as("both have it").hasSize(1);
        assertThat(between(TENANT.who(account), GPU.names("b"))).as("the other way round").hasSize(1);
        Who other = who(List.of(new ObjectKey("team", "other"), new ObjectKey("x", "build")), List.of());
        assertThat(between(TENANT.who(account), GPU.names("b").who(other))).isEmpty();
        Who resource = who(List.of(), List.of("example.com/gpu"));
        assertThat(conflicts(GPU.names("b").who(resource), with(POD, "x", Set.of("example.com/gpu")))).isEmpty();
    }

    private static List<Conflict> conflicts(Make declared, CandidatePod... pods) {
        return Make.resolution(List.of(TENANT.established(), declared.declared()), facts(NODES, pods))
                .find(declared.name()).orElseThrow().conflicts();
    }

    private static List<Conflict> between(Make established, Make declared) {
        return Make.resolution(List.of(established.established(), declared.declared()), facts(NODES))
                .find(declared.name()).orElseThrow().conflicts();
    }

    private static Who who(List<ObjectKey> accounts, List<String> resources) {
        return new Who(List.of(), Optional.empty(), accounts, Optional.empty(), resources, List.of());
    }
}
