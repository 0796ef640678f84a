package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** When the shared group may come into force. */
class SharedGroupTest {
    private static final List<Node> NODES = List.of(node("bar"), node("baz"), node("foo"));

    @Test
    void the_shared_group_waits_until_all_pods_tolerate_its_taint() {
        Toleration ours = Toleration.equalTo("dedicated", "s", "");
        DeclaredGroup wanted = shared("s").declared();
        assertThat(of(wanted, pod("a/b", "foo"), pod("a/c", ""), pod("a/d", "foo", ours))).containsExactly(
                new Conflict(Reason.PODS_CUT_OFF, "", "the taint would cut off 1 pods, and 2 pods have yet to get the"
                        + " toleration of dedicated=s"));
        assertThat(of(wanted, pod("a/c", ""))).hasSize(1);
        assertThat(of(wanted, pod("a/b", "foo", ours), pod("a/c", "", ours))).isEmpty();
        assertThat(of(shared("s").effects(DedicatedEffect.PreferNoSchedule).declared(), pod("a/b", "foo", ours)))
                .isEmpty();
    }

    @Test
    void a_shared_group_waits_too_for_pods_that_other_groups_have_on_its_nodes() {
        Make other = group("a").taint("team", "x", DedicatedEffect.NoSchedule).names("foo");
        ListedCluster facts = facts(NODES, pod("a/b", "bar", Toleration.equalTo("team", "x", "")));
        assertThat(Make.resolution(List.of(shared("s").declared(), other.established()), facts).find("s").orElseThrow()
                .conflicts()).extracting(Conflict::message).containsExactly("the taint would cut off 1 pods, and 0 pods"
                        + " have yet to get the toleration of dedicated=s");
    }

    @Test
    void a_shared_group_that_is_established_stays_and_only_another_taint_waits_for_pods() {
        Make applied = shared("s");
        assertThat(of(applied.established(), pod("a/b", "foo"))).isEmpty();
        assertThat(of(applied.confirmed(3).over(applied), pod("a/b", "foo"))).isEmpty();
        assertThat(of(applied.taint("dedicated", "t", DedicatedEffect.NoSchedule).over(applied), pod("a/b", "foo")))
                .hasSize(1);
        assertThat(of(applied.over(group("s").names("foo")), pod("a/b", "bar"))).hasSize(1);
    }

    @Test
    void a_group_that_is_not_shared_or_not_enforced_waits_for_no_pod() {
        assertThat(of(group("s").names("foo").declared(), pod("s/b", "foo"))).isEmpty();
        assertThat(of(shared("s").mode(EnforcementMode.Warn).declared(), pod("a/b", "foo"))).isEmpty();
        assertThat(of(shared("s").mode(EnforcementMode.Audit).declared(), pod("a/b", "foo"))).isEmpty();
    }

    @Test
    void a_pod_is_a_member_of_the_shared_group_until_its_claims_make_it_one_of_another() {
        PodClaim claim = new PodClaim(false, new ObjectKey("a", "c"));
        CandidatePod pod = with(pod("a/b", "", Toleration.equalTo("dedicated", "s", "")), "default", Set.of(), claim);
        Make gpu = group("gpu").names("foo").who(
                new Who(List.of(), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of("gpu")));
        assertThat(groups(gpu, shared("s")).of(pod, members())).extracting(Group::name).containsExactly("s");
        MemberFacts gpus = new MemberFacts(Map.of(), any -> Optional.of(Set.of(Set.of("gpu"))), Set.of());
        assertThat(groups(gpu, shared("s")).of(pod, gpus)).extracting(Group::name).containsExactly("gpu");
        assertThat(groups(gpu, group("a"), shared("s")).of(pod, members())).extracting(Group::name)
                .containsExactly("a");
        assertThat(groups(gpu.mode(EnforcementMode.Warn), shared("s")).of(pod, members())).extracting(Group::name)
                .containsExactly("s");
        MemberFacts known = new MemberFacts(Map.of(), any -> Optional.of(Set.of(Set.of("nic"))), Set.of());
        assertThat(groups(gpu, shared("s")).of(pod, known)).extracting(Group::name).containsExactly("s");
        PodAdmission admission = PodAdmission.of(with(pod("a/b", ""), "default", Set.of(), claim), new Author("jane"),
                groups(gpu, shared("s")), members());
        assertThat(admission.additions().tolerations()).containsExactly(Toleration.equalTo("dedicated", "s", ""));
        assertThat(admission.awaiting()).extracting(Group::name).containsExactly("gpu");
        assertThat(admission.incomplete()).isTrue();
        PodRefusals refusals = PodRefusals.of(PodWrite.created(pod, new Author("jane"), Tree.ABSENT),
                groups(gpu, shared("s")), members(), Optional.empty());
        assertThat(refusals.all()).isEmpty();
        assertThat(PodGroup.of(pod, List.of(gpu.established(), shared("s").established()), Map.of(), members(),
                List.of())).extracting(group -> group.group().name() + " " + group.relation() + " " + group.because())
                .containsExactly("gpu MAY_BE_MEMBER its claims of devices, not known here, decide",
                        "s MAY_BE_MEMBER its claims of devices, not known here, decide");
        ListedCluster cluster = facts(NODES, pod);
        Resolution both = Make.resolution(List.of(gpu.established(), shared("s").established()), cluster);
        Preview preview = Preview.of(both.find("s").orElseThrow(), both.groups(), cluster, false);
        assertThat(preview.members().count()).isOne();
        assertThat(preview.awaitingClaims()).as("it counts as a member").isZero();
    }

    private static List<Conflict> of(DeclaredGroup declared, CandidatePod... pods) {
        return Make.resolution(List.of(declared), facts(NODES, pods)).find("s").orElseThrow().conflicts();
    }
}
