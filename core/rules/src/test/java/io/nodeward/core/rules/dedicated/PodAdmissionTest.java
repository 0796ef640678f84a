package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.members;
import static io.nodeward.core.rules.dedicated.Make.mirror;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static io.nodeward.core.rules.dedicated.Make.with;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.selector.LabelSelector.Operator;
import io.nodeward.core.rules.selector.LabelSelector.Requirement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodAdmissionTest {
    private static final Author ANYBODY = new Author("jane");
    private static final Author DAEMON_SETS = new Author("system:serviceaccount:kube-system:daemon-set-controller");
    private static final Toleration BANANA = Toleration.equalTo("dedicated", "banana", "");
    private static final Requirement ON_BANANA =
            new Requirement("node-restriction.kubernetes.io/dedicated", Operator.IN, List.of("banana"));

    @Test
    void a_member_of_an_exclusive_group_gets_both_and_others_get_nothing() {
        PodAdmission member = of(pod("banana/p", ""), group("banana").exclusive(), group("cherry"));
        assertThat(member.additions()).isEqualTo(new PodAdditions(List.of(BANANA), List.of(ON_BANANA)));
        assertThat(member.groups()).extracting(Group::name).containsExactly("banana");
        assertThat(member.warnings()).isEmpty();
        PodAdmission other = of(pod("other/p", ""), group("banana").exclusive(), group("cherry"));
        assertThat(other.additions()).isEqualTo(PodAdditions.NONE);
        assertThat(other.groups()).isEmpty();
    }

    @Test
    void warn_adds_the_toleration_and_warns_of_the_affinity() {
        PodAdmission warned = of(pod("banana/p", ""), group("banana").exclusive().mode(EnforcementMode.Warn));
        assertThat(warned.additions()).isEqualTo(new PodAdditions(List.of(BANANA), List.of()));
        assertThat(warned.warnings()).containsExactly("DedicatedNodes banana: Enforce will let this pod run on Nodes"
                + " with node-restriction.kubernetes.io/dedicated=banana alone");
        assertThat(of(pod("banana/p", ""), group("banana").mode(EnforcementMode.Warn)).warnings())
                .as("not exclusive").isEmpty();
    }

    @Test
    void audit_only_counts_a_pod() {
        PodAdmission audited = of(pod("banana/p", ""), group("banana").exclusive().mode(EnforcementMode.Audit));
        assertThat(audited.additions()).isEqualTo(PodAdditions.NONE);
        assertThat(audited.warnings()).isEmpty();
        assertThat(audited.groups()).extracting(Group::name).containsExactly("banana");
    }

    @Test
    void the_shared_group_takes_who_has_no_enforced_group() {
        assertThat(of(pod("other/p", ""), group("banana"), shared("rest")).additions().tolerations())
                .containsExactly(Toleration.equalTo("dedicated", "rest", ""));
        assertThat(of(pod("banana/p", ""), group("banana"), shared("rest")).additions().tolerations())
                .containsExactly(BANANA);
        assertThat(of(pod("banana/p", ""), group("banana").mode(EnforcementMode.Audit), shared("rest")).additions()
                .tolerations()).containsExactly(Toleration.equalTo("dedicated", "rest", ""));
    }

    @ParameterizedTest
    @ValueSource(strings = {"system:serviceaccount:kube-system:daemon-set-controller",
            "system:kube-controller-manager"})
    void a_pod_of_a_daemonset_keeps_the_node_that_was_chosen_for_it(String user) {
        Make banana = group("banana").exclusive();
        assertThat(of(daemon("banana/p", ""), new Author(user), members(), banana).additions())
                .isEqualTo(new PodAdditions(List.of(BANANA), List.of()));
        assertThat(of(daemon("banana/p", ""), new Author(user), members(), banana.mode(EnforcementMode.Warn))
                .warnings()).isEmpty();
    }

    @Test
    void who_only_claims_to_be_of_a_daemonset_is_restricted() {
        assertThat(of(daemon("banana/p", ""), group("banana").exclusive()).additions().affinity())
                .containsExactly(ON_BANANA);
        assertThat(of(pod("banana/p", ""), new Author("system:kube-controller-manager"), members(),
                group("banana").exclusive()).additions().affinity()).as("of a ReplicaSet").containsExactly(ON_BANANA);
    }

    @Test
    void a_kubelet_shows_its_static_pods_as_they_are_and_nobody_else_can() {
        CandidatePod mirror = mirror("banana/p", "foo");
        Make banana = group("banana").exclusive();
        assertThat(of(mirror, new Author("system:node:foo"), members(), banana))
                .isEqualTo(new PodAdmission(List.of(), PodAdditions.NONE, List.of(), List.of(), false));
        for (String user : List.of("system:node:bar", "jane", "system:node:")) {
            assertThat(of(mirror, new Author(user), members(), banana).additions().affinity()).as(user)
                    .containsExactly(ON_BANANA);
        }
        assertThat(of(pod("banana/p", "foo"), new Author("system:node:foo"), members(), banana).additions().affinity())
                .as("no mirror").containsExactly(ON_BANANA);
    }

    @Test
    void claims_that_are_not_known_are_told_of_and_give_nothing() {
        PodClaim claim = new PodClaim(false, new ObjectKey("n", "c"));
        CandidatePod pod = with(pod("n/p", ""), "default", Set.of(), claim);
        Make gpu = group("gpu").who(
                new Who(List.of(), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of("gpu.example")));
        PodAdmission unknown = of(pod, gpu);
        assertThat(unknown.awaiting()).extracting(Group::name).containsExactly("gpu");
        assertThat(unknown.incomplete()).isTrue();
        assertThat(of(pod, gpu.mode(EnforcementMode.Warn)).incomplete()).as("it can be added later").isFalse();
        assertThat(of(with(pod("n/p", "", Toleration.exists("dedicated", "")), "default", Set.of(), claim), gpu)
                .incomplete()).as("it tolerates the taint already").isFalse();
        PodAdmission mixed = of(pod, gpu, group("n").exclusive());
        assertThat(mixed.incomplete()).isTrue();
        assertThat(mixed.additions().affinity()).as("what is certain").hasSize(1);
        PodAdmission audited = of(pod, gpu.mode(EnforcementMode.Audit));
        assertThat(audited.awaiting()).isNotEmpty();
        assertThat(audited.incomplete()).as("nothing would be added").isFalse();
        assertThat(unknown.additions()).isEqualTo(PodAdditions.NONE);
        PodAdmission known =
                of(pod, ANYBODY, new MemberFacts(Map.of(),
                        any -> Optional.of(Set.of(Set.of("gpu.example"))), Set.of()), gpu);
        assertThat(known.awaiting()).isEmpty();
        assertThat(known.additions().tolerations()).containsExactly(Toleration.equalTo("dedicated", "gpu", ""));
    }

    @Test
    void the_user_of_the_daemonset_controller_needs_no_owner() {
        assertThat(DAEMON_SETS.runsDaemon(pod("n/p", ""))).isTrue();
        assertThat(ANYBODY.runsDaemon(daemon("n/p", ""))).isFalse();
    }

    private static PodAdmission of(CandidatePod pod, Make... groups) {
        return of(pod, ANYBODY, members(), groups);
    }

    private static PodAdmission of(CandidatePod pod, Author author, MemberFacts facts, Make... groups) {
        return PodAdmission.of(pod, author, groups(groups), facts);
    }
}
