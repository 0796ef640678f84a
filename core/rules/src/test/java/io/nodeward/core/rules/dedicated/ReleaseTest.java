package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.after;
import static io.nodeward.core.rules.dedicated.Make.facts;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.shared;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodes;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.meta.CustomResource;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What takes the taint of a group off many Nodes. */
class ReleaseTest {
    private static final Make BANANA = group("banana");

    /** @param tainted how many of the Nodes n0, n1, ... still have the group's taint */
    private static List<Node> nodes(Make group, int count, int tainted) {
        return IntStream.range(0, count)
                .mapToObj(i -> i < tainted ? after(node("n" + i), group.names("n" + i)) : node("n" + i)).toList();
    }

    private static Make of(int from, int to) {
        return BANANA.names(names(from, to));
    }

    private static String[] names(int from, int to) {
        return IntStream.range(from, to).mapToObj(i -> "n" + i).toArray(String[]::new);
    }

    private static Resolved resolve(DeclaredGroup group, List<Node> nodes) {
        return Make.resolution(List.of(group), facts(nodes)).find(group.name()).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
            "20,  19, true",
            "20,  11, true",
            "20,  10, false", // ten are few
            "110, 11, false", // a tenth is little
            "109, 11, true",
            "11,  11, true",
            "10,  10, false"})
    void more_than_ten_nodes_and_more_than_a_tenth_of_the_group_keep_their_taint_for_now(
            int all, int givenUp, boolean releasing) {
        Make before = of(0, all);
        List<DeclaredGroup> edits = givenUp == all
                ? List.of(before.mode(EnforcementMode.Audit).over(before),
                        before.mode(EnforcementMode.Warn).over(before))
                : List.of(of(givenUp, all).over(before));
        for (DeclaredGroup edit : edits) {
            Resolved resolved = resolve(edit, nodes(BANANA, all, all));
            assertThat(resolved.isReleasing()).isEqualTo(releasing);
            assertThat(resolved.accepted()).isNotEqualTo(releasing);
            assertThat(resolved.established()).isEqualTo(releasing
                    ? Optional.of(before.spec())
                    : Optional.of(edit.desired()).filter(spec -> spec.enforcement() == EnforcementMode.Enforce));
        }
    }

    @Test
    void the_condition_counts_what_is_left_and_says_what_waits_and_how_to_stop_or_hurry_it() {
        String left =
                "12 of %d Nodes that the group gives up still have the taint dedicated=banana. They lose it one after"
                        + " the other.";
        String end =
                " To stop this, restore the spec that is in status.applied, or run: nodeward pause. To go faster, raise"
                        + " --dedicated-release-nodes-per-minute";
        assertThat(resolve(of(19, 20).over(of(0, 20)), nodes(BANANA, 20, 12)).conflicts())
                .containsExactly(new Conflict(Reason.RELEASING, "",
                        left.formatted(19) + " The rest of the edit waits until then." + end));
        assertThat(resolve(of(19, 25).over(of(0, 20)), nodes(BANANA, 25, 12)).conflicts())
                .containsExactly(new Conflict(Reason.RELEASING, "", left.formatted(19)
                        + " The rest of the edit waits until then: 5 Nodes that it adds do not have the taint yet."
                        + end));
        assertThat(resolve(of(0, 20).mode(EnforcementMode.Audit).over(of(0, 20)), nodes(BANANA, 20, 12)).conflicts())
                .as("nothing else waits").containsExactly(new Conflict(Reason.RELEASING, "", left.formatted(20) + end));
    }

    @Test
    void the_last_ones_keep_the_pace_and_the_edit_is_in_force_when_none_is_left() {
        DeclaredGroup edit = of(19, 20).over(of(0, 20));
        assertThat(resolve(edit, nodes(BANANA, 20, 1)).isReleasing()).isTrue();
        assertThat(resolve(edit, nodes(BANANA, 20, 0)).established()).contains(edit.desired());
        DeclaredGroup audit = of(0, 20).mode(EnforcementMode.Audit).over(of(0, 20));
        assertThat(resolve(audit, nodes(BANANA, 20, 1)).isReleasing()).isTrue();
        assertThat(resolve(audit, nodes(BANANA, 20, 0)).established()).isEmpty();
    }

    @Test
    void a_taint_that_no_group_has_set_is_nothing_to_give_up() {
        List<Node> foreign =
                IntStream.range(0, 20).mapToObj(i -> node("n" + i, Taint.of("dedicated", "banana", "NoSchedule")))
                        .toList();
        assertThat(resolve(of(19, 20).over(of(0, 20)), foreign).isReleasing()).isFalse();
    }

    @Test
    void nodes_that_join_and_pods_that_are_let_in_wait_for_nothing() {
        List<Node> nodes = nodes(BANANA, 20, 15);
        assertThat(resolve(of(0, 20).over(of(0, 15)), nodes).isReleasing()).isFalse();
        assertThat(resolve(of(0, 15).namespaces("cherry").over(of(0, 15)), nodes).isReleasing()).isFalse();
        assertThat(resolve(of(0, 15).taint("dedicated", "other").over(of(0, 15)), nodes).isReleasing()).isFalse();
    }

    @Test
    void an_effect_that_keeps_no_pod_off_takes_the_protection_from_one_node_after_the_other() {
        Make soft = of(0, 20).effects(DedicatedEffect.PreferNoSchedule);
        Resolved resolved = resolve(soft.over(of(0, 20)), nodes(BANANA, 20, 12));
        assertThat(resolved.isReleasing()).isTrue();
        assertThat(resolved.established()).contains(of(0, 20).spec());
        assertThat(resolved.conflicts().getFirst().message())
                .startsWith("12 of 20 Nodes that the group gives up still have the taint");
        assertThat(resolve(soft.over(of(0, 20)), nodes(soft, 20, 20)).established()).contains(soft.spec());
        assertThat(resolve(of(0, 10).effects(DedicatedEffect.PreferNoSchedule).over(of(0, 10)), nodes(BANANA, 10, 10))
                .isReleasing()).as("few").isFalse();
        Make hard = of(0, 20).effects(DedicatedEffect.NoSchedule, DedicatedEffect.NoExecute);
        assertThat(resolve(of(0, 20).over(hard), nodes(hard, 20, 20)).isReleasing()).as("pods are kept off").isFalse();
        assertThat(resolve(of(0, 20).over(soft), nodes(soft, 20, 20)).isReleasing()).as("more").isFalse();
        Resolution beside = Make.resolution(List.of(soft.over(of(0, 20)),
                group("other").names(names(0, 20)).taint("dedicated", "banana", DedicatedEffect.PreferNoSchedule)
                        .established()),
                facts(nodes(BANANA, 20, 20)));
        assertThat(beside.find("banana").orElseThrow().isReleasing()).as("another keeps no pod off").isTrue();
    }

    @Test
    void a_node_whose_turn_has_come_gets_the_effect_that_is_declared() {
        Make soft = of(0, 20).effects(DedicatedEffect.PreferNoSchedule);
        DeclaredGroup edit = soft.over(of(0, 20));
        Releases state = new Releases(group -> Optional.of(edit(soft, of(0, 20))), Make::members, List::of);
        state.apply(ObjectKey.clusterScoped("banana"));
        List<Node> nodes = nodes(BANANA, 20, 20);
        Releases.Release release =
                state.of(nodes.getFirst(), Optional.of(Make.resolution(List.of(edit), facts(nodes))));
        assertThat(release.by()).containsExactly("banana");
        assertThat(release.share(false).groups()).extracting(Group::spec).containsExactly(of(0, 20).spec());
        assertThat(release.share(true).groups()).extracting(Group::spec).containsExactly(soft.spec());
        Make fewer = of(1, 20).effects(DedicatedEffect.PreferNoSchedule);
        Releases other = new Releases(group -> Optional.of(edit(fewer, of(0, 20))), Make::members, List::of);
        other.apply(ObjectKey.clusterScoped("banana"));
        DeclaredGroup both = fewer.over(of(0, 20));
        assertThat(other.of(nodes.getFirst(), Optional.of(Make.resolution(List.of(both), facts(nodes)))).by())
                .containsExactly("banana");
        assertThat(other.of(node("n0"), Optional.of(Make.resolution(List.of(both), facts(nodes(fewer, 20, 0)))))
                .share(true).groups()).as("a Node that leaves").isEmpty();
        Node after = after(nodes.getFirst(), soft);
        Releases.Share over = state.of(after, Optional.of(Make.resolution(List.of(edit), facts(nodes(soft, 20, 20)))))
                .share(true);
        assertThat(over.groups()).as("until the status records it").extracting(Group::spec)
                .containsExactly(soft.spec());
    }

    @Test
    void nodes_hear_of_a_release_that_another_group_ends_or_starts() {
        Make before = of(0, 20);
        Make moved = BANANA.names("n19", "n30");
        Releases state = new Releases(group -> Optional.of(edit(moved, before)), Make::members, List::of);
        state.apply(ObjectKey.clusterScoped("banana"));
        state.takeDiffering();
        ListedCluster cluster = facts(
                Stream.concat(nodes(BANANA, 20, 20).stream(), Stream.of(node("n30"))).toList());
        Resolution alone = Make.resolution(List.of(moved.over(before)), cluster);
        Resolution refused =
                Make.resolution(List.of(moved.over(before), group("other").names("n30").established()), cluster);
        for (Resolution next : List.of(alone, refused, alone)) {
            assertThat(next.isReleasing()).isEqualTo(next == alone);
            state.compared(next);
            assertThat(state.takeDiffering()).as("the Nodes that it gives up").contains(before.ready());
            state.compared(next);
            assertThat(state.takeDiffering()).isEmpty();
        }
    }

    /** After a restore without status, Nodes alone prove what was in force. */
    @ParameterizedTest
    @CsvSource({"20, true", "10, false"})
    void nodes_of_a_group_that_is_edited_before_it_is_recorded_lose_their_taint_in_turn(int count, boolean waits) {
        List<Node> nodes = nodes(BANANA, count, count);
        AtomicReference<Optional<CustomResource<DedicatedNodes>>> stored =
                new AtomicReference<>(Optional.of(edit(of(0, count), Optional.empty())));
        for (Optional<Make> next : List.of(Optional.of(BANANA.names("n0")),
                Optional.of(of(0, count).mode(EnforcementMode.Audit)), Optional.<Make>empty())) {
            Releases state = new Releases(group -> stored.get(), Make::members, () -> nodes);
            stored.set(Optional.of(edit(of(0, count), Optional.empty())));
            state.apply(ObjectKey.clusterScoped("banana"));
            assertThat(state.start().nodes()).isEmpty();
            state.takeDiffering();
            stored.set(next.map(made -> edit(made, Optional.empty())));
            state.apply(ObjectKey.clusterScoped("banana"));
            assertThat(state.takeDiffering()).as("its Nodes hear of it").contains(of(0, count).ready());
            Releases.Release release = state.of(nodes.getLast(), Optional.empty());
            assertThat(release.by()).isEqualTo(waits ? Set.of("dedicated=banana") : Set.of());
            assertThat(release.share(false).kept()).hasSize(waits ? 1 : 0);
            assertThat(release.share(true).kept()).isEmpty();
        }
    }

    /** A review may be the first to ask after an edit, and waits for no look at all Nodes. */
    @Test
    void only_decisions_on_nodes_look_at_all_nodes() {
        List<Node> nodes = nodes(BANANA, 20, 20);
        AtomicReference<Make> stored = new AtomicReference<>(of(0, 20));
        AtomicInteger looks = new AtomicInteger();
        Releases state = new Releases(group -> Optional.of(edit(stored.get(), Optional.empty())), Make::members, () -> {
            looks.incrementAndGet();
            return nodes;
        });
        state.apply(ObjectKey.clusterScoped("banana"));
        state.start();
        stored.set(BANANA.names("n0"));
        state.apply(ObjectKey.clusterScoped("banana"));
        state.declared();
        state.takeDiffering();
        assertThat(looks).as("that of the start").hasValue(1);
        nodes.forEach(node -> assertThat(state.of(node, Optional.empty()).by())
                .hasSize(node.key().name().equals("n0") ? 0 : 1));
        assertThat(looks).hasValue(2);
    }

    @Test
    void a_group_that_is_recorded_gives_up_nothing() {
        List<Node> nodes = nodes(BANANA, 20, 20);
        AtomicReference<Optional<Make>> applied = new AtomicReference<>(Optional.empty());
        Releases state = new Releases(group -> Optional.of(edit(of(0, 20), applied.get())), Make::members,
                () -> nodes);
        state.apply(ObjectKey.clusterScoped("banana"));
        state.start();
        state.declared();
        applied.set(Optional.of(of(0, 20)));
        state.apply(ObjectKey.clusterScoped("banana"));
        Releases.Release release = state.of(nodes.getLast(), Optional.empty());
        assertThat(release.by()).isEmpty();
        assertThat(release.share(false).groups()).containsExactly(of(0, 20).ready());
    }

    private static CustomResource<DedicatedNodes> edit(Make desired, Make applied) {
        return edit(desired, Optional.of(applied));
    }

    private static CustomResource<DedicatedNodes> edit(Make desired, Optional<Make> applied) {
        return new CustomResource<>(new Metadata(ObjectKey.clusterScoped("banana"), "u", "1", Map.of(), Map.of(),
                List.of(), false), 1, new DedicatedNodes(desired.spec(), applied.map(Make::spec)), List.of());
    }

    @Test
    void an_edit_that_is_refused_releases_nothing() {
        Resolved resolved = resolve(BANANA.names("typo").over(of(0, 20)), nodes(BANANA, 20, 20));
        assertThat(resolved.conflicts()).extracting(Conflict::reason).containsExactly(Reason.LOSES_ALL_NODES);
        assertThat(resolved.isReleasing()).isFalse();
    }

    @Test
    void the_shared_group_gives_up_its_nodes_one_after_the_other_too() {
        Make all = shared("rest").taint("dedicated", "rest", DedicatedEffect.NoSchedule);
        List<Node> nodes = IntStream.range(0, 20)
                .mapToObj(i -> after(node("n" + i), group("rest").names("n" + i))).toList();
        assertThat(resolve(all.mode(EnforcementMode.Audit).over(all), nodes).isReleasing()).isTrue();
        Make small = group("rest").names("n0");
        assertThat(resolve(small.over(all), nodes).isReleasing()).isTrue();
    }

    @Test
    void the_groups_after_a_release_are_as_they_are_declared() {
        Make before = of(0, 20);
        List<Node> nodes = nodes(BANANA, 20, 20);
        Groups enforced = Make.groups(before);
        Resolution shrinks = Make.resolution(List.of(of(19, 20).over(before)), facts(nodes));
        assertThat(shrinks.afterReleases(enforced, gone -> false).of(nodes.get(0))).isEmpty();
        assertThat(shrinks.afterReleases(enforced, gone -> false).of(nodes.get(19))).hasSize(1);
        Resolution audit = Make.resolution(List.of(before.mode(EnforcementMode.Audit).over(before)), facts(nodes));
        assertThat(audit.afterReleases(enforced, gone -> false).all()).isEmpty();
        Resolution still = Make.resolution(List.of(before.established()), facts(nodes));
        assertThat(still.afterReleases(enforced, gone -> false).all()).isEqualTo(enforced.all());
        Resolution few = Make.resolution(
                List.of(before.mode(EnforcementMode.Audit).over(before)), facts(nodes(BANANA, 20, 0)));
        assertThat(few.afterReleases(enforced, gone -> true).all()).isEmpty();
    }

    @Test
    void another_group_gets_the_nodes_when_the_release_is_over() {
        Make before = of(0, 20);
        DeclaredGroup shrinks = of(19, 20).over(before);
        DeclaredGroup other = group("other").names(names(0, 19)).declared();
        Resolution during = Make.resolution(List.of(shrinks, other), facts(nodes(BANANA, 20, 1)));
        assertThat(during.find("other").orElseThrow().conflicts()).extracting(Conflict::reason)
                .containsExactly(Reason.TAINT_VALUE);
        Resolution over = Make.resolution(List.of(shrinks, other), facts(nodes(BANANA, 20, 0)));
        assertThat(over.find("other").orElseThrow().accepted()).isTrue();
    }

    @Test
    void nodes_that_another_group_gives_the_same_taint_are_not_given_up() {
        Make before = of(0, 20);
        Make other = group("other").taint("dedicated", "banana", DedicatedEffect.NoSchedule).names(names(0, 19));
        Resolution resolution = Make.resolution(
                List.of(of(19, 20).over(before), other.established()), facts(nodes(BANANA, 20, 20)));
        assertThat(resolution.isReleasing()).isFalse();
        Make few = group("other").taint("dedicated", "banana", DedicatedEffect.NoSchedule).names(names(0, 5));
        assertThat(Make.resolution(List.of(of(19, 20).over(before), few.established()), facts(nodes(BANANA, 20, 20)))
                .find("banana").orElseThrow().conflicts()).extracting(Conflict::message)
                .singleElement().asString().startsWith("14 of 14 Nodes ");
    }

    @Test
    void where_only_the_end_counts_a_release_is_over() {
        Make before = of(0, 20);
        ListedCluster cluster = facts(nodes(BANANA, 20, 20));
        Stream.of(of(19, 20), before.mode(EnforcementMode.Audit)).forEach(edit -> {
            Resolved end = Convergence.of(List.of(edit.over(before)), cluster, PodFeatures.NONE)
                    .resolution().find("banana")
                    .orElseThrow();
            assertThat(end.isReleasing()).isFalse();
            assertThat(end.established()).isEqualTo(
                    Optional.of(edit.spec()).filter(spec -> spec.enforcement() == EnforcementMode.Enforce));
        });
    }

    @Test
    void a_group_that_is_kept_keeps_what_the_node_proves_and_brings_nothing() {
        Node tainted = after(node("n0"), of(0, 1));
        Group wanted = of(0, 1).effects(DedicatedEffect.NoSchedule,
                DedicatedEffect.NoExecute).ready();
        assertThat(DedicatedNodePlan.of(tainted, List.of(Placed.kept(wanted))).change().isEmpty()).isTrue();
        assertThat(DedicatedNodePlan.of(node("n0"), List.of(Placed.kept(wanted))).change().isEmpty()).isTrue();
        assertThat(DedicatedNodePlan.of(tainted, List.of()).change().isEmpty()).isFalse();
    }
}
