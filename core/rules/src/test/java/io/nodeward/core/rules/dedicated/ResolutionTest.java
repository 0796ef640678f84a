package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ResolutionTest {
    private static final List<Node> NODES = List.of(node("bar"), node("baz"), node("foo"));
    private static final Make BANANA = group("banana").names("foo", "bar");
    private static final Make CHERRY = group("cherry").names("foo", "baz");

    @Test
    void groups_that_do_not_contradict_each_other_come_into_force_beside_each_other() {
        Make other = group("other").taint("team", "x", DedicatedEffect.NoSchedule).names("foo");
        Resolution resolution = resolve(BANANA.declared(), other.declared());
        assertThat(resolution.groups().all()).extracting(Group::spec).containsExactly(BANANA.spec(), other.spec());
        assertThat(resolution.byName().values()).allMatch(Resolved::accepted)
                .allMatch(each -> each.conflicts().isEmpty());
        assertThat(resolution.find("banana").orElseThrow().established()).contains(BANANA.spec());
        assertThat(resolution.find("apple")).isEmpty();
    }

    @Test
    void one_key_with_one_value_may_be_of_two_groups_and_different_nodes_may_have_different_values() {
        Make same = group("same").taint("dedicated", "banana", DedicatedEffect.NoExecute).names("foo");
        assertThat(refused(BANANA.declared(), same.declared(), CHERRY.names("baz").declared())).isEmpty();
    }

    @Test
    void what_is_established_stays_and_the_newer_applies_nothing_whatever_their_names() {
        Resolution resolution = resolve(BANANA.declared(), CHERRY.established());
        assertThat(resolution.groups().all()).extracting(Group::name).containsExactly("cherry");
        Resolved banana = resolution.find("banana").orElseThrow();
        assertThat(banana.accepted()).isFalse();
        assertThat(banana.established()).isEmpty();
        assertThat(banana.conflicts()).containsExactly(new Conflict(Reason.TAINT_VALUE, "cherry",
                "DedicatedNodes cherry has Node foo too, with the taint dedicated=cherry"));
        Resolved cherry = resolution.find("cherry").orElseThrow();
        assertThat(cherry.accepted()).isTrue();
        assertThat(cherry.established()).contains(CHERRY.spec());
        assertThat(cherry.conflicts()).containsExactly(new Conflict(Reason.TAINT_VALUE, "banana",
                "DedicatedNodes banana contradicts this one, which is established: DedicatedNodes cherry has Node foo"
                        + " too, with the taint dedicated=cherry"));
    }

    @Test
    void of_several_nodes_the_first_by_name_is_named() {
        ListedCluster facts = facts(List.of(node("foo"), node("baz"), node("bar")));
        List<Conflict> conflicts = Make.resolution(
                List.of(BANANA.names("foo", "baz").declared(), CHERRY.established()), facts).find("banana")
                .orElseThrow()
                .conflicts();
        assertThat(conflicts).extracting(Conflict::message)
                .containsExactly("DedicatedNodes cherry has Node baz too, with the taint dedicated=cherry");
    }

    @Test
    void what_is_declared_and_what_was_applied_come_from_the_object() {
        DedicatedNodes both = new DedicatedNodes(BANANA.spec(), Optional.of(CHERRY.spec()));
        CustomResource<DedicatedNodes> object = new CustomResource<>(node("banana").metadata(), 3, both, List.of());
        assertThat(DeclaredGroup.of(object))
                .isEqualTo(new DeclaredGroup("banana", BANANA.spec(), Optional.of(CHERRY.spec())));
    }

    @Test
    void an_edit_that_contradicts_leaves_the_last_applied_spec_in_force() {
        Make before = BANANA.names("bar");
        Resolution resolution = resolve(BANANA.over(before), CHERRY.established());
        assertThat(spec(resolution, "banana")).isEqualTo(before.spec());
        assertThat(resolution.find("banana").orElseThrow().accepted()).isFalse();
        assertThat(resolution.find("banana").orElseThrow().established()).contains(before.spec());
    }

    @Test
    void an_edit_that_does_not_contradict_comes_into_force() {
        Resolution resolution = resolve(BANANA.names("bar", "x").over(BANANA.names("bar")), CHERRY.established());
        assertThat(spec(resolution, "banana")).isEqualTo(BANANA.names("bar", "x").spec());
        assertThat(resolution.find("banana").orElseThrow().accepted()).isTrue();
    }

    @Test
    void an_edit_is_not_held_against_what_it_replaces() {
        assertThat(refused(BANANA.taint("dedicated", "plantain", DedicatedEffect.NoSchedule).over(BANANA))).isEmpty();
        Make second = shared("s").taint("dedicated", "t", DedicatedEffect.NoSchedule);
        assertThat(refused(second.over(shared("s")))).isEmpty();
    }

    @Test
    void of_two_that_are_both_new_the_first_by_name_comes_into_force() {
        assertThat(refused(CHERRY.declared(), BANANA.declared())).containsExactly("cherry");
    }

    @Test
    void established_groups_that_changed_nodes_bring_together_both_stay_and_both_say_so() {
        Resolution resolution = resolve(BANANA.established(), CHERRY.established());
        assertThat(resolution.groups().all()).hasSize(2);
        assertThat(resolution.byName().values()).allMatch(Resolved::accepted);
        assertThat(resolution.find("banana").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("cherry");
        assertThat(resolution.find("cherry").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("banana");
    }

    @Test
    void an_edit_of_what_selects_and_taints_nothing_is_in_force_beside_what_nodes_have_brought_together() {
        Make confirmed = BANANA.confirmed(1);
        for (DeclaredGroup edit : List.of(confirmed.over(BANANA), BANANA.over(confirmed))) {
            Resolution resolution = resolve(edit, CHERRY.established());
            assertThat(refused(resolution)).isEmpty();
            assertThat(spec(resolution, "banana")).isEqualTo(edit.desired());
            assertThat(resolution.find("banana").orElseThrow().conflicts()).hasSize(1);
        }
        assertThat(refused(BANANA.exclusive().over(BANANA), CHERRY.established())).containsExactly("banana");
    }

    @ParameterizedTest
    @EnumSource(EnforcementMode.class)
    void what_is_not_enforced_shows_its_contradictions_and_establishes_nothing(EnforcementMode mode) {
        Resolution resolution = resolve(BANANA.mode(mode).declared(), CHERRY.established());
        assertThat(resolution.groups().all()).extracting(Group::name).containsExactly("cherry");
        assertThat(resolution.find("banana").orElseThrow().conflicts()).extracting(Conflict::reason)
                .containsExactly(Reason.TAINT_VALUE);
        Resolution alone = resolve(BANANA.mode(mode).declared());
        assertThat(alone.find("banana").orElseThrow().accepted()).isTrue();
        assertThat(alone.find("banana").orElseThrow().established().isPresent())
                .isEqualTo(mode == EnforcementMode.Enforce);
        assertThat(alone.groups().all()).hasSize(mode == EnforcementMode.Audit ? 0 : 1);
    }

    @Test
    void of_two_that_are_not_enforced_and_contradict_each_other_both_say_so() {
        Resolution resolution = resolve(BANANA.mode(EnforcementMode.Audit).declared(),
                CHERRY.mode(EnforcementMode.Warn).declared(), group("far").names("baz").taint("far", "x",
                        DedicatedEffect.NoSchedule).mode(EnforcementMode.Audit).declared());
        assertThat(refused(resolution)).containsExactly("banana", "cherry");
        assertThat(resolution.find("banana").orElseThrow().conflicts()).containsExactly(new Conflict(Reason.TAINT_VALUE,
                "cherry", "DedicatedNodes cherry has Node foo too, with the taint dedicated=cherry"));
        assertThat(resolution.find("cherry").orElseThrow().conflicts()).extracting(Conflict::other)
                .containsExactly("banana");
        assertThat(resolution.groups().all()).as("its pods").extracting(Group::name).containsExactly("cherry");
        assertThat(refused(BANANA.mode(EnforcementMode.Audit).declared(), CHERRY.mode(EnforcementMode.Audit)
                .taint("dedicated", "cherry").declared())).as("what is invalid takes nothing")
                .containsExactly("cherry");
    }

    @Test
    void of_two_that_are_not_enforced_and_exclusive_the_nodes_of_groups_in_force_do_not_count() {
        Make one = group("one").taint("one", "", DedicatedEffect.NoSchedule).names("foo").namespaces("x").exclusive()
                .mode(EnforcementMode.Audit);
        Make two = group("two").taint("two", "", DedicatedEffect.NoSchedule).names("bar").namespaces("x").exclusive()
                .mode(EnforcementMode.Audit);
        assertThat(refused(one.declared(), two.declared())).containsExactly("one", "two");
        Make more = group("more").taint("two", "", DedicatedEffect.NoSchedule).names("foo").namespaces("x").exclusive();
        assertThat(refused(one.declared(), two.declared(), more.established())).containsExactly("one", "two");
        assertThat(refused(shared("s").mode(EnforcementMode.Audit).declared(), shared("t")
                .mode(EnforcementMode.Audit).declared())).containsExactly("s", "t");
    }

    @Test
    void switching_off_always_works_and_makes_room_at_once() {
        Resolution resolution = resolve(BANANA.mode(EnforcementMode.Audit).over(BANANA), CHERRY.declared());
        assertThat(resolution.groups().all()).extracting(Group::name).containsExactly("cherry");
        assertThat(resolution.find("banana").orElseThrow().established()).isEmpty();
    }

    @Test
    void a_group_comes_into_force_when_the_status_of_another_says_that_it_has_made_room() {
        Make damson = group("damson");
        List<String> nodes = List.of("bar", "baz", "foo", "free");
        Resolution before = resolve(nodes, BANANA.declared(),
                CHERRY.names("baz").over(CHERRY.names("bar", "baz")),
                damson.names("free").over(damson.names("foo", "free")));
        assertThat(refused(before)).containsExactly("banana");
        Resolution resolution = resolve(nodes, recorded(before));
        assertThat(resolution.groups().all()).extracting(Group::spec).containsExactly(
                BANANA.spec(), CHERRY.names("baz").spec(), damson.names("free").spec());
        assertThat(resolution.byName().values()).allMatch(Resolved::accepted)
                .allMatch(each -> each.conflicts().isEmpty());
    }

    @Test
    void room_that_is_made_late_is_taken_by_one_after_the_other() {
        List<String> nodes = List.of("a1", "b1", "b2", "c1", "c2");
        DeclaredGroup a = group("a").names("a1", "b1").over(group("a").names("a1"));
        DeclaredGroup b = group("b").names("b2", "c1").over(group("b").names("b1", "b2"));
        Make c = group("c").names("c1", "c2");
        Resolution first = resolve(nodes, a, b, c.names("c2").over(c));
        assertThat(refused(first)).containsExactly("a", "b");
        Resolution second = resolve(nodes, recorded(first));
        assertThat(refused(second)).containsExactly("a");
        assertThat(refused(resolve(nodes, recorded(second)))).isEmpty();
        assertThat(refused(resolve(nodes, a, b, c.established()))).containsExactly("a", "b");
    }

    @Test
    void an_edit_that_selects_none_of_the_nodes_that_the_group_has_leaves_them_to_it() {
        Resolution resolution = resolve(BANANA.names("fo", "baz").over(BANANA));
        assertThat(spec(resolution, "banana")).isEqualTo(BANANA.spec());
        assertThat(resolution.find("banana").orElseThrow().conflicts()).containsExactly(
                new Conflict(Reason.LOSES_ALL_NODES, "",
                        "the edit selects none of the 2 Nodes that the group has (bar, "
                                + "foo), so that the spec in status.applied stays in force; to give them up, set "
                                + "spec.enforcement to Audit first"));
        assertThat(refused(BANANA.names("foo", "baz").over(BANANA))).isEmpty();
        assertThat(refused(BANANA.names("fo").mode(EnforcementMode.Audit).over(BANANA))).isEmpty();
    }

    @Test
    void a_group_whose_nodes_are_gone_may_be_edited_freely() {
        assertThat(refused(BANANA.names("fo").over(BANANA.names("gone")))).isEmpty();
        assertThat(refused(BANANA.names("fo").declared())).isEmpty();
    }

    @Test
    void the_nodes_of_a_shared_group_are_those_that_are_left() {
        Make all = shared("s");
        assertThat(refused(group("s").names("fo").over(all))).containsExactly("s");
        assertThat(refused(group("s").names("foo").over(all))).isEmpty();
        assertThat(refused(all.over(group("s").names("foo")))).isEmpty();
        assertThat(refused(group("s").names("fo").over(all), group("g").taint("k", "", DedicatedEffect.NoSchedule)
                .names("foo", "bar", "baz").established())).isEmpty();
    }

    @Test
    void what_is_established_and_turns_out_to_be_invalid_stays_in_force_and_says_so() {
        Make reserved = BANANA.taint("node.kubernetes.io/x", "", DedicatedEffect.NoSchedule);
        Resolution resolution = resolve(reserved.established());
        Resolved banana = resolution.find("banana").orElseThrow();
        assertThat(banana.accepted()).isFalse();
        assertThat(banana.established()).contains(reserved.spec());
        assertThat(banana.conflicts()).extracting(Conflict::reason).containsExactly(Reason.INVALID);
    }

    @Test
    void an_effect_of_a_newer_version_stays_in_what_is_established_and_is_reported() {
        Make newer = BANANA.unknownEffect("NoRun");
        Resolved banana = resolve(newer.established()).find("banana").orElseThrow();
        assertThat(banana.established()).contains(newer.spec());
        assertThat(banana.conflicts()).extracting(Conflict::reason).containsExactly(Reason.INVALID);
    }

    @Test
    void only_one_group_is_shared() {
        Resolution resolution = resolve(shared("a").declared(), shared("b").established(), shared("c").declared());
        assertThat(resolution.groups().all()).extracting(Group::name).containsExactly("b");
        assertThat(resolution.find("c").orElseThrow().conflicts()).containsExactly(
                new Conflict(Reason.SECOND_SHARED_GROUP, "b", "DedicatedNodes b is the shared group"));
    }

    @Test
    void a_taint_that_a_machine_declares_with_another_value_is_established() {
        Taint theirs = Taint.of("dedicated", "theirs", "NoSchedule");
        Map<String, String> tracked = Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoSchedule");
        assertThat(takes(tracked, theirs)).containsExactly(new Conflict(Reason.TAINT_OF_OTHERS, "",
                "Node foo has a taint with this key and another value, which its Machine declares"));
        assertThat(takes(Map.of("nodeward.io/taints-from-annotations", "dedicated:NoSchedule"), theirs)).hasSize(1);
        assertThat(takes(Map.of(), theirs)).isEmpty();
        assertThat(takes(tracked, Taint.of("dedicated", "banana", "NoSchedule"))).isEmpty();
        assertThat(takes(Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoExecute"),
                Taint.of("dedicated", "theirs", "NoExecute"))).isEmpty();
        assertThat(takes(Map.of("cluster.x-k8s.io/taints-from-machine", "other:NoSchedule"),
                Taint.of("other", "theirs", "NoSchedule"))).isEmpty();
    }

    @Test
    void a_machine_that_declares_it_later_does_not_undo_what_is_established() {
        Node foo = node("foo", Map.of(), Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoSchedule"),
                Taint.of("dedicated", "theirs", "NoSchedule"));
        Resolution resolution = Make.resolution(List.of(BANANA.established()), facts(List.of(foo)));
        assertThat(resolution.find("banana").orElseThrow().conflicts()).isEmpty();
    }

    @Test
    void a_shared_group_does_not_take_the_nodes_of_machines_either() {
        Node free = node("free", Map.of(), Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoSchedule"),
                Taint.of("dedicated", "theirs", "NoSchedule"));
        ListedCluster facts = facts(List.of(free));
        DeclaredGroup shared = shared("s").mode(EnforcementMode.Audit).declared();
        assertThat(Make.resolution(List.of(shared), facts).find("s").orElseThrow().conflicts())
                .extracting(Conflict::reason).containsExactly(Reason.TAINT_OF_OTHERS);
        assertThat(Make.resolution(List.of(shared, group("g").taint("k", "v", DedicatedEffect.NoSchedule).names("free")
                .established()), facts).find("s").orElseThrow().conflicts()).isEmpty();
    }

    @Test
    void what_no_node_accepts_is_not_in_force() {
        Resolution resolution = resolve(BANANA.taint("a b", "", DedicatedEffect.NoSchedule).over(BANANA));
        assertThat(spec(resolution, "banana")).isEqualTo(BANANA.spec());
        assertThat(resolution.find("banana").orElseThrow().conflicts())
                .containsExactly(new Conflict(Reason.INVALID, "", "spec.taint: no Node accepts a b="));
    }

    @Test
    void a_group_that_waits_for_its_pods_keeps_its_place_before_those_that_come_after_it() {
        Make first = group("a").taint("team", "x", DedicatedEffect.NoSchedule).names("foo").namespaces("a");
        Make second = group("b").taint("team", "y", DedicatedEffect.NoSchedule).names("foo").namespaces("b");
        List<CandidatePod> lacking = List.of(pod("a/lacking", "foo"));
        for (Make later : List.of(second, second.mode(EnforcementMode.Audit))) {
            Resolution resolution = Resolution.of(List.of(later.declared(), first.declared()),
                    facts(NODES, lacking.toArray(CandidatePod[]::new)), new PodFeatures(false, true));
            assertThat(resolution.find("a").orElseThrow().awaitsPods()).isTrue();
            assertThat(resolution.find("b").orElseThrow().conflicts()).singleElement().isEqualTo(new Conflict(
                    Reason.TAINT_VALUE, "a", "DedicatedNodes a has Node foo too, with the taint team=x"));
        }
    }

    @Test
    void a_daemonset_whose_pods_would_be_refused_holds_up_the_group_unless_that_is_intended() {
        Toleration anything = new Toleration("", "Exists", "", "", OptionalLong.empty());
        assertThat(ofDaemonSet("cherry/agent", BANANA.declared(), anything)).singleElement().satisfies(conflict -> {
            assertThat(conflict.reason()).isEqualTo(Reason.DAEMON_SETS_REFUSED);
            assertThat(conflict.isOfPods()).isTrue();
            assertThat(conflict.message()).contains("1 DaemonSets", "dedicated=banana", "cherry/agent",
                    "--dedicated-system-namespaces", "nodeward.io/refuse-daemonsets=true");
        });
        assertThat(ofDaemonSet("cherry/agent", new DeclaredGroup("banana", BANANA.spec(), Optional.empty(), true),
                anything)).isEmpty();
        assertThat(ofDaemonSet("cherry/agent", BANANA.declared())).as("it does not tolerate the taint").isEmpty();
        assertThat(ofDaemonSet("banana/agent", BANANA.declared(), anything)).as("of members").isEmpty();
        assertThat(ofDaemonSet("kube-system/agent", BANANA.declared(), anything)).as("of the system").isEmpty();
        assertThat(ofDaemonSet("cherry/agent", BANANA.names("gone").declared(), anything)).as("no Node").isEmpty();
    }

    @Test
    void what_is_established_waits_for_a_daemonset_only_if_it_takes_more_nodes() {
        Toleration anything = new Toleration("", "Exists", "", "", OptionalLong.empty());
        assertThat(ofDaemonSet("cherry/agent", BANANA.established(), anything)).isEmpty();
        assertThat(ofDaemonSet("cherry/agent", BANANA.names("foo").over(BANANA), anything)).isEmpty();
        assertThat(ofDaemonSet("cherry/agent", BANANA.names("foo", "bar", "baz").over(BANANA), anything)).hasSize(1);
    }

    @Test
    void a_daemonset_of_members_of_another_group_with_the_taint_is_a_guest() {
        Toleration anything = new Toleration("", "Exists", "", "", OptionalLong.empty());
        ListedCluster cluster = Make.withDaemonSet(facts(NODES), "cherry/agent", "u", anything);
        Make other = group("cherry").taint("dedicated", "banana", DedicatedEffect.NoSchedule).names("baz");
        for (EnforcementMode mode : EnforcementMode.values()) {
            Resolution resolution = Resolution.of(List.of(BANANA.declared(), other.mode(mode).established()), cluster,
                    new PodFeatures(true, false));
            assertThat(resolution.find("banana").orElseThrow().accepted()).as("" + mode)
                    .isEqualTo(mode != EnforcementMode.Audit);
        }
    }

    /** Where pods are refused when they are created. */
    private static List<Conflict> ofDaemonSet(String key, DeclaredGroup declared, Toleration... tolerations) {
        ListedCluster cluster = Make.withDaemonSet(facts(NODES), key, "u", tolerations);
        assertThat(Resolution.of(List.of(declared), cluster, PodFeatures.NONE).find("banana").orElseThrow().accepted())
                .as("nobody refuses them").isTrue();
        return Resolution.of(List.of(declared), cluster, new PodFeatures(true, false)).find("banana").orElseThrow()
                .conflicts();
    }

    @Test
    void an_annotation_of_the_object_has_pods_of_daemonsets_refused() {
        DedicatedNodes spec = new DedicatedNodes(BANANA.spec(), Optional.empty());
        for (String value : List.of("true", "yes")) {
            Metadata metadata = node("banana", Map.of(), Map.of("nodeward.io/refuse-daemonsets", value)).metadata();
            assertThat(DeclaredGroup.of(new CustomResource<>(metadata, 3, spec, List.of())).refusesDaemonSets())
                    .isEqualTo(value.equals("true"));
        }
    }

    private static List<Conflict> takes(Map<String, String> annotations, Taint taint) {
        Node foo = node("foo", Map.of(), annotations, taint);
        return Make.resolution(List.of(BANANA.declared()), facts(List.of(foo, node("bar")))).find("banana")
                .orElseThrow()
                .conflicts();
    }

    /** When each status says what is established. */
    private static DeclaredGroup[] recorded(Resolution resolution) {
        return resolution.byName().values().stream().map(each -> new DeclaredGroup(
                each.declared().name(), each.declared().desired(), each.established())).toArray(DeclaredGroup[]::new);
    }

    private static Resolution resolve(DeclaredGroup... declared) {
        return Make.resolution(List.of(declared), facts(NODES));
    }

    private static Resolution resolve(List<String> nodes, DeclaredGroup... declared) {
        return Make.resolution(List.of(declared), facts(nodes.stream().map(name -> node(name)).toList()));
    }

    private static List<String> refused(DeclaredGroup... declared) {
        return refused(resolve(declared));
    }

    private static List<String> refused(Resolution resolution) {
        return resolution.byName().values().stream().filter(each -> !each.accepted())
                .map(each -> each.declared().name()).toList();
    }

    private static DedicatedNodesSpec spec(Resolution resolution, String name) {
        return resolution.groups().find(name).orElseThrow().spec();
    }
}
