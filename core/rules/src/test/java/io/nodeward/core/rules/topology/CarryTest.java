package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintBearer;
import io.nodeward.api.machine.TaintOwner;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.CarryPlan.Contest;
import io.nodeward.core.rules.topology.CarryPlan.Refusal;
import io.nodeward.core.rules.topology.CarryPlan.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CarryTest {
    private static final MachineTaint A = always("a", "1", "NoSchedule");
    private static final MachineTaint A2 = always("a", "2", "NoSchedule");
    private static final MachineTaint A_ONCE = once("a", "1", "NoSchedule");
    private static final MachineTaint A_BARE = always("a", "", "NoSchedule");
    private static final MachineTaint B = always("b", "", "NoSchedule");
    private static final List<MachineTaint> NONE = List.of();
    private static final String OURS = "nodeward-topology";

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
        assertThat(Carry.plan(Hop.TOPOLOGY, NONE, found(List.of(A), updated("kubectl", A), applied(OURS, A))).write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** Who created a Machine passed on what its MachineSet declared, and would never take it back. */
    @ParameterizedTest
    @EnumSource(names = {"MACHINE_SETS", "MACHINES", "POOL_MACHINES"})
    void what_an_object_was_made_with_follows_what_is_declared(Hop hop) {
        TaintOwner maker = updated("somebody", A);
        TaintOwner ours = applied(hop.manager(), A);
        TaintBearer made = found(List.of(A), maker, ours);

        assertThat(Carry.plan(hop, List.of(A), found(List.of(A), maker)).write())
                .isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(Carry.plan(hop, List.of(A), made).write()).isEqualTo(new Write.Nothing());
        assertThat(Carry.plan(hop, List.of(A2), made)).isEqualTo(
                new CarryPlan(new Write.Apply(List.of(A2), true), List.of()));
        assertThat(Carry.plan(hop, List.of(A_ONCE), made).write()).isEqualTo(new Write.Apply(List.of(A_ONCE), true));
        assertThat(Carry.plan(hop, List.of(A_BARE), made)).isEqualTo(
                new CarryPlan(new Write.Replace(List.of(A_BARE)), List.of()));
        assertThat(Carry.plan(hop, NONE, made).write()).isEqualTo(new Write.Replace(NONE));
        assertThat(Carry.plan(hop, NONE, found(List.of(A, B), updated("somebody", A, B), ours)).write())
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
    void what_somebody_applies_to_an_object_stays_theirs_whoever_made_it(Hop hop) {
        TaintBearer found = found(
                List.of(A), updated("somebody", A), applied("operator", A), applied(hop.manager(), A));

        assertThat(Carry.plan(hop, List.of(A2), found)).isEqualTo(new CarryPlan(new Write.Apply(NONE, false),
                List.of(new Contest(A2, A, new TreeSet<>(Set.of("operator"))))));
        assertThat(Carry.plan(hop, NONE, found).write()).isEqualTo(new Write.Apply(NONE, false));
    }

    @Test
    void what_somebody_else_declares_otherwise_stays_and_is_named() {
        CarryPlan plan = plan(List.of(A, B), List.of(A2), updated("kubectl", A2), applied("operator", A2));

        assertThat(plan.write()).isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(plan.contests())
                .containsExactly(new Contest(A, A2, new TreeSet<>(Set.of("kubectl", "operator"))));
        assertThat(plan.contests().getFirst()).hasToString("taint a:NoSchedule stays as declared by kubectl, operator"
                + " (value \"2\", Always), wanted is value \"1\", Always");
    }

    @Test
    void a_taint_of_both_is_let_go_when_they_come_to_differ() {
        CarryPlan plan = plan(List.of(A2), List.of(A), applied("operator", A), applied(OURS, A));

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
        TaintBearer edited = found(List.of(A), applied(OURS, A_BARE), editor);
        CarryPlan plan = Carry.plan(Hop.TOPOLOGY, List.of(A_BARE), edited);

        assertThat(plan.write()).isEqualTo(new Write.Nothing());
        assertThat(plan.contests()).containsExactly(new Contest(A_BARE, A, new TreeSet<>(Set.of("kubectl-edit"))));
        // The rest of it goes on following what is declared.
        MachineTaint once = once("a", "", "NoSchedule");
        assertThat(Carry.plan(Hop.TOPOLOGY, List.of(once), edited).write())
                .isEqualTo(new Write.Apply(List.of(once), false));
        // Of a Machine, whose taints are its MachineSet's, it is taken out.
        assertThat(Carry.plan(Hop.MACHINES, List.of(A_BARE), edited)).isEqualTo(
                new CarryPlan(new Write.Replace(List.of(A_BARE)), List.of()));
    }

    @Test
    void a_taint_of_unknown_writers_is_theirs() {
        CarryPlan plan = plan(List.of(A), List.of(A2));

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

    @ParameterizedTest
    @EnumSource(names = {"TOPOLOGY", "MACHINE_SETS", "MACHINES"})
    void where_cluster_api_makes_the_step_it_is_left_to_it(Hop hop) {
        TaintOwner rival = new TaintOwner(switch (hop) {
            case TOPOLOGY -> "capi-topology";
            case MACHINE_SETS -> "capi-machinedeployment";
            default -> "capi-machineset";
        }, true, false, Map.of());

        assertThat(Carry.plan(hop, List.of(A), found(NONE, rival)).write())
                .isEqualTo(new Write.Refused(Refusal.OTHER_CARRIER,
                        rival.manager() + " carries taints to this object"));
        assertThat(Carry.plan(hop, List.of(A), found(List.of(A), rival)).write()).isEqualTo(new Write.Nothing());
        assertThat(Carry.plan(hop, NONE, found(List.of(B), rival)).write()).isEqualTo(new Write.Nothing());
    }

    @Test
    void handing_over_to_cluster_api_leaves_no_gap() {
        TaintOwner rival = new TaintOwner("capi-machineset", true, false, Map.of());

        // Not its yet: ours stays as long as it is wanted.
        assertThat(plan(List.of(A), List.of(A), applied(OURS, A), rival).write()).isEqualTo(new Write.Nothing());
        assertThat(plan(List.of(A), List.of(A), applied(OURS, A), applied("capi-machineset", A)).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(plan(NONE, List.of(A), applied(OURS, A), rival).write()).isEqualTo(new Write.Apply(NONE, false));
    }

    @Test
    void a_rival_is_one_who_applies_and_no_other_of_that_name() {
        TaintOwner update = new TaintOwner("capi-machineset", false, false, Map.of(B.id(), Set.of(TaintOwner.ITEM)));

        assertThat(plan(List.of(A), List.of(B), update).write()).isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(Hop.COMPLETED_TOPOLOGY.rival(List.of(applied("capi-topology", A)))).isEmpty();
    }

    @Test
    void beside_cluster_apis_topology_only_what_it_drops_is_ours() {
        TaintOwner upstream = applied("capi-topology", A);

        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, List.of(B), found(List.of(A), upstream)).write())
                .isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, List.of(B), found(List.of(A, B), upstream, applied(OURS, B)))
                .write()).isEqualTo(new Write.Nothing());
        // The Cluster's list is gone: upstream writes the class's, and owns what was ours.
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, NONE,
                found(List.of(A, B), applied("capi-topology", A, B), applied(OURS, B))).write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** The Cluster's list is gone: upstream writes the class's a moment later, and until then only we have it. */
    @Test
    void what_cluster_apis_topology_is_to_carry_itself_is_let_go_once_it_has() {
        MachineTaint c = always("c", "", "NoSchedule");
        Set<TaintId> declared = Set.of(A.id(), B.id(), c.id());
        TaintBearer before = found(List.of(A, B), applied("capi-topology", A), applied(OURS, B));

        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, NONE, declared, before).write()).isEqualTo(new Write.Nothing());
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, List.of(c), declared, before).write())
                .isEqualTo(new Write.Apply(List.of(c, B), false));
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, NONE, declared,
                found(List.of(A, B), applied("capi-topology", A, B), applied(OURS, B))).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, NONE, Set.of(A.id()), before).write()).as("declared no more")
                .isEqualTo(new Write.Apply(NONE, false));
        // What nobody is said to have put there is not ours to keep.
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, List.of(c), declared, found(List.of(B))).write())
                .isEqualTo(new Write.Apply(List.of(c), false));
    }

    /** Who applies it without a value declares none, so what is there is nobody's once it is not wanted. */
    @Test
    void a_value_of_ours_goes_from_a_taint_that_others_apply_without_one() {
        TaintBearer found = found(List.of(A), applied("capi-topology", A_BARE), applied(OURS, A));
        assertThat(Carry.plan(Hop.COMPLETED_TOPOLOGY, NONE, Set.of(A.id()), found).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(plan(List.of(A_BARE), List.of(A), applied("capi-machineset", A_BARE), applied(OURS, A)).write())
                .as("at hand-over").isEqualTo(new Write.Apply(NONE, false));
        // Of who wrote it in any other way it cannot be said what they declare.
        TaintBearer shared = found(List.of(A), updated("kubectl", A_BARE), applied("operator", A_BARE),
                applied(OURS, A));
        assertThat(Carry.plan(Hop.TOPOLOGY, NONE, shared).write()).isEqualTo(new Write.Nothing());
    }

    @Test
    void what_is_held_at_hand_over_costs_no_request() {
        TaintOwner rival = without(applied("capi-machineset", A), A.id(), "propagation");

        assertThat(plan(List.of(A_ONCE), List.of(A_ONCE), rival, applied(OURS, A_ONCE)).write())
                .isEqualTo(new Write.Nothing());
    }

    @Test
    void machines_of_a_pool_get_its_taints_although_cluster_api_applies_them() {
        TaintOwner labels = new TaintOwner("machinepool-controller", true, false, Map.of());

        assertThat(Carry.plan(Hop.POOL_MACHINES, List.of(A), found(NONE, labels)).write())
                .isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(
                Carry.plan(Hop.POOL_MACHINES, List.of(A), found(List.of(A), labels, applied("nodeward-machinepool", A)))
                        .write())
                .isEqualTo(new Write.Nothing());
        // A later release that carries taints too.
        assertThat(Carry.plan(Hop.POOL_MACHINES, List.of(A), found(List.of(B), applied("machinepool-controller", B)))
                .write()).isInstanceOf(Write.Refused.class);
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

    private static CarryPlan plan(List<MachineTaint> wanted, List<MachineTaint> there, TaintOwner... owners) {
        return Carry.plan(Hop.MACHINES, wanted, found(there, owners));
    }

    private static TaintBearer found(List<MachineTaint> there, TaintOwner... owners) {
        Metadata metadata =
                new Metadata(new ObjectKey("fleet", "m"), "u", "1", Map.of(), Map.of(), List.of(), false);
        return new TaintBearer(metadata, "c", there, List.of(owners), List.of());
    }

    private static TaintOwner applied(String manager, MachineTaint... taints) {
        return new TaintOwner(manager, true, false, items(taints));
    }

    /** Who made the list by any other write. */
    private static TaintOwner updated(String manager, MachineTaint... taints) {
        return new TaintOwner(manager, false, true, items(taints));
    }

    private static Map<TaintId, Set<String>> items(MachineTaint... taints) {
        Map<TaintId, Set<String>> items = new HashMap<>();
        for (MachineTaint taint : taints) {
            items.put(taint.id(), taint.value().isEmpty()
                    ? Set.of(TaintOwner.ITEM, "key", "effect", "propagation")
                    : Set.of(TaintOwner.ITEM, "key", "effect", "propagation", "value"));
        }
        return items;
    }

    private static TaintOwner without(TaintOwner owner, TaintId id, String field) {
        Map<TaintId, Set<String>> items = new HashMap<>(owner.items());
        Set<String> left = new TreeSet<>(items.getOrDefault(id, Set.of()));
        left.remove(field);
        items.put(id, Set.copyOf(left));
        return new TaintOwner(owner.manager(), owner.applied(), owner.list(), items);
    }
}
