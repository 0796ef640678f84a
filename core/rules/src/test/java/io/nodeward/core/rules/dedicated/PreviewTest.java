package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.after;
import static io.nodeward.core.rules.dedicated.Make.daemon;
import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.finished;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.mirror;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.pod;
import static io.nodeward.core.rules.dedicated.Make.put;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static io.nodeward.core.rules.dedicated.Make.truncated;
import static io.nodeward.core.rules.dedicated.Make.with;
import static io.nodeward.core.rules.dedicated.Make.withDaemonSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.dedicated.CandidatePod;
import io.nodeward.api.dedicated.DaemonTemplate;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.PodClaim;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.OwnerRef;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.preview.Sample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PreviewTest {
    private static final Taint BANANA = Taint.of("dedicated", "banana", "NoSchedule");
    private static final Toleration OURS = Toleration.equalTo("dedicated", "banana", "");
    private static final List<Node> NODES = List.of(node("foo"), node("bar", BANANA), node("baz"));
    private static final Make GROUP = group("banana").names("foo", "bar").mode(EnforcementMode.Audit);
    private static final Make EVICTING = GROUP.effects(DedicatedEffect.NoExecute);

    @ParameterizedTest
    @EnumSource(EnforcementMode.class)
    void it_names_the_nodes_that_are_tainted_and_those_that_would_be(EnforcementMode mode) {
        Preview preview = preview(GROUP.mode(mode), facts(NODES));
        assertThat(preview.nodes()).isEqualTo(sample("bar", "foo"));
        assertThat(preview.tainted()).isEqualTo(sample("bar"));
        assertThat(preview.wouldTaint()).isEqualTo(sample("foo"));
    }

    @Test
    void a_node_with_a_part_of_the_taints_would_get_the_rest_and_one_that_cannot_get_them_would_not() {
        Preview both = preview(GROUP.effects(DedicatedEffect.NoScheduleNoAdmitNoExecute), facts(NODES));
        assertThat(both.tainted().count()).isZero();
        assertThat(both.wouldTaint()).isEqualTo(sample("bar", "foo"));
        Preview others = preview(GROUP, facts(List.of(node("foo", Taint.of("dedicated", "x", "NoSchedule")))));
        assertThat(others.nodes()).isEqualTo(sample("foo"));
        assertThat(others.tainted().count()).isZero();
        assertThat(others.wouldTaint().count()).isZero();
    }

    @Test
    void members_are_counted_and_those_that_lack_the_toleration() {
        Preview preview = preview(GROUP, facts(NODES, pod("banana/a", ""), pod("banana/b", "baz", OURS),
                pod("other/c", "foo"), finished("banana/d", "foo"), mirror("banana/e", "foo")));
        assertThat(preview.members()).isEqualTo(sample("banana/a", "banana/b"));
        assertThat(preview.withoutToleration()).isEqualTo(sample("banana/a"));
    }

    @Test
    void who_says_that_a_daemonset_of_the_system_made_it_gets_nothing() {
        ListedCluster facts = facts(NODES, daemon("kube-system/a", "foo"), daemon("other/c", "foo"),
                pod("kube-system/d", "foo"));
        Preview preview = preview(GROUP, facts);
        assertThat(preview.withoutToleration().count()).isZero();
        assertThat(preview.cutOff()).isEqualTo(sample("kube-system/a", "kube-system/d", "other/c"));
        assertThat(given(GROUP, facts)).isEqualTo(preview);
    }

    @Test
    void a_static_pod_is_known_by_its_node_which_owns_it_and_not_by_its_annotation_alone() {
        OwnerRef foo = new OwnerRef("v1", "Node", "foo", "u-foo", true);
        List<CandidatePod> forged = List.of(mirror("other/none", "foo", new OwnerRef[0]),
                mirror("other/name", "foo", new OwnerRef("v1", "Node", "bar", "u-foo", true)),
                mirror("other/uid", "foo", new OwnerRef("v1", "Node", "foo", "u-old", true)),
                mirror("other/group", "foo", new OwnerRef("example.com/v1", "Node", "foo", "u-foo", true)),
                mirror("other/kind", "foo", new OwnerRef("v1", "Pod", "foo", "u-foo", true)),
                mirror("other/owner", "foo", new OwnerRef("v1", "Node", "foo", "u-foo", false)),
                mirror("other/elsewhere", "bar", foo), mirror("banana/unknown", "gone"));
        for (CandidatePod pod : forged) {
            Preview preview = preview(EVICTING, facts(NODES, pod));
            assertThat(preview.evicted().count() + preview.members().count()).as(pod.key().name()).isOne();
        }
        assertThat(preview(EVICTING, facts(NODES, mirror("other/real", "foo", foo))).evicted().count()).isZero();
        assertThat(NewEvictions.any(EVICTING.ready(), node("foo"), List.of(forged.getFirst()), facts(NODES)::daemon))
                .isTrue();
        assertThat(NewEvictions.any(EVICTING.ready(), node("foo"), List.of(mirror("other/real", "foo", foo)),
                facts(NODES)::daemon))
                .isFalse();
    }

    @Test
    void pods_that_do_not_tolerate_the_taint_are_cut_off_members_too_unless_they_get_the_toleration_first() {
        ListedCluster facts = facts(NODES, pod("banana/a", "foo"), pod("banana/b", "bar", OURS), pod("other/c", "bar"),
                pod("other/d", "baz"), pod("other/e", ""));
        assertThat(preview(GROUP, facts).cutOff()).isEqualTo(sample("banana/a", "other/c"));
        assertThat(given(GROUP, facts).cutOff()).isEqualTo(sample("other/c"));
        assertThat(preview(GROUP, facts).evicted().count()).isZero();
    }

    @Test
    void no_execute_evicts_pods_now_or_later() {
        ListedCluster facts = facts(NODES, pod("banana/a", "foo"), pod("banana/b", "bar", OURS), pod("other/c", "bar"),
                pod("other/d", "foo", OURS.forSeconds(60)), pod("other/e", "foo", Toleration.exists("", "")));
        assertThat(preview(EVICTING, facts).evicted()).isEqualTo(sample("banana/a", "other/c", "other/d"));
        assertThat(given(EVICTING, facts).evicted()).isEqualTo(sample("other/c", "other/d"));
    }

    @Test
    void strangers_of_a_group_that_respects_budgets_are_all_whom_no_execute_evicts_and_how_they_end() {
        Make respecting = EVICTING.respecting();
        ListedCluster facts = withDaemonSet(facts(NODES, pod("other/c", "bar"), pod("other/d", "foo",
                OURS.forSeconds(60)), daemon("other/a", "foo", OURS.forSeconds(30)), pod("other/e", "foo", OURS)),
                "other/d", "u", OURS.forSeconds(20));
        assertThat(preview(respecting, facts).strangers()).containsExactlyInAnyOrder(
                stranger("other/c", "bar", 0, Stranger.End.REQUEST),
                stranger("other/d", "foo", 60, Stranger.End.REQUEST),
                stranger("other/a", "foo", 20, Stranger.End.TAINT));
        assertThat(preview(EVICTING, facts).strangers()).as("nobody asks for them").isEmpty();
        assertThat(preview(GROUP, facts).strangers()).as("NoSchedule evicts nobody").isEmpty();
        Node others = node("foo", Taint.of("dedicated", "cherry", "NoExecute"));
        assertThat(preview(respecting, facts(List.of(others), pod("other/c", "foo"))).strangers())
                .as("the Node does not get the taint, as something else manages the key").isEmpty();
    }

    @Test
    void a_request_ends_no_pod_of_which_or_of_whose_template_not_all_is_known() {
        Make respecting = EVICTING.respecting();
        ListedCluster whole = withDaemonSet(
                facts(NODES, truncated(pod("other/a", "foo")), daemon("other/b", "bar", OURS)), "other/d", "u", OURS);
        ListedCluster facts = new ListedCluster(whole.nodes(), whole.all(), whole.members(),
                whole.daemonSets().values().stream()
                        .collect(Collectors.toMap(DaemonTemplate::key, DaemonTemplate::reduced)));
        assertThat(preview(respecting, facts).strangers()).containsExactlyInAnyOrder(
                stranger("other/a", "foo", 0, Stranger.End.UNKNOWN),
                stranger("other/b", "bar", 0, Stranger.End.UNKNOWN));
        assertThat(preview(respecting, facts).evicted()).isEqualTo(sample("other/a", "other/b"));
        Group group = respecting.ready();
        for (CandidatePod pod : facts.all()) {
            assertThat(NewEvictions.byRequest(group, NODES.get(0), List.of(group), pod, List.of(), facts::daemon))
                    .isFalse();
            assertThat(NewEvictions.anyBefore(group, NODES.get(0), List.of(pod), facts::daemon)).isTrue();
        }
    }

    @Test
    void a_request_ends_a_pod_only_if_its_node_would_get_the_taint_and_it_is_not_about_to_tolerate_it() {
        Group group = EVICTING.respecting().ready();
        CandidatePod pod = pod("other/a", "foo");
        Node others = node("foo", Taint.of("dedicated", "cherry", "NoExecute"));
        assertThat(NewEvictions.byRequest(group, node("foo"), List.of(group), pod, List.of(), facts(NODES)::daemon))
                .isTrue();
        assertThat(NewEvictions.byRequest(group, node("foo"), List.of(group), pod, List.of(OURS), facts(NODES)::daemon))
                .isFalse();
        assertThat(NewEvictions.byRequest(group, others, List.of(group), pod, List.of(), facts(NODES)::daemon))
                .isFalse();
        assertThat(NewEvictions.byRequest(group, node("foo"), List.of(group), daemon("other/a", "foo"), List.of(),
                facts(NODES)::daemon))
                .as("its DaemonSet would make it anew").isFalse();
        assertThat(NewEvictions.anyBefore(group, node("foo"), List.of(daemon("other/a", "foo")), facts(NODES)::daemon))
                .isFalse();
    }

    private static Stranger stranger(String pod, String node, int seconds, Stranger.End end) {
        ObjectKey key = pod(pod, node).key();
        return new Stranger(key, "u-" + pod, node, Duration.ofSeconds(seconds), end);
    }

    @Test
    void a_pod_of_a_daemonset_stays_only_if_its_template_tolerates_the_taint_too() {
        for (String template : List.of("banana/d", "other/d")) {
            String pod = template.replace("/d", "/a");
            ListedCluster lacking = withDaemonSet(facts(NODES, daemon(pod, "foo", OURS)), template, "u");
            assertThat(preview(EVICTING, lacking).evicted()).isEqualTo(sample(pod));
            assertThat(given(EVICTING, lacking).cutOff()).as("the template is given nothing").isEqualTo(sample(pod));
            assertThat(preview(EVICTING, withDaemonSet(facts(NODES, daemon(pod, "foo", OURS)), template, "u", OURS))
                    .evicted().count()).isZero();
            assertThat(preview(EVICTING, withDaemonSet(facts(NODES, daemon(pod, "foo")), template, "u", OURS))
                    .evicted()).as("it lacks the toleration itself").isEqualTo(sample(pod));
            assertThat(preview(EVICTING, withDaemonSet(facts(NODES, daemon(pod, "foo", OURS)), template, "older"))
                    .evicted().count()).as("it is of another DaemonSet with the name").isZero();
        }
    }

    @Test
    void where_no_execute_is_already_it_evicts_nobody_newly() {
        Node tainted = node("foo", Taint.of("dedicated", "banana", "NoExecute"));
        Preview preview = preview(EVICTING, facts(List.of(tainted), pod("other/c", "foo")));
        assertThat(preview.evicted().count()).isZero();
        assertThat(preview.cutOff()).isEqualTo(sample("other/c"));
    }

    @Test
    void prefer_no_schedule_cuts_nobody_off() {
        Preview preview = preview(GROUP.effects(DedicatedEffect.PreferNoSchedule), facts(NODES, pod("other/c", "foo")));
        assertThat(preview.wouldTaint()).isEqualTo(sample("bar", "foo"));
        assertThat(preview.cutOff().count()).isZero();
    }

    @Test
    void pods_that_tolerate_the_taint_and_are_no_members_would_be_refused() {
        Preview preview = preview(GROUP, facts(NODES, pod("other/a", "baz", OURS),
                pod("other/b", "", Toleration.exists("", "")),
                pod("other/c", "", Toleration.exists("dedicated", "NoExecute")),
                pod("banana/d", "", OURS), pod("kube-system/e", "", Toleration.exists("", "")),
                mirror("other/f", "foo")));
        assertThat(preview.refused()).isEqualTo(sample("other/a", "other/b"));
    }

    @Test
    void those_that_their_author_put_on_its_nodes_would_be_refused_and_those_that_a_scheduler_put_there_would_not() {
        Preview preview = preview(GROUP, facts(NODES, put(pod("other/a", "foo")), pod("other/b", "foo"),
                put(pod("other/c", "baz")), put(pod("banana/d", "foo")), put(daemon("other/e", "foo")),
                put(pod("kube-system/f", "foo"))));
        assertThat(preview.refused()).isEqualTo(sample("other/a"));
        assertThat(preview.cutOff().names()).contains("other/a", "other/b");
    }

    @Test
    void the_taint_that_nodes_have_until_no_execute_is_confirmed_is_the_groups_too() {
        Preview preview =
                preview(EVICTING, facts(NODES, pod("other/a", "", Toleration.exists("dedicated", "NoSchedule")),
                        pod("other/b", "", Toleration.exists("dedicated", "PreferNoSchedule"))));
        assertThat(preview.refused()).isEqualTo(sample("other/a"));
    }

    @Test
    void guests_of_groups_that_give_the_same_toleration_would_not_be_refused() {
        Make same = group("same").taint("dedicated", "banana", DedicatedEffect.NoSchedule);
        Make rest = shared("rest").taint("dedicated", "banana", DedicatedEffect.NoSchedule);
        ListedCluster facts =
                facts(NODES, pod("same/a", "", OURS), pod("cherry/b", "", OURS), pod("other/c", "", OURS));
        assertThat(all(facts, GROUP.declared(), same.established()).get("banana").refused())
                .isEqualTo(sample("cherry/b", "other/c"));
        assertThat(all(facts, GROUP.declared(), same.mode(EnforcementMode.Warn).declared()).get("banana").refused())
                .isEqualTo(sample("cherry/b", "other/c"));
        assertThat(all(facts, GROUP.declared(), same.mode(EnforcementMode.Audit).declared()).get("banana").refused())
                .as("it gives nothing").isEqualTo(sample("cherry/b", "other/c", "same/a"));
        assertThat(all(facts, GROUP.declared(), group("cherry").established(), rest.established()).get("banana")
                .refused()).as("cherry is not of the rest").isEqualTo(sample("cherry/b"));
    }

    @Test
    void pods_of_daemonsets_would_be_refused_on_its_nodes_alone() {
        Toleration any = Toleration.exists("", "");
        Preview preview = preview(GROUP, facts(NODES, daemon("other/a", "foo", any), daemon("other/b", "baz", any),
                daemon("other/c", "", any), daemon("banana/d", "foo", any)));
        assertThat(preview.refused()).isEqualTo(sample("other/a"));
    }

    @Test
    void members_of_an_exclusive_group_that_run_on_other_nodes_are_elsewhere() {
        ListedCluster facts = facts(NODES, pod("banana/a", "baz"), pod("banana/b", "foo"), pod("banana/c", ""),
                daemon("banana/d", "baz"), pod("other/e", "baz"));
        assertThat(preview(GROUP.exclusive(), facts).elsewhere()).isEqualTo(sample("banana/a", "banana/d"));
        assertThat(preview(GROUP, facts).elsewhere().count()).isZero();
    }

    @Test
    void pods_whose_claims_are_not_known_yet_are_counted_apart() {
        Who who = new Who(List.of("banana"), Optional.empty(), List.of(), Optional.empty(), List.of(), List.of("gpu"));
        PodClaim claim = new PodClaim(false, new ObjectKey("other", "c"));
        Preview preview = preview(GROUP.who(who), facts(NODES, with(pod("other/a", ""), "x", Set.of(), claim),
                with(pod("banana/b", ""), "x", Set.of(), claim), pod("other/c", "")));
        assertThat(preview.awaitingClaims()).isEqualTo(1);
        assertThat(preview.members()).isEqualTo(sample("banana/b"));
    }

    @Test
    void a_shared_group_would_take_the_nodes_and_pods_that_no_other_enforced_group_has() {
        Make audited = group("cherry").names("baz").mode(EnforcementMode.Audit);
        Make all = shared("shared").mode(EnforcementMode.Audit);
        ListedCluster facts = facts(NODES, pod("banana/a", "baz"), pod("cherry/b", "baz"), pod("other/c", "foo"));
        Preview preview = all(facts, all.declared(), GROUP.mode(EnforcementMode.Enforce).established(),
                audited.declared()).get("shared");
        assertThat(preview.nodes()).isEqualTo(sample("baz"));
        assertThat(preview.members()).isEqualTo(sample("cherry/b", "other/c"));
        assertThat(preview.cutOff()).isEqualTo(sample("banana/a", "cherry/b"));
        Preview established = all(facts, shared("shared").established()).get("shared");
        assertThat(established.nodes()).isEqualTo(sample("bar", "baz", "foo"));
        assertThat(established.members().count()).isEqualTo(3);
    }

    @Test
    void an_edit_that_contradicts_is_shown_as_declared_beside_what_is_established() {
        Make cherry = group("cherry").names("baz");
        DeclaredGroup edited = GROUP.mode(EnforcementMode.Enforce).names("foo", "baz")
                .over(GROUP.mode(EnforcementMode.Enforce));
        Node baz = node("baz", Map.of("node-restriction.kubernetes.io/dedicated", "cherry"),
                Map.of("nodeward.io/taints-from-dedicated-nodes", "dedicated:NoSchedule"),
                Taint.of("dedicated", "cherry", "NoSchedule"));
        Map<String, Preview> previews = all(facts(List.of(node("foo"), baz)), edited, cherry.established());
        assertThat(previews.get("banana").nodes()).isEqualTo(sample("baz", "foo"));
        assertThat(previews.get("banana").wouldTaint()).isEqualTo(sample("foo"));
        assertThat(previews.get("cherry").tainted()).isEqualTo(sample("baz"));
    }

    @Test
    void a_refused_edit_is_not_held_against_what_it_would_replace() {
        Make banana = GROUP.mode(EnforcementMode.Enforce).names("foo");
        Node foo = after(node("foo"), banana);
        DeclaredGroup edited = banana.taint("dedicated", "plantain", DedicatedEffect.NoSchedule).names("foo", "baz")
                .over(banana);
        Map<String, Preview> previews = all(
                facts(List.of(foo, node("baz"))), edited, group("cherry").names("baz").established());
        assertThat(previews.get("banana").wouldTaint().names()).contains("foo");
    }

    @Test
    void a_taint_that_no_node_accepts_changes_no_node() {
        Preview preview = preview(GROUP.taint("a b", "", DedicatedEffect.NoExecute),
                facts(NODES, pod("banana/a", "foo"), pod("other/b", "foo")));
        assertThat(preview.nodes().count()).isZero();
        assertThat(preview.members()).isEqualTo(sample("banana/a"));
        assertThat(preview.withoutToleration().count()).isZero();
    }

    @Test
    void so_many_evictions_are_confirmed_or_more() {
        ListedCluster facts = facts(NODES, pod("other/a", "foo"), pod("other/b", "foo"));
        Preview preview = preview(EVICTING, facts);
        assertThat(preview.isConfirmedBy(EVICTING.spec())).isFalse();
        assertThat(preview.isConfirmedBy(EVICTING.confirmed(1).spec())).isFalse();
        assertThat(preview.isConfirmedBy(EVICTING.confirmed(2).spec())).isTrue();
        assertThat(preview.isConfirmedBy(EVICTING.confirmed(3).spec())).isTrue();
    }

    @Test
    void where_nobody_would_be_evicted_nothing_is_to_be_confirmed() {
        assertThat(preview(EVICTING, facts(NODES, pod("other/a", "baz"))).isConfirmedBy(EVICTING.spec())).isTrue();
    }

    @Test
    void counts_are_exact_and_ten_names_are_enough() {
        List<Node> many = IntStream.range(0, 12).mapToObj(i -> node("n" + i)).toList();
        Preview preview = preview(GROUP.names(many.stream().map(node -> node.key().name()).toArray(String[]::new)),
                facts(many));
        assertThat(preview.nodes().count()).isEqualTo(12);
        assertThat(preview.nodes().names())
                .containsExactly("n0", "n1", "n10", "n11", "n2", "n3", "n4", "n5", "n6", "n7");
    }

    @Test
    void it_is_written_as_the_fields_of_the_status() {
        Tree tree = preview(EVICTING.exclusive(), facts(NODES, pod("banana/a", "foo"), pod("banana/b", "baz"),
                pod("other/c", "", OURS))).tree();
        assertThat(tree).isEqualTo(Tree.of(Map.of("nodes", 2, "taintedNodes", 0, "pods", 2, "preview", Map.of(
                "wouldTaint", named("bar", "foo"), "withoutToleration", named("banana/a", "banana/b"),
                "cutOff", named("banana/a"), "evicted", named("banana/a"), "refused", named("other/c"),
                "elsewhere", named("banana/b"), "daemonSets", named(), "notLookedInto", named(),
                "awaitingClaims", 0))));
    }

    @Test
    void a_pod_that_nobody_looks_into_is_named_and_counts_on_the_nodes_as_one_that_tolerates_nothing() {
        Preview preview = given(EVICTING, facts(NODES, truncated(pod("banana/a", "foo")),
                truncated(pod("other/b", "foo")), truncated(pod("other/c", "baz"))));
        assertThat(preview.notLookedInto()).isEqualTo(sample("banana/a", "other/b", "other/c"));
        assertThat(preview.evicted()).isEqualTo(sample("banana/a", "other/b"));
        assertThat(preview.cutOff()).isEqualTo(sample("banana/a", "other/b"));
        assertThat(preview.isConfirmedBy(EVICTING.confirmed(1).ready().spec())).isFalse();
        assertThat(preview.members()).isEqualTo(sample("banana/a"));
        assertThat(preview.withoutToleration().count()).as("nobody can give it one").isZero();
        assertThat(preview.refused().count()).isZero();
    }

    @Test
    void nobody_waits_until_a_pod_that_nobody_looks_into_tolerates_the_taint() {
        ListedCluster cluster = facts(NODES, truncated(pod("banana/a", "")));
        Make enforced = GROUP.mode(EnforcementMode.Enforce);
        assertThat(Resolution.of(List.of(enforced.declared()), cluster, new PodFeatures(false, true)).find("banana")
                .orElseThrow().conflicts())
                .isEmpty();
        assertThat(Resolution
                .of(List.of(enforced.declared()), facts(NODES, pod("banana/a", "")), new PodFeatures(false, true))
                .find("banana").orElseThrow().awaitsPods()).as("of another").isTrue();
    }

    @Test
    void what_a_node_evicts_counts_a_pod_that_nobody_looks_into() {
        Group group = EVICTING.ready();
        CandidatePod pod = truncated(pod("other/a", "foo"));
        assertThat(NewEvictions.any(group, NODES.get(0), List.of(pod), facts(NODES)::daemon)).isTrue();
    }

    @Test
    void a_daemon_set_whose_template_nobody_looks_into_may_ask_for_any_node_and_tolerates_nothing() {
        ListedCluster cluster = facts(NODES);
        CandidatePod template = truncated(pod("banana/d", ""));
        ListedCluster with = new ListedCluster(cluster.nodes(), List.of(), cluster.members(),
                Map.of(template.key(), new DaemonTemplate(template.metadata(), template, Tree.ABSENT)));
        assertThat(preview(GROUP, with).daemonSets()).isEqualTo(sample("banana/d"));
    }

    @Test
    void a_daemon_set_that_memory_is_short_for_may_have_pods_that_are_refused() {
        ListedCluster cluster = facts(NODES);
        CandidatePod template = pod("other/d", "");
        DaemonTemplate reduced = new DaemonTemplate(template.metadata(), template, Tree.ABSENT).reduced();
        ListedCluster with = new ListedCluster(cluster.nodes(), List.of(), cluster.members(),
                Map.of(template.key(), reduced));
        assertThat(preview(GROUP, with).refusedDaemonSets()).isEqualTo(sample("other/d"));
        assertThat(preview(GROUP, new ListedCluster(cluster.nodes(), List.of(), cluster.members(),
                Map.of(template.key(), new DaemonTemplate(template.metadata(), truncated(template), Tree.ABSENT))))
                .refusedDaemonSets()).as("of a template over a bound admission refuses each pod").isEqualTo(sample());
    }

    private static Map<String, Object> named(String... names) {
        return Map.of("count", names.length, "names", List.of(names));
    }

    private static Sample sample(String... names) {
        return new Sample(names.length, List.of(names));
    }

    private static Preview preview(Make group, ListedCluster facts) {
        return all(facts, group.declared()).get("banana");
    }

    private static Preview given(Make group, ListedCluster facts) {
        Resolution resolution = Make.resolution(List.of(group.declared()), facts);
        return Preview.of(resolution.find("banana").orElseThrow(), resolution.groups(), facts, true);
    }

    private static Map<String, Preview> all(ListedCluster facts, DeclaredGroup... declared) {
        Resolution resolution = Make.resolution(List.of(declared), facts);
        return resolution.byName().values().stream().collect(Collectors.toMap(group -> group.declared().name(),
                group -> Preview.of(group, resolution.groups(), facts, false)));
    }
}
