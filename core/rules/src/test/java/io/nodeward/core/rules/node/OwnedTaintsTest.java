package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.OUTDATED;
import static io.nodeward.core.rules.Fleet.UNINITIALIZED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.fresh;
import static io.nodeward.core.rules.Fleet.machine;
import static io.nodeward.core.rules.Fleet.once;
import static io.nodeward.core.rules.Fleet.tracking;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OwnedTaintsTest {
    private static final Taint A = Taint.of("a", "1", "NoSchedule");
    private static final Taint FOREIGN =
            new Taint("x", "", "NoSchedule", "{\"effect\":\"NoSchedule\",\"key\":\"x\",\"later\":[1,{\"a\":null}]}");

    @Test
    void a_change_holds_on_the_version_it_was_planned_from() {
        NodeChange change = plan(machine(always("a", "1", "NoSchedule")), fresh()).change();

        assertThat(change.node()).isEqualTo("node-1");
        assertThat(change.resourceVersion()).isEqualTo("42");
        assertThat(change.taints()).contains(List.of(A));
        assertThat(change.annotations())
                .containsOnlyKeys(ClusterApi.TAINTS_FROM_MACHINE)
                .containsValue(Optional.of("a:NoSchedule"));
        assertThat(change.labels()).isEmpty();
    }

    @Test
    void new_taints_come_last_in_the_owners_order_and_foreign_ones_keep_element_and_place() {
        Node node = fresh(UNINITIALIZED, FOREIGN, Taint.of("b", "old", "NoExecute"), OUTDATED);

        List<Taint> taints = taintsAfter(
                machine(once("z", "", "NoSchedule"), always("b", "new", "NoExecute"), always("a", "1", "NoSchedule")),
                node);

        assertThat(taints).containsExactly(
                FOREIGN, Taint.of("b", "new", "NoExecute"), OUTDATED, Taint.of("z", "", "NoSchedule"), A);
    }

    @Test
    void an_owned_taint_that_is_right_keeps_its_element() {
        Taint timed = new Taint("a", "1", "NoSchedule",
                "{\"key\":\"a\",\"value\":\"1\",\"timeAdded\":\"2026-01-02T03:04:05Z\"}");

        List<Taint> taints = taintsAfter(
                machine(always("a", "1", "NoSchedule"), always("b", "", "NoSchedule")),
                tracking("a:NoSchedule", timed));

        assertThat(taints).containsExactly(timed, Taint.of("b", "", "NoSchedule"));
    }

    @Test
    void the_tracking_text_is_sorted_by_the_bytes_of_whole_entries() {
        NodeChange change = plan(
                machine(always("a", "", "NoSchedule"), always("a0", "", "NoSchedule"), always("a-b", "", "NoSchedule"),
                        always("a.b", "", "NoSchedule"), always("a", "", "NoExecute"), always("B", "", "NoSchedule")),
                fresh()).change();

        assertThat(change.annotations()).containsEntry(ClusterApi.TAINTS_FROM_MACHINE, Optional.of(
                "B:NoSchedule,a-b:NoSchedule,a.b:NoSchedule,a0:NoSchedule,a:NoExecute,a:NoSchedule"));
    }

    @Test
    void the_value_of_a_once_taint_is_set_at_initialization_and_never_later() {
        Taint theirs = Taint.of("o", "theirs", "NoExecute");
        Machine owner = machine(once("o", "ours", "NoExecute"));

        assertThat(taintsAfter(owner, fresh(theirs))).containsExactly(Taint.of("o", "ours", "NoExecute"));
        assertThat(plan(owner, tracking("", theirs)).change().isEmpty()).isTrue();
    }

    @Test
    void only_cluster_apis_own_effect_of_the_initialization_taint_is_removed() {
        Taint other = Taint.of(ClusterApi.UNINITIALIZED_TAINT, "", "NoExecute");

        assertThat(taintsAfter(machine(), fresh(other, UNINITIALIZED))).containsExactly(other);
    }

    @Test
    void without_the_gate_only_the_initialization_taint_goes() {
        Node node = fresh(UNINITIALIZED, Taint.of("a", "drifted", "NoSchedule"));
        Machine owner = machine(always("a", "1", "NoSchedule"), always("b c", "", "NoSchedule"));

        NodePlan plan = NodePlanner.plan(Owner.of(owner), node, NodePolicy.forMachines().withTaints(false));

        assertThat(plan.change().taints()).contains(List.of(Taint.of("a", "drifted", "NoSchedule")));
        assertThat(plan.change().annotations()).isEmpty();
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void without_the_gate_the_tracking_annotation_is_not_even_read() {
        NodePlan plan = NodePlanner.plan(Owner.of(machine()), tracking("a:NoSchedule,garbage", A),
                NodePolicy.forMachines().withTaints(false));

        assertThat(plan.change().isEmpty()).isTrue();
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void without_the_gate_a_pools_node_is_left_alone() {
        NodePlan plan = NodePlanner.plan(Owner.of(machine(always("a", "1", "NoSchedule"))), fresh(UNINITIALIZED),
                NodePolicy.forMachinePools().withTaints(false));

        assertThat(plan.change().isEmpty()).isTrue();
    }

    @Test
    void a_machine_being_deleted_is_planned_like_any_other() {
        Machine owner = machine(always("a", "1", "NoSchedule"));
        Metadata m = owner.metadata();
        Machine deleting = new Machine(
                new Metadata(m.key(), m.uid(), m.resourceVersion(), m.labels(), m.annotations(), m.owners(), true),
                owner.clusterName(), owner.providerId(), owner.nodeName(), owner.taints(), List.of());

        assertThat(plan(deleting, fresh())).isEqualTo(plan(owner, fresh()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"b", "b:", ":NoSchedule", "b:noschedule", " b:NoSchedule", "b:NoSchedule ",
            "b:x:NoSchedule", "b:NoSchedule:x", "b:Foo", "b c:NoSchedule"})
    void an_entry_nobody_can_use_is_dropped_and_named_and_removes_nothing(String entry) {
        Taint b = Taint.of("b", "", "NoSchedule");
        Node node = tracking("a:NoSchedule," + entry, A, b);

        NodePlan plan = plan(machine(always("a", "1", "NoSchedule")), node);

        assertThat(plan.change().taints()).isEmpty();
        assertThat(plan.change().annotations())
                .containsEntry(ClusterApi.TAINTS_FROM_MACHINE, Optional.of("a:NoSchedule"));
        assertThat(plan.warnings()).singleElement().satisfies(w -> {
            assertThat(w.reason()).isEqualTo(Reason.MALFORMED_TRACKING);
            assertThat(w.message()).contains("node-1", ClusterApi.TAINTS_FROM_MACHINE, '"' + entry + '"');
        });
    }

    @Test
    void empty_entries_are_dropped_without_a_word() {
        NodePlan plan = plan(machine(always("a", "1", "NoSchedule")), tracking(",a:NoSchedule,,", A));

        assertThat(plan.change().annotations())
                .containsEntry(ClusterApi.TAINTS_FROM_MACHINE, Optional.of("a:NoSchedule"));
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void an_unusable_entry_does_not_keep_the_others_from_being_removed() {
        assertThat(taintsAfter(machine(), tracking("garbage,a:NoSchedule", A, FOREIGN))).containsExactly(FOREIGN);
    }

    @Test
    void a_reserved_key_in_the_tracking_text_is_neither_removed_nor_kept() {
        String text = UNINITIALIZED.id() + "," + OUTDATED.id();

        NodePlan plan = NodePlanner.plan(
                Owner.of(machine()), tracking(text, UNINITIALIZED, OUTDATED), NodePolicy.forMachinePools());

        assertThat(plan.change().taints()).isEmpty();
        assertThat(plan.change().annotations()).containsEntry(ClusterApi.TAINTS_FROM_MACHINE, Optional.of(""));
        assertThat(plan.warnings()).extracting(Warning::reason)
                .containsExactly(Reason.MALFORMED_TRACKING, Reason.MALFORMED_TRACKING);
    }

    static NodePlan plan(Machine owner, Node node) {
        return NodePlanner.plan(Owner.of(owner), node, NodePolicy.forMachines());
    }

    static List<Taint> taintsAfter(Machine owner, Node node) {
        return plan(owner, node).change().applyTo(node, "43").taints();
    }
}
