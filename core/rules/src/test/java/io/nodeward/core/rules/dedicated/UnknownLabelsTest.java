package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.groups;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.selector;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.Selector;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.preview.Sample;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Pods of a namespace whose labels are not known. */
class UnknownLabelsTest {
    private static final Selector WITHOUT_TEAM =
            new Selector(Map.of(), List.of(new Selector.Expression("team", "DoesNotExist", List.of())));
    private static final Make GROUP = selecting("banana", WITHOUT_TEAM).names("foo");
    private static final MemberFacts FACTS =
            new MemberFacts(Map.of("plain", Map.of()), Set.of("large"), ClaimView.NONE, Make.SYSTEM);
    private static final Toleration OURS = Toleration.equalTo("dedicated", "banana", "");
    private static final CandidatePod POD = pod("large/p", "");

    @Test
    void labels_that_are_not_known_are_not_taken_for_no_labels() {
        assertThat(GROUP.ready().membership(pod("plain/p", ""), FACTS).is()).isTrue();
        assertThat(GROUP.ready().membership(pod("plain/p", ""), FACTS).byLabels()).isFalse();
        for (String namespace : List.of("large", "unseen")) {
            assertThat(GROUP.ready().membership(pod(namespace + "/p", ""), FACTS).is()).as(namespace).isFalse();
            assertThat(GROUP.ready().membership(pod(namespace + "/p", ""), FACTS).byLabels()).as(namespace).isTrue();
        }
        assertThat(GROUP.ready().namespaces(FACTS)).as("whose pods are looked at").containsOnly("plain", "large");
        assertThat(group("large").ready().namespaces(FACTS)).containsOnly("large");
        assertThat(group("other").ready().membership(POD, FACTS).byLabels()).as("without a selector").isFalse();
    }

    @Test
    void a_pod_that_may_be_a_member_is_none_of_the_shared_group_unless_another_group_has_it() {
        assertThat(groups(GROUP, shared("s")).of(POD, FACTS)).isEmpty();
        assertThat(groups(group("other"), shared("s")).of(POD, FACTS)).extracting(Group::name).containsExactly("s");
        assertThat(groups(GROUP, group("large"), shared("s")).of(POD, FACTS)).extracting(Group::name)
                .containsExactly("large");
    }

    @Test
    void a_pod_that_tolerates_the_taint_is_refused_and_the_message_says_what_is_not_known() {
        assertThat(refused(pod("large/p", "", OURS), GROUP)).contains("DedicatedNodes banana is for pods of namespaces"
                + " that spec.who.namespaceSelector selects: spec.tolerations[0] tolerates its taint; the labels of"
                + " namespace large are not known");
        assertThat(refused(pod("plain/p", "", OURS), selecting("banana", selector("team", "a")))).hasValueSatisfying(
                text -> assertThat(text).endsWith("tolerates its taint"));
        Toleration sharing = Toleration.equalTo("dedicated", "s", "");
        assertThat(refused(pod("large/p", "", sharing), GROUP, shared("s"))).hasValueSatisfying(
                text -> assertThat(text).endsWith("the labels of namespace large are not known"));
        assertThat(refused(pod("large/p", "", sharing), GROUP, group("large"), shared("s"))).hasValueSatisfying(
                text -> assertThat(text).as("it is another's").endsWith("tolerates its taint"));
    }

    @Test
    void a_pod_that_may_be_a_member_of_an_exclusive_group_does_not_get_onto_other_nodes() {
        assertThat(refused(pod("large/p", ""), GROUP.exclusive())).hasValueSatisfying(text -> assertThat(text).endsWith(
                ": the pod may be a member, and members run on the Nodes of the group alone;"
                        + " the labels of namespace large are not known"));
        assertThat(refused(pod("large/p", ""), GROUP)).as("others run where they like").isEmpty();
        assertThat(refused(pod("plain/p", ""), GROUP.exclusive())).as("a member").isEmpty();
        assertThat(refused(pod("large/p", ""), group("large").exclusive())).as("a member by the name").isEmpty();
        assertThat(refused(pod("large/p", ""), GROUP.exclusive().mode(EnforcementMode.Warn))).isEmpty();
        Make alike = group("large").taint("dedicated", "banana", DedicatedEffect.NoSchedule);
        assertThat(refused(pod("large/p", ""), GROUP.exclusive(), alike)).as("a guest by the taint").isPresent();
        assertThat(refused(pod("large/p", ""), GROUP.exclusive(), alike.exclusive())).as("confined as well").isEmpty();
        PodWrite update = PodWrite.updated(pod("large/p", ""), new Author("jane"), List.of());
        assertThat(PodRefusals.of(update, groups(GROUP.exclusive()), FACTS, Optional.empty()).all())
                .as("it is there").isEmpty();
        CandidatePod daemon = Make.daemon("large/p", "foo");
        PodWrite ofDaemon = PodWrite.created(
                daemon, new Author("system:serviceaccount:kube-system:daemon-set-controller"), Tree.ABSENT);
        assertThat(PodRefusals.of(ofDaemon, groups(GROUP.exclusive()), FACTS, Optional.empty()).all())
                .as("its Node is chosen").isEmpty();
    }

    @Test
    void a_preview_names_the_pods_and_counts_them_as_no_members() {
        CandidatePod on = pod("large/on", "foo", OURS);
        ListedCluster cluster = new ListedCluster(new NodeSets(List.of(node("foo"), node("bar"))),
                List.of(POD, on, pod("plain/p", "")), FACTS);
        Preview preview = preview(cluster, "banana", GROUP);
        assertThat(preview.members()).isEqualTo(sample("plain/p"));
        assertThat(preview.notLookedInto()).isEqualTo(sample("large/on", "large/p"));
        assertThat(preview.refused()).isEqualTo(sample("large/on"));
        assertThat(preview(cluster, "banana", GROUP.exclusive()).refused()).isEqualTo(sample("large/on", "large/p"));
        Preview ofShared = preview(cluster, "s", GROUP, shared("s"));
        assertThat(ofShared.members().count()).isZero();
        assertThat(ofShared.notLookedInto()).isEqualTo(sample("large/on", "large/p"));
    }

    private static Preview preview(ListedCluster cluster, String name, Make... groups) {
        Resolution resolution =
                Make.resolution(List.of(groups).stream().map(Make::established).toList(), cluster);
        return Preview.of(resolution.find(name).orElseThrow(), resolution.groups(), cluster, false);
    }

    private static Optional<String> refused(CandidatePod pod, Make... groups) {
        return PodRefusals.of(PodWrite.created(pod, new Author("jane"), Tree.ABSENT), groups(groups), FACTS,
                Optional.empty()).message();
    }

    private static Sample sample(String... names) {
        return new Sample(names.length, List.of(names));
    }

    private static Make selecting(String name, Selector namespaces) {
        return group(name).who(new Who(List.of(), Optional.of(namespaces), List.of(), Optional.empty(), List.of(),
                List.of()));
    }
}
