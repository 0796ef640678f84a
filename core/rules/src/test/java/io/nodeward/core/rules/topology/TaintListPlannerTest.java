package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static io.nodeward.core.rules.topology.TaintListFixture.A;
import static io.nodeward.core.rules.topology.TaintListFixture.A2;
import static io.nodeward.core.rules.topology.TaintListFixture.A_BARE;
import static io.nodeward.core.rules.topology.TaintListFixture.A_ONCE;
import static io.nodeward.core.rules.topology.TaintListFixture.B;
import static io.nodeward.core.rules.topology.TaintListFixture.NONE;
import static io.nodeward.core.rules.topology.TaintListFixture.OURS;
import static io.nodeward.core.rules.topology.TaintListFixture.applied;
import static io.nodeward.core.rules.topology.TaintListFixture.found;
import static io.nodeward.core.rules.topology.TaintListFixture.plan;
import static io.nodeward.core.rules.topology.TaintListFixture.updated;
import static io.nodeward.core.rules.topology.TaintListFixture.without;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintHolder;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.core.rules.topology.TaintListPlan.Contest;
import io.nodeward.core.rules.topology.TaintListPlan.Refusal;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class TaintListPlannerTest {
    @Test
    void what_is_missing_is_applied_in_its_order() {
        assertThat(plan(List.of(B, A), NONE).write()).isEqualTo(new Write.Apply(List.of(B, A), false));
        assertThat(plan(List.of(B, A), List.of(A), applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(B, A), false));
    }

    @Test
    void what_is_right_is_no_request() {
        assertThat(plan(List.of(A, B), List.of(B, A), applied(OURS, A, B)).write()).isEqualTo(new Write.Nothing());
        assertThat(plan(NONE, NONE).write()).isEqualTo(new Write.Nothing());
        assertThat(plan(NONE, List.of(A), updated("kubectl", A)).write()).isEqualTo(new Write.Nothing());
    }

    @Test
    void what_changed_above_is_applied() {
        assertThat(plan(List.of(A2), List.of(A), applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(A2), false));
        assertThat(plan(List.of(A_ONCE), List.of(A), applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(A_ONCE), false));
        assertThat(plan(List.of(A_BARE), List.of(A), applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(A_BARE), false));
    }

    @Test
    void what_is_gone_above_goes_and_what_others_put_there_stays() {
        assertThat(plan(List.of(B), List.of(A, B), applied(OURS, A, B)).write())
                .isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(plan(NONE, List.of(A, B), applied(OURS, A), applied("operator", B)).write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** If the other lets go of it, it must not leave the Node for the moment until it is applied again. */
    @Test
    void what_somebody_else_declares_alike_is_owned_too() {
        assertThat(plan(List.of(A), List.of(A), updated("kubectl", A)).write())
                .isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(plan(List.of(A), List.of(A), updated("kubectl", A), applied(OURS, A)).write())
                .isEqualTo(new Write.Nothing());
        assertThat(plan(NONE, List.of(A), applied("operator", A), applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(TaintListPlanner
                .plan(PropagationStep.TOPOLOGY, NONE, found(List.of(A), updated("kubectl", A), applied(OURS, A)))
                .write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** Who created a Machine passed on what its MachineSet declared, and would never take it back. */
    @ParameterizedTest
    @EnumSource(names = {"MACHINE_SETS", "MACHINES", "POOL_MACHINES"})
    void what_an_object_was_made_with_follows_what_is_declared(PropagationStep step) {
        TaintOwner maker = updated("somebody", A);
        TaintOwner ours = applied(step.manager(), A);
        TaintHolder made = found(List.of(A), maker, ours);

        assertThat(TaintListPlanner.plan(step, List.of(A), found(List.of(A), maker)).write())
                .isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(TaintListPlanner.plan(step, List.of(A), made).write()).isEqualTo(new Write.Nothing());
        assertThat(TaintListPlanner.plan(step, List.of(A2), made)).isEqualTo(
                new TaintListPlan(new Write.Apply(List.of(A2), true), List.of()));
        assertThat(TaintListPlanner.plan(step, List.of(A_ONCE), made).write())
                .isEqualTo(new Write.Apply(List.of(A_ONCE), true));
        assertThat(TaintListPlanner.plan(step, List.of(A_BARE), made)).isEqualTo(
                new TaintListPlan(new Write.Replace(List.of(A_BARE)), List.of()));
        assertThat(TaintListPlanner.plan(step, NONE, made).write()).isEqualTo(new Write.Replace(NONE));
        assertThat(TaintListPlanner.plan(step, NONE, found(List.of(A, B), updated("somebody", A, B), ours)).write())
                .as("what is not ours stays").isEqualTo(new Write.Replace(List.of(B)));
    }

    /** As with NoSchedule that becomes NoExecute: pods would come to a Node that has neither for a moment. */
    @Test
    void what_comes_is_there_before_what_an_object_was_made_with_goes() {
        TaintOwner maker = updated("somebody", A);

        assertThat(plan(List.of(B), List.of(A), maker, applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(B, A), false));
        assertThat(plan(List.of(B), List.of(A, B), maker, applied(OURS, A, B)).write())
                .isEqualTo(new Write.Replace(List.of(B)));
        assertThat(plan(List.of(A_BARE, B), List.of(A), maker, applied(OURS, A)).write())
                .isEqualTo(new Write.Apply(List.of(A_BARE, B), false));
    }

    @Test
    void what_goes_makes_room_for_what_comes_where_both_are_too_many() {
        List<MachineTaint> full = IntStream.range(0, 64).mapToObj(i -> always("k" + i, "", "NoSchedule")).toList();
        MachineTaint[] all = full.toArray(MachineTaint[]::new);

        assertThat(plan(List.of(B), full, updated("somebody", all), applied(OURS, full.getFirst())).write())
                .isEqualTo(new Write.Replace(full.subList(1, 64)));
    }

    @ParameterizedTest
    @EnumSource(names = {"MACHINE_SETS", "MACHINES", "POOL_MACHINES"})
    void what_somebody_applies_to_an_object_stays_theirs_whoever_made_it(PropagationStep step) {
        TaintHolder found = found(
                List.of(A), updated("somebody", A), applied("operator", A), applied(step.manager(), A));

        assertThat(TaintListPlanner.plan(step, List.of(A2), found))
                .isEqualTo(new TaintListPlan(new Write.Apply(NONE, false),
                        List.of(new Contest(A2, A, new TreeSet<>(Set.of("operator"))))));
        assertThat(TaintListPlanner.plan(step, NONE, found).write()).isEqualTo(new Write.Apply(NONE, false));
    }

    @Test
    void what_somebody_else_declares_otherwise_stays_and_is_named() {
        TaintListPlan plan = plan(List.of(A, B), List.of(A2), updated("kubectl", A2), applied("operator", A2));

        assertThat(plan.write()).isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(plan.contests())
                .containsExactly(new Contest(A, A2, new TreeSet<>(Set.of("kubectl", "operator"))));
        assertThat(plan.contests().getFirst()).hasToString("taint a:NoSchedule stays as declared by kubectl, operator"
                + " (value \"2\", Always), wanted is value \"1\", Always");
    }

    @Test
    void a_taint_of_both_is_let_go_when_they_come_to_differ() {
        TaintListPlan plan = plan(List.of(A2), List.of(A), applied("operator", A), applied(OURS, A));

        assertThat(plan.write()).isEqualTo(new Write.Apply(NONE, false));
        assertThat(plan.contests()).hasSize(1);
        assertThat(plan(List.of(A2), List.of(A), applied("operator", A)).write()).isEqualTo(new Write.Nothing());
    }

    @Test
    void a_field_of_ours_that_somebody_else_changed_is_taken_back() {
        TaintOwner ours = without(applied(OURS, A), A.id(), "value");
        TaintOwner editor = new TaintOwner("kubectl-edit", false, false, Map.of(A.id(), Set.of("value")));

        assertThat(plan(List.of(A), List.of(A2), ours, editor).write())
                .isEqualTo(new Write.Apply(List.of(A), true));
        TaintOwner once = new TaintOwner("kubectl-edit", false, false, Map.of(A.id(), Set.of("propagation")));
        assertThat(plan(List.of(A), List.of(A_ONCE), without(applied(OURS, A), A.id(), "propagation"), once).write())
                .isEqualTo(new Write.Apply(List.of(A), true));
    }

    @Test
    void a_value_somebody_gave_to_a_taint_of_ours_without_one_is_named() {
        TaintOwner editor = new TaintOwner("kubectl-edit", false, false, Map.of(A.id(), Set.of("value")));
        TaintHolder edited = found(List.of(A), applied(OURS, A_BARE), editor);
        TaintListPlan plan = TaintListPlanner.plan(PropagationStep.TOPOLOGY, List.of(A_BARE), edited);

        assertThat(plan.write()).isEqualTo(new Write.Nothing());
        assertThat(plan.contests()).containsExactly(new Contest(A_BARE, A, new TreeSet<>(Set.of("kubectl-edit"))));
        // The rest of it goes on following what is declared.
        MachineTaint once = once("a", "", "NoSchedule");
        assertThat(TaintListPlanner.plan(PropagationStep.TOPOLOGY, List.of(once), edited).write())
                .isEqualTo(new Write.Apply(List.of(once), false));
        // Of a Machine, whose taints are its MachineSet's, it is taken out.
        assertThat(TaintListPlanner.plan(PropagationStep.MACHINES, List.of(A_BARE), edited)).isEqualTo(
                new TaintListPlan(new Write.Replace(List.of(A_BARE)), List.of()));
    }

    @Test
    void a_taint_of_unknown_writers_is_theirs() {
        TaintListPlan plan = plan(List.of(A), List.of(A2));

        assertThat(plan.write()).isEqualTo(new Write.Nothing());
        assertThat(plan.contests()).singleElement().satisfies(
                contest -> assertThat(contest.managers()).containsExactly("before-first-apply"));
    }

    /** Server-side apply would leave an empty list, which no server takes. */
    @Test
    void our_last_taint_in_a_list_that_somebody_else_began_is_taken_out_by_a_patch() {
        TaintOwner beginner = new TaintOwner("kubectl", false, true, Map.of());

        assertThat(plan(NONE, List.of(A), applied(OURS, A), beginner).write()).isEqualTo(new Write.Replace(NONE));
        assertThat(plan(List.of(B), List.of(A), applied(OURS, A), beginner).write())
                .isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(plan(NONE, List.of(A), applied(OURS, A)).write()).isEqualTo(new Write.Apply(NONE, false));
        // With something of theirs in it, the list does not become empty.
        assertThat(plan(NONE, List.of(A, B), applied(OURS, A), updated("kubectl", B)).write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** Server-side apply would leave an item with nothing but the other's field. */
    @Test
    void a_taint_of_ours_that_somebody_else_edited_is_taken_out_by_a_patch() {
        TaintOwner editor = new TaintOwner("kubectl-edit", false, false, Map.of(A.id(), Set.of("value")));

        assertThat(plan(List.of(B), List.of(A2, B), applied(OURS, A, B), editor).write())
                .isEqualTo(new Write.Replace(List.of(B)));
    }

    /** The operator's propagation was overridden by somebody, and nobody but us holds the one that is there. */
    @Test
    void our_part_of_somebody_elses_taint_is_held_if_it_could_not_be_without() {
        TaintOwner operator = without(applied("operator", A), A.id(), "propagation");

        assertThat(plan(NONE, List.of(A_ONCE), applied(OURS, A_ONCE), operator).write())
                .isEqualTo(new Write.Nothing());
        assertThat(plan(List.of(B), List.of(A_ONCE), applied(OURS, A_ONCE), operator).write())
                .isEqualTo(new Write.Apply(List.of(B, A_ONCE), false));
    }

    @Test
    void a_list_that_somebody_else_owns_as_one_value_is_refused_with_its_owner() {
        TaintOwner whole = new TaintOwner("terraform", true, true, Map.of());

        assertThat(plan(List.of(B), List.of(A), whole).write()).isInstanceOfSatisfying(Write.Refused.class, refused -> {
            assertThat(refused.refusal()).isEqualTo(Refusal.OWNED_AS_A_WHOLE);
            assertThat(refused.message()).startsWith("terraform owns the list of taints as a whole");
        });
        assertThat(plan(List.of(A), List.of(A), whole).write()).isEqualTo(new Write.Nothing());
        assertThat(plan(List.of(A), List.of(A, B), whole).write()).isInstanceOf(Write.Refused.class);
        // Of an empty list nobody can say whether it is a map; applying to it takes nothing from anybody.
        assertThat(plan(List.of(A), NONE, whole).write()).isEqualTo(new Write.Apply(List.of(A), false));
    }

    @Test
    void a_list_that_is_ours_as_one_value_is_kept_as_it_is_declared() {
        TaintOwner whole = new TaintOwner(OURS, true, true, Map.of());

        assertThat(plan(List.of(A, B), List.of(A, B), whole).write()).isEqualTo(new Write.Nothing());
        assertThat(plan(List.of(A2), List.of(A, B), whole).write()).isEqualTo(new Write.Apply(List.of(A2), false));
        assertThat(plan(List.of(A), List.of(A, B), whole).write()).isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(plan(NONE, List.of(A), whole).write()).isEqualTo(new Write.Apply(NONE, false));
    }

    @Test
    void more_than_a_list_may_hold_is_refused_before_the_server_does() {
        List<MachineTaint> theirs = new ArrayList<>();
        List<MachineTaint> wanted = new ArrayList<>();
        for (int i = 0; i < 33; i++) {
            theirs.add(always("theirs-" + i, "", "NoSchedule"));
            wanted.add(always("wanted-" + i, "", "NoSchedule"));
        }
        TaintOwner operator = applied("operator", theirs.toArray(MachineTaint[]::new));

        assertThat(plan(wanted, theirs, operator).write()).isEqualTo(new Write.Refused(
                Refusal.TOO_MANY, "there would be 66 taints, and a list holds at most 64"));
        List<MachineTaint> fits = wanted.subList(0, 31);
        assertThat(plan(fits, theirs, operator).write()).isEqualTo(new Write.Apply(fits, false));
    }

    @Test
    void a_declaration_that_repeats_itself_is_applied_once() {
        assertThat(plan(List.of(A, A2), NONE).write()).isEqualTo(new Write.Apply(List.of(A), false));
    }
}
