package io.nodeward.core.rules.topology;

import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.topology.TaintListFixture.A;
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
import io.nodeward.api.node.TaintId;
import io.nodeward.core.rules.topology.TaintListPlan.Refusal;
import io.nodeward.core.rules.topology.TaintListPlan.Write;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Where Cluster API's managers make the same step, or are about to, or have made it before. */
class TaintListBesideUpstreamTest {
    @ParameterizedTest
    @EnumSource(names = {"TOPOLOGY", "MACHINE_SETS", "MACHINES"})
    void where_cluster_api_makes_the_step_it_is_left_to_it(PropagationStep step) {
        TaintOwner rival = new TaintOwner(switch (step) {
            case TOPOLOGY -> "capi-topology";
            case MACHINE_SETS -> "capi-machinedeployment";
            default -> "capi-machineset";
        }, true, false, Map.of());

        assertThat(TaintListPlanner.plan(step, List.of(A), found(NONE, rival)).write())
                .isEqualTo(new Write.Refused(Refusal.FIELD_CONFLICT,
                        rival.manager() + " carries taints to this object"));
        assertThat(TaintListPlanner.plan(step, List.of(A), found(List.of(A), rival)).write())
                .isEqualTo(new Write.Nothing());
        assertThat(TaintListPlanner.plan(step, NONE, found(List.of(B), rival)).write()).isEqualTo(new Write.Nothing());
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
        assertThat(PropagationStep.COMPLETED_TOPOLOGY.rival(List.of(applied("capi-topology", A)))).isEmpty();
    }

    @Test
    void beside_cluster_apis_topology_only_what_it_drops_is_ours() {
        TaintOwner upstream = applied("capi-topology", A);

        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, List.of(B), found(List.of(A), upstream))
                .write())
                .isEqualTo(new Write.Apply(List.of(B), false));
        assertThat(TaintListPlanner
                .plan(PropagationStep.COMPLETED_TOPOLOGY, List.of(B), found(List.of(A, B), upstream, applied(OURS, B)))
                .write()).isEqualTo(new Write.Nothing());
        // The Cluster's list is gone: upstream writes the class's, and owns what was ours.
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, NONE,
                found(List.of(A, B), applied("capi-topology", A, B), applied(OURS, B))).write())
                .isEqualTo(new Write.Apply(NONE, false));
    }

    /** The Cluster's list is gone: upstream writes the class's a moment later, and until then only we have it. */
    @Test
    void what_cluster_apis_topology_is_to_carry_itself_is_let_go_once_it_has() {
        MachineTaint c = always("c", "", "NoSchedule");
        Set<TaintId> declared = Set.of(A.id(), B.id(), c.id());
        TaintHolder before = found(List.of(A, B), applied("capi-topology", A), applied(OURS, B));

        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, NONE, declared, before).write())
                .isEqualTo(new Write.Nothing());
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, List.of(c), declared, before).write())
                .isEqualTo(new Write.Apply(List.of(c, B), false));
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, NONE, declared,
                found(List.of(A, B), applied("capi-topology", A, B), applied(OURS, B))).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, NONE, Set.of(A.id()), before).write())
                .as("declared no more")
                .isEqualTo(new Write.Apply(NONE, false));
        // What nobody is said to have put there is not ours to keep.
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, List.of(c), declared, found(List.of(B)))
                .write())
                .isEqualTo(new Write.Apply(List.of(c), false));
    }

    /** Who applies it without a value declares none, so what is there is nobody's once it is not wanted. */
    @Test
    void a_value_of_ours_goes_from_a_taint_that_others_apply_without_one() {
        TaintHolder found = found(List.of(A), applied("capi-topology", A_BARE), applied(OURS, A));
        assertThat(TaintListPlanner.plan(PropagationStep.COMPLETED_TOPOLOGY, NONE, Set.of(A.id()), found).write())
                .isEqualTo(new Write.Apply(NONE, false));
        assertThat(plan(List.of(A_BARE), List.of(A), applied("capi-machineset", A_BARE), applied(OURS, A)).write())
                .as("at hand-over").isEqualTo(new Write.Apply(NONE, false));
        // Of who wrote it in any other way it cannot be said what they declare.
        TaintHolder shared = found(List.of(A), updated("kubectl", A_BARE), applied("operator", A_BARE),
                applied(OURS, A));
        assertThat(TaintListPlanner.plan(PropagationStep.TOPOLOGY, NONE, shared).write())
                .isEqualTo(new Write.Nothing());
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

        assertThat(TaintListPlanner.plan(PropagationStep.POOL_MACHINES, List.of(A), found(NONE, labels)).write())
                .isEqualTo(new Write.Apply(List.of(A), false));
        assertThat(
                TaintListPlanner
                        .plan(PropagationStep.POOL_MACHINES, List.of(A),
                                found(List.of(A), labels, applied("nodeward-machinepool", A)))
                        .write())
                .isEqualTo(new Write.Nothing());
        // A later release that carries taints too.
        assertThat(TaintListPlanner
                .plan(PropagationStep.POOL_MACHINES, List.of(A),
                        found(List.of(B), applied("machinepool-controller", B)))
                .write()).isInstanceOf(Write.Refused.class);
    }
}
