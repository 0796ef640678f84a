package io.nodeward.core.rules.topology;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.Cases;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What holds after any history of writes by others and of what is declared above. A failure prints the seed that leads to
 * it. The model refuses what a server would, so each law also says that no plan is refused.
 */
class TaintListPlannerLawsTest {
    /** Both steps together are the cases of a law. */
    private static final int RUNS = Cases.COUNT / 2;
    private static final int WRITES = 12;
    private static final int PLANS_AT_MOST = 4;
    private static final String OURS = PropagationStep.MACHINES.manager();
    /** To what users write to, and to what is made from the object above. */
    private static final List<PropagationStep> PROPAGATIONS =
            List.of(PropagationStep.TOPOLOGY, PropagationStep.MACHINES);
    private static final List<String> OTHERS = List.of("kubectl", "operator");

    @Test
    void plans_come_to_rest_and_nothing_that_others_put_there_is_lost() {
        forAll((step, model, wanted) -> {
            Map<String, Map<TaintId, MachineTaint>> before = new HashMap<>();
            OTHERS.forEach(other -> before.put(other, model.itemsOf(other, step)));
            Set<TaintId> nobodysValue = nobodysValue(step, model);

            propagate(step, model, wanted);

            Map<TaintId, MachineTaint> after =
                    model.taints().stream().collect(Collectors.toMap(MachineTaint::id, taint -> taint));
            before.forEach((other, items) -> items.forEach((id, taint) -> assertThat(after.get(id))
                    .as("what %s put there", other)
                    .isIn(taint, nobodysValue.contains(id) ? withoutValue(taint) : taint)));
        });
    }

    /** What others apply without the value that only we have given to it. */
    private static Set<TaintId> nobodysValue(PropagationStep step, ListModel model) {
        List<TaintOwner> owners =
                model.seen().owners().stream().filter(owner -> !owner.manager().equals(OURS)).toList();
        return model.taints().stream().map(MachineTaint::id)
                .filter(id -> owners.stream().noneMatch(owner -> owner.owns(id, "value")))
                .filter(id -> step.makes()
                        || owners.stream().filter(owner -> owner.ownsItem(id)).allMatch(TaintOwner::applied))
                .collect(Collectors.toSet());
    }

    private static MachineTaint withoutValue(MachineTaint taint) {
        return new MachineTaint(taint.key(), "", taint.effect(), taint.propagation());
    }

    @Test
    void what_is_wanted_is_there_or_somebody_else_is_named() {
        forAll((step, model, wanted) -> {
            TaintListPlan last = propagate(step, model, wanted);

            List<MachineTaint> missing = new ArrayList<>(wanted);
            missing.removeAll(model.taints());
            assertThat(last.contests()).extracting(TaintListPlan.Contest::wanted)
                    .containsExactlyInAnyOrderElementsOf(missing);
            assertThat(last.contests()).allSatisfy(contest -> {
                assertThat(model.taints()).contains(contest.found());
                assertThat(contest.managers()).isNotEmpty().isSubsetOf(OTHERS);
            });
        });
    }

    @Test
    void what_is_not_wanted_any_more_goes_unless_somebody_else_put_it_there() {
        forAll((step, model, wanted) -> {
            propagate(step, model, wanted);

            Set<TaintId> expected = wanted.stream().map(MachineTaint::id).collect(Collectors.toSet());
            OTHERS.forEach(other -> expected.addAll(model.itemsOf(other, step).keySet()));
            assertThat(model.taints()).extracting(MachineTaint::id).containsExactlyInAnyOrderElementsOf(expected);
        });
    }

    @Test
    void what_is_carried_to_made_objects_follows_what_is_declared_whoever_made_them() {
        forAll((step, model, wanted) -> {
            Set<TaintId> propagated = new HashSet<>(model.itemsOf(OURS, step).keySet());
            OTHERS.forEach(other -> propagated.removeAll(model.itemsOf(other, step).keySet()));

            propagate(step, model, wanted);

            if (step.makes()) {
                assertThat(model.taints()).filteredOn(taint -> propagated.contains(taint.id()))
                        .containsExactlyInAnyOrderElementsOf(
                                wanted.stream().filter(taint -> propagated.contains(taint.id())).toList());
            }
        });
    }

    @Test
    void what_is_ours_at_rest_is_what_is_wanted_and_not_contested() {
        forAll((step, model, wanted) -> {
            TaintListPlan last = propagate(step, model, wanted);

            Set<TaintId> stays = wanted.stream().map(MachineTaint::id).collect(Collectors.toSet());
            Set<TaintId> ofOthers = new HashSet<>();
            OTHERS.forEach(other -> ofOthers.addAll(model.itemsOf(other, step).keySet()));
            last.contests().stream()
                    .map(contest -> contest.wanted().id())
                    .filter(ofOthers::contains)
                    .forEach(stays::remove);
            Set<TaintId> ours = new HashSet<>(model.itemsOf(OURS, step).keySet());
            assertThat(ours).containsAll(stays);
            ours.removeAll(stays);
            // A part of somebody else's taint that cannot be let go without taking from it.
            assertThat(ofOthers).containsAll(ours);
        });
    }

