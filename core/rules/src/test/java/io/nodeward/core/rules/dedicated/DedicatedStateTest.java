package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.group;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.dedicated.DedicatedNodesSpec;
import io.nodeward.api.dedicated.EnforcementMode;
import io.nodeward.api.dedicated.Who;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.dedicated.DedicatedKey.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DedicatedStateTest {
    private static final int SEQUENCES = Cases.COUNT / 8;

    private final DedicatedWorld world = new DedicatedWorld(new Random(1));
    private final Domain domain = new Domain(world, world.view(), PodFeatures.NONE);

    DedicatedStateTest() {
        world.labelsChanged = domain.releases::outdateMembers;
    }

    /** What is declared, and the state, as they are used together: what is declared hears of each change at once, and later again. */
    private static final class Domain {
        final Releases releases;
        final DedicatedState state;

        Domain(DedicatedWorld world, DedicatedState.View view, PodFeatures features) {
            releases = new Releases(view.group(), world::members, List::of);
            state = new DedicatedState(view, releases::declared, features);
        }

        void declare(DedicatedKey key) {
            if (key.kind() == Kind.GROUP) {
                releases.apply(key.object());
            }
        }

        void fold(DedicatedKey key) {
            declare(key);
            state.apply(key);
        }

        Resolution resolution() {
            Resolution resolution = state.resolution();
            releases.compared(resolution);
            return resolution;
        }

        /** All that is known, as values. */
        Map<String, Object> known(DedicatedWorld world) {
            Resolution resolution = resolution();
            Declared declared = releases.declared();
            Map<String, Object> known = new TreeMap<>();
            known.put("declared", declared.all());
            known.put("enforced", declared.enforced());
            known.put("of new pods", declared.ofNewPods());
            known.put("in force", resolution.groups());
            world.pods.values().forEach(pod -> known.put("declaring " + pod.key(), declared.declaring(pod).toList()));
            resolution.byName().forEach((name, resolved) -> {
                known.put("resolved " + name, resolved);
                known.put("preview " + name, state.preview(resolved));
                known.put("confirms " + name, state.confirms(new Group(name, resolved.declared().desired())));
            });
            return known;
        }
    }

    /** One state folds late, often and in any order, and answers meanwhile. */
    @Test
    void after_any_sequence_of_changes_a_state_is_as_one_built_from_scratch() {
        int recorded = 0;
        for (int seed = 0; seed < SEQUENCES; seed++) {
            Random random = Cases.random(seed);
            PodFeatures features = new PodFeatures(random.nextBoolean(), random.nextBoolean());
            DedicatedWorld any = new DedicatedWorld(random);
            Domain late = new Domain(any, any.view(), features);
            any.labelsChanged = late.releases::outdateMembers;
            List<DedicatedKey> mailbox = new ArrayList<>();
            for (int step = 0; step < 40; step++) {
                Set<DedicatedKey> keys = any.change();
                keys.forEach(late::declare);
                mailbox.addAll(keys);
                some(mailbox, random).forEach(late::fold);
                if (random.nextInt(4) == 0) {
                    drain(mailbox, random, late);
                    recorded += reconcile(late, any, mailbox, random) ? 1 : 0;
                }
            }
            drain(mailbox, random, late);
            Domain scratch = new Domain(any, any.view(), features);
            shuffled(any.keys(), random).forEach(scratch::fold);
            assertThat(late.known(any)).as("seed %s", seed).isEqualTo(scratch.known(any));
        }
        assertThat(recorded).as("statuses that nothing was compared for").isGreaterThan(SEQUENCES / 2);
    }

    /** Answers, and writes a status as the controller does; returns whether nothing is compared anew for it. */
    private static boolean reconcile(Domain late, DedicatedWorld any, List<DedicatedKey> mailbox, Random random) {
        Resolution before = late.resolution();
        List<Resolved> all = shuffled(before.byName().values(), random);
        if (all.isEmpty() || random.nextInt(3) == 0) {
            return false;
        }
        Resolved resolved = all.getFirst();
        late.state.preview(resolved);
        late.releases.decide(resolved);
        DedicatedKey key = any.record(resolved);
        late.declare(key);
        if (random.nextBoolean()) {
            mailbox.add(key);
            return false;
        }
        late.fold(key);
        return !resolved.declared().applied().equals(resolved.established())
                && late.state.resolution().groups() == before.groups();
    }

    private static void drain(List<DedicatedKey> mailbox, Random random, Domain late) {
        shuffled(mailbox, random).forEach(late::fold);
        mailbox.clear();
    }

    /** Takes some of the keys, but not each of those for good. */
    private static List<DedicatedKey> some(List<DedicatedKey> mailbox, Random random) {
        List<DedicatedKey> some = shuffled(mailbox, random).subList(0, random.nextInt(mailbox.size() + 1));
        if (random.nextBoolean()) {
            new HashSet<>(some).forEach(mailbox::remove);
        }
        return some;
    }

    private static <T> List<T> shuffled(Collection<T> all, Random random) {
        List<T> shuffled = new ArrayList<>(all);
        Collections.shuffle(shuffled, random);
        return shuffled;
    }

    private void put(Make group, Optional<DedicatedNodesSpec> applied) {
        domain.fold(world.group(group.name(), group.spec(), applied, false));
    }

    private Resolution recorded(Make group) {
        put(group, Optional.empty());
        Resolved resolved = domain.resolution().find(group.name()).orElseThrow();
        domain.releases.decide(resolved);
        domain.fold(world.record(resolved));
        return domain.resolution();
    }

    @Test
    void a_status_that_says_what_is_established_makes_nothing_be_compared_anew() {
        domain.fold(world.node("n", "p", List.of()));
        put(group("a").names("n"), Optional.empty());
        Resolution before = domain.resolution();
        domain.fold(world.record(before.find("a").orElseThrow()));
        assertThat(domain.resolution().groups()).isSameAs(before.groups());
        assertThat(domain.resolution().find("a").orElseThrow().declared().applied())
                .contains(group("a").names("n").spec());
    }

    @Test
    void a_status_and_a_spec_that_are_folded_together_make_groups_be_compared_anew() {
        domain.fold(world.node("n", "p", List.of()));
        Make a = group("a").names("n");
        Resolution before = recorded(a);
        put(a.mode(EnforcementMode.Audit), Optional.of(a.spec()));
        assertThat(domain.resolution().groups()).isNotSameAs(before.groups());
        assertThat(domain.resolution().find("a").orElseThrow().declared().desired().enforcement())
                .isEqualTo(EnforcementMode.Audit);
    }

    @Test
    void labels_of_a_namespace_change_who_is_a_member() {
        Who team = new Who(List.of(), Optional.of(Make.selector("team", "s")), List.of(), Optional.empty(), List.of(),
                List.of());
        recorded(group("a").who(team));
        world.pods.put(new ObjectKey("x", "p"), Make.pod("x/p", ""));
        domain.fold(DedicatedKey.of(Kind.PODS, ""));
        world.namespace("x", "t");
        assertThat(members("a")).isEmpty();
        world.namespace("x", "s");
        assertThat(members("a")).containsExactly("x/p");
        assertThat(domain.releases.declared().declaring(Make.pod("x/p", ""))).hasSize(1);
    }

    @Test
    void labels_of_a_namespace_change_what_groups_amount_to_beside_each_other() {
        Who team = new Who(List.of(), Optional.of(Make.selector("team", "s")), List.of(), Optional.empty(), List.of(),
                List.of());
        recorded(group("a").taint("example.com/a", "", DedicatedEffect.NoSchedule).namespaces("x").exclusive());
        world.namespace("x", "t");
        assertThat(recorded(group("b").taint("example.com/b", "", DedicatedEffect.NoSchedule).who(team).exclusive())
                .find("b").orElseThrow().conflicts()).isEmpty();
        world.namespace("x", "s");
        assertThat(domain.resolution().find("b").orElseThrow().conflicts()).extracting(Conflict::reason)
                .containsExactly(Reason.EXCLUSIVE_SETS);
    }

    private List<String> members(String group) {
        return domain.state.preview(domain.resolution().find(group).orElseThrow()).members().names();
    }

    @Test
    void a_node_whose_fold_fails_stays_as_it_was_until_it_is_folded_again() {
        boolean[] fails = {false};
        DedicatedState.View view = world.view();
        Domain failing = new Domain(world, new DedicatedState.View(view.group(), key -> {
            if (fails[0]) {
                throw new IllegalStateException("planted");
            }
            return view.node().apply(key);
        }, view.daemons(), view.daemon(), view.pods(), view.onNode(), view.ofNamespace(), view.tolerating()),
                PodFeatures.NONE);
        DedicatedNodesSpec spec = group("a").labelled(Make.selector("pool", "p")).spec();
        failing.fold(world.group("a", spec, Optional.of(spec), false));
        failing.fold(world.node("n", "p", List.of()));
        Map<String, Object> before = failing.known(world);
        DedicatedKey moved = world.node("n", "q", List.of());
        fails[0] = true;
        assertThatIllegalStateException().isThrownBy(() -> failing.fold(moved));
        assertThat(failing.known(world)).isEqualTo(before);
        fails[0] = false;
        failing.fold(moved);
        assertThat(failing.known(world)).isEqualTo(domainFromScratch().known(world)).isNotEqualTo(before);
    }

    private Domain domainFromScratch() {
        Domain scratch = new Domain(world, world.view(), PodFeatures.NONE);
        world.keys().forEach(scratch::fold);
        return scratch;
    }

    @Test
    void pods_that_tolerate_all_count_for_each_group_until_they_are_gone() {
        recorded(group("a").names("n"));
        world.pods.put(new ObjectKey("z", "p"), Make.pod("z/p", "", Toleration.exists("", "")));
        domain.fold(DedicatedKey.of(Kind.PODS, ""));
        assertThat(refused("a")).containsExactly("z/p");
        world.pods.clear();
        domain.fold(DedicatedKey.of(Kind.PODS, ""));
        assertThat(refused("a")).isEmpty();
    }

    private List<String> refused(String group) {
        return domain.state.preview(domain.resolution().find(group).orElseThrow()).refused().names();
    }

    /** Whatever is known of a group may depend on any Node, and on no other group. */
    @Test
    void what_fails_concerns() {
        DedicatedKey a = DedicatedKey.of(Kind.GROUP, "a");
        DedicatedKey node = DedicatedKey.of(Kind.NODE, "n");
        assertThat(a.concerns(a)).isTrue();
        assertThat(a.concerns(DedicatedKey.of(Kind.GROUP, "b"))).isFalse();
        assertThat(a.concerns(node)).as("which groups are there decides what it gives up").isTrue();
        assertThat(node.concerns(a)).isTrue();
        assertThat(DedicatedKey.of(Kind.PODS, "").concerns(a)).isTrue();
    }
}
