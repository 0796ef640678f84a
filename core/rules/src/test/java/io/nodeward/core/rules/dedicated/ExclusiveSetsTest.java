package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.finished;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.labelled;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.mirror;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Node;
import io.nodeward.core.rules.dedicated.Conflict.Reason;
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
        ClusterFacts facts = facts(NODES, POD);
        assertThat(Resolution.of(List.of(open.established(), TENANT.declared()), facts).find("tenant").orElseThrow()
                .conflicts()).isEmpty();
    }

    @Test
    void groups_with_one_key_add_their_nodes() {
        Make sibling = group("sibling").taint("tenant", "y", DedicatedEffect.NoSchedule).namespaces("team").exclusive()
                .names("b");
        assertThat(conflicts(sibling, POD)).isEmpty();
        ClusterFacts facts = facts(NODES, POD);
        Resolution resolution = Resolution.of(
                List.of(TENANT.established(), sibling.established(), GPU.names("b").declared()), facts);
        assertThat(resolution.find("gpu").orElseThrow().conflicts()).isEmpty();
        Resolution none = Resolution.of(
                List.of(TENANT.established(), sibling.established(), GPU.names("c").declared()), facts);
        assertThat(none.find("gpu").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("sibling");
    }

    @Test
    void three_sets_may_contradict_although_each_two_have_a_node() {
        Make disk = group("disk").taint("disk", "", DedicatedEffect.NoSchedule).namespaces("team").exclusive();
        ClusterFacts facts = facts(NODES, POD);
        List<Conflict> conflicts = Resolution.of(List.of(TENANT.names("a", "b").established(),
                GPU.names("b", "c").established(), disk.names("a", "c").declared()), facts).find("disk").orElseThrow()
                .conflicts();
        assertThat(conflicts).extracting(Conflict::other).containsExactly("gpu");
    }

    @Test
    void the_other_is_one_with_another_key() {
        Make alike = group("alike").taint("gpu", "other", DedicatedEffect.NoSchedule).namespaces("team").exclusive()
                .names("c");
        Make gpu = group("gpu").taint("gpu", "", DedicatedEffect.NoSchedule).namespaces("team").exclusive().names("b");
        Resolution resolution = Resolution.of(
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
        ClusterFacts facts = new ClusterFacts(NODES, List.of(), members(Map.of("team", Map.of())));
        assertThat(Resolution.of(List.of(TENANT.established(), GPU.names("b").declared()), facts).find("gpu")
                .orElseThrow().conflicts()).hasSize(1);
        assertThat(conflicts(GPU.names("b"))).isEmpty();
    }

    @Test
    void pods_count_by_all_that_makes_them_members() {
        Who account = who(List.of(new ObjectKey("team", "build")), List.of(), List.of());
        assertThat(conflicts(GPU.names("b").who(account), with(POD, "build", Set.of()))).hasSize(1);
        assertThat(conflicts(GPU.names("b").who(account), POD)).isEmpty();
        Who resource = who(List.of(), List.of("example.com/gpu"), List.of());
        assertThat(conflicts(GPU.names("b").who(resource), with(POD, "x", Set.of("example.com/gpu")))).hasSize(1);
        Who label = new Who(List.of(), Optional.empty(), List.of(), Optional.of(selector("a", "b")), List.of(),
                List.of());
        assertThat(conflicts(GPU.names("b").who(label), labelled("team/p", "a", "b"))).hasSize(1);
    }

    @Test
    void a_claim_counts_once_it_is_known() {
        PodClaim claim = new PodClaim(true, new ObjectKey("team", "t"));
        MemberFacts known = new MemberFacts(Map.of(), any -> Optional.of(Set.of("gpu")), Set.of());
        ClusterFacts facts = new ClusterFacts(NODES, List.of(with(POD, "x", Set.of(), claim)), known);
        Make byClass = GPU.names("b").who(who(List.of(), List.of(), List.of("gpu")));
        assertThat(Resolution.of(List.of(TENANT.established(), byClass.declared()), facts).find("gpu").orElseThrow()
                .conflicts()).hasSize(1);
    }

    @Test
    void pods_that_get_no_affinity_or_have_ended_do_not_count() {
        assertThat(conflicts(GPU.names("b"), daemon("team/d", "a"), mirror("team/m", "a"), finished("team/f", "a")))
                .isEmpty();
    }

    private static List<Conflict> conflicts(Make declared, CandidatePod... pods) {
        return Resolution.of(List.of(TENANT.established(), declared.declared()), facts(NODES, pods))
                .find(declared.name()).orElseThrow().conflicts();
    }

    private static Who who(List<ObjectKey> accounts, List<String> resources, List<String> classes) {
        return new Who(List.of(), Optional.empty(), accounts, Optional.empty(), resources, classes);
    }
}