    @Test
    void nothing_goes_before_all_that_is_to_come_is_there() {
        forAll((step, model, wanted) -> {
            for (int i = 0; i < PLANS_AT_MOST; i++) {
                List<TaintId> before = model.taints().stream().map(MachineTaint::id).toList();
                execute(model, TaintListPlanner.plan(step, wanted, model.seen()).write());
                List<TaintId> after = model.taints().stream().map(MachineTaint::id).toList();
                if (!after.containsAll(before)) {
                    assertThat(after).containsAll(wanted.stream().map(MachineTaint::id).toList());
                }
            }
        });
    }

    @Test
    void a_write_is_planned_only_where_it_changes_something() {
        forAll((step, model, wanted) -> {
            TaintListPlan plan = TaintListPlanner.plan(step, wanted, model.seen());
            if (!(plan.write() instanceof Write.Nothing)) {
                Object before = state(model);
                execute(model, plan.write());
                assertThat(state(model)).isNotEqualTo(before);
            }
        });
    }

    private static Object state(ListModel model) {
        return Map.of("taints", model.taints(), "owners", new HashSet<>(model.seen().owners()));
    }

    private static TaintListPlan propagate(PropagationStep step, ListModel model, List<MachineTaint> wanted) {
        for (int i = 0; i < PLANS_AT_MOST; i++) {
            TaintListPlan plan = TaintListPlanner.plan(step, wanted, model.seen());
            if (plan.write() instanceof Write.Nothing) {
                return plan;
            }
            execute(model, plan.write());
        }
        throw new AssertionError("no rest after " + PLANS_AT_MOST + " plans: "
                + TaintListPlanner.plan(step, wanted, model.seen()));
    }

    private static void execute(ListModel model, Write write) {
        switch (write) {
            case Write.Nothing() -> {}
            case Write.Apply(List<MachineTaint> taints, boolean force) -> model.apply(OURS, taints, force);
            case Write.Replace(List<MachineTaint> taints) -> model.update(OURS, taints);
            case Write.Refused refused -> throw new AssertionError(refused.toString());
        }
    }

    @FunctionalInterface
    private interface Law {
        void check(PropagationStep step, ListModel model, List<MachineTaint> wanted);
    }

    private static void forAll(Law law) {
        for (PropagationStep step : PROPAGATIONS) {
            for (long seed = 0; seed < RUNS; seed++) {
                check(law, step, seed);
            }
        }
    }

    private static void check(Law law, PropagationStep step, long seed) {
        Random random = Cases.random(seed);
        ListModel model = new ListModel();
        try {
            for (int write = 0; write < WRITES; write++) {
                disturb(model, random);
                law.check(step, model, list(random));
            }
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(step + ", seed " + seed + ": " + model.seen().owners() + model.taints(), e);
        }
    }

    /** One write by somebody else, as far as the server takes it. */
    private static void disturb(ListModel model, Random random) {
        String other = OTHERS.get(random.nextInt(OTHERS.size()));
        try {
            switch (random.nextInt(4)) {
                case 0 -> model.apply(other, list(random), random.nextBoolean());
                case 1 -> model.update(other, list(random));
                case 2 -> model.update(other, edited(model.taints(), random));
                default -> {}
            }
        } catch (ListModel.RefusedException e) {
            assertThat(e).hasMessageMatching(".*(conflict|propagation|empty).*");
        }
    }

    /** One field of one item, as with an editor. */
    private static List<MachineTaint> edited(List<MachineTaint> taints, Random random) {
        List<MachineTaint> edited = new ArrayList<>(taints);
        if (!edited.isEmpty()) {
            int at = random.nextInt(edited.size());
            MachineTaint taint = edited.get(at);
            edited.set(at, random.nextBoolean()
                    ? new MachineTaint(taint.key(), value(random), taint.effect(), taint.propagation())
                    : new MachineTaint(taint.key(), taint.value(), taint.effect(), propagation(random)));
        }
        return edited;
    }

    private static List<MachineTaint> list(Random random) {
        Map<TaintId, MachineTaint> taints = new HashMap<>();
        for (int i = random.nextInt(4); i > 0; i--) {
            MachineTaint taint = new MachineTaint(List.of("a", "b", "c").get(random.nextInt(3)), value(random),
                    List.of("NoSchedule", "NoExecute").get(random.nextInt(2)), propagation(random));
            taints.put(taint.id(), taint);
        }
        return List.copyOf(taints.values());
    }

    private static String value(Random random) {
        return List.of("", "1", "2").get(random.nextInt(3));
    }

    private static String propagation(Random random) {
        return random.nextBoolean() ? MachineTaint.ALWAYS : MachineTaint.ON_INITIALIZATION;
    }

    /** So that the laws above speak of something: histories do lead to each kind of write. */
    @Test
    void every_kind_of_write_is_planned() {
        Set<Class<?>> planned = new HashSet<>();
        boolean[] forced = {false};
        forAll((step, model, wanted) -> {
            Write write = TaintListPlanner.plan(step, wanted, model.seen()).write();
            planned.add(write.getClass());
            forced[0] |= write instanceof Write.Apply apply && apply.force();
            propagate(step, model, wanted);
        });
        assertThat(planned)
                .containsExactlyInAnyOrder(Write.Nothing.class, Write.Apply.class, Write.Replace.class);
        assertThat(forced[0]).isTrue();
    }
}
