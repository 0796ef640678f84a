package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.UNINITIALIZED;
import static io.nodeward.core.rules.Fleet.always;
import static io.nodeward.core.rules.Fleet.fresh;
import static io.nodeward.core.rules.Fleet.node;
import static io.nodeward.core.rules.Fleet.once;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.machine.TaintAnnotations;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.Fleet;
import io.nodeward.core.rules.taint.Initialization;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Taints that are declared by annotation, alone and beside those of the spec. */
class AnnotatedTaintsTest {
    private static final Taint A = Taint.of("a", "1", "NoSchedule");
    private static final Taint FOREIGN = Taint.of("x", "", "NoSchedule");

    @ParameterizedTest
    @CsvSource({"a:NoSchedule,a,'',NoSchedule", "a=1:NoExecute,a,1,NoExecute", "a=:NoSchedule,a,'',NoSchedule",
            "example.com/gpu=a.b-c:PreferNoSchedule,example.com/gpu,a.b-c,PreferNoSchedule",
            "a=1:NoSchedule:OnInitialization,a,1,NoSchedule"})
    void a_text_is_one_taint(String text, String key, String value, String effect) {
        assertThat(after(annotated("gpu", text), fresh(UNINITIALIZED, FOREIGN)).taints())
                .containsExactly(FOREIGN, Taint.of(key, value, effect));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a", "a=1", ":NoSchedule", "a:", "a:NoSchedule:", "a:NoSchedule:Always",
            "a:NoSchedule:oninitialization", "a:b:NoSchedule", "a:NoSchedule:OnInitialization:x"})
    void another_text_is_no_taint_and_named(String text) {
        NodePlan plan = plan(annotated("gpu", text), fresh());

        assertThat(plan.change().taints()).isEmpty();
        assertThat(plan.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.UNREADABLE_ANNOTATION);
            assertThat(warning.message()).contains("taint.nodeward.io/gpu", '"' + text + '"');
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b:NoSchedule", " a:NoSchedule", "a:NoRun", "a:NoSchedule ", "a=b=c:NoSchedule"})
    void a_taint_that_no_node_accepts_is_not_written_and_named(String text) {
        NodePlan plan = plan(annotated("gpu", text), fresh());

        assertThat(plan.change().taints()).isEmpty();
        assertThat(plan.warnings()).extracting(Warning::reason).containsExactly(Reason.UNUSABLE_TAINT);
    }

    @Test
    void both_layers_come_in_one_write_and_are_tracked_apart() {
        Machine machine = machine(Map.of("gpu", "b=2:NoExecute"), always("a", "1", "NoSchedule"));

        Node after = after(machine, fresh());

        assertThat(after.taints()).containsExactly(A, Taint.of("b", "2", "NoExecute"));
        assertThat(after.metadata().annotations())
                .containsEntry(ClusterApi.TAINTS_FROM_MACHINE, "a:NoSchedule")
                .containsEntry(TaintAnnotations.TRACKING, "b:NoExecute");
    }

    @Test
    void nothing_is_tracked_where_nothing_was_ever_declared_so() {
        assertThat(after(Fleet.machine(always("a", "1", "NoSchedule")), fresh()).metadata().annotations())
                .containsOnlyKeys(ClusterApi.TAINTS_FROM_MACHINE);
    }

    @Test
    void what_is_declared_no_more_goes_and_the_rest_stays() {
        Node node = tracked("a:NoSchedule,b:NoExecute", A, FOREIGN, Taint.of("b", "", "NoExecute"));

        Node after = after(annotated("gpu", "b:NoExecute"), node);

        assertThat(after.taints()).containsExactly(FOREIGN, Taint.of("b", "", "NoExecute"));
        assertThat(after(Fleet.machine(), after).metadata().annotations()).containsEntry(TaintAnnotations.TRACKING, "");
        assertThat(after(Fleet.machine(), after).taints()).containsExactly(FOREIGN);
    }

    @Test
    void nothing_goes_while_a_text_cannot_be_read() {
        Node node = tracked("a:NoSchedule", A);

        Node after = after(machine(Map.of("one", "a=1;NoSchedule", "two", "b:NoExecute")), node);

        assertThat(after.taints()).containsExactly(A, Taint.of("b", "", "NoExecute"));
        assertThat(after.metadata().annotations()).containsEntry(TaintAnnotations.TRACKING, "a:NoSchedule,b:NoExecute");
        Node mended = after(machine(Map.of("two", "b:NoExecute")), after);
        assertThat(mended.taints()).containsExactly(Taint.of("b", "", "NoExecute"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a=1:NoSchedul", "a =1:NoSchedule", "a=b=c:NoSchedule"})
    void a_slip_in_any_part_leaves_the_taint_on_the_node_and_tracked_until_it_is_mended(String slip) {
        for (Node node : List.of(tracked("a:NoSchedule", A), Fleet.tracking("a:NoSchedule", A))) {
            Node after = after(annotated("gpu", slip), node);

            assertThat(after.taints()).containsExactly(A);
            assertThat(after(Fleet.machine(), after).taints()).isEmpty();
        }
    }

    @Test
    void an_unreadable_text_keeps_what_leaves_the_spec_as_well() {
        Node node = after(Fleet.machine(always("a", "1", "NoSchedule")), fresh());

        Node after = after(annotated("gpu", "a=1;NoSchedule"), node);

        assertThat(after.taints()).containsExactly(A);
        assertThat(after(annotated("gpu", "b:NoExecute"), after).taints())
                .containsExactly(Taint.of("b", "", "NoExecute"));
    }

    @Test
    void the_spec_wins_and_says_nothing_of_it() {
        NodePlan plan = plan(machine(Map.of("gpu", "a=2:NoSchedule"), always("a", "1", "NoSchedule")), fresh());

        assertThat(plan.change().taints()).contains(List.of(A));
        assertThat(plan.change().annotations()).containsOnlyKeys(ClusterApi.TAINTS_FROM_MACHINE);
        assertThat(plan.warnings()).isEmpty();
    }

    @Test
    void of_two_names_the_bytewise_first_wins_and_the_other_is_named() {
        NodePlan plan = plan(machine(Map.of("b", "a=2:NoSchedule", "B", "a=1:NoSchedule")), fresh());

        assertThat(plan.change().taints()).contains(List.of(A));
        assertThat(plan.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.DUPLICATE_TAINT);
            assertThat(warning.message()).contains("taint.nodeward.io/b repeats", "taint.nodeward.io/B");
        });
    }

    @Test
    void a_taint_that_moves_between_spec_and_annotation_stays_where_it_is() {
        Node byAnnotation = after(annotated("gpu", "a=1:NoSchedule"), fresh(FOREIGN));
        Node bySpec = after(Fleet.machine(always("a", "1", "NoSchedule")), byAnnotation);
        Node back = after(annotated("gpu", "a=1:NoSchedule"), bySpec);

        assertThat(List.of(byAnnotation.taints(), bySpec.taints(), back.taints()))
                .allMatch(List.of(FOREIGN, A)::equals);
        assertThat(bySpec.metadata().annotations())
                .containsEntry(ClusterApi.TAINTS_FROM_MACHINE, "a:NoSchedule")
                .containsEntry(TaintAnnotations.TRACKING, "");
        assertThat(back.metadata().annotations())
                .containsEntry(ClusterApi.TAINTS_FROM_MACHINE, "")
                .containsEntry(TaintAnnotations.TRACKING, "a:NoSchedule");
    }

    @Test
    void a_taint_for_initialization_is_set_until_the_layer_is_tracked_and_then_left_alone() {
        Machine machine = annotated("gpu", "a=1:NoSchedule:OnInitialization");

        Node after = after(machine, Fleet.tracking("", FOREIGN));

        assertThat(after.taints()).containsExactly(FOREIGN, A);
        assertThat(after.metadata().annotations()).containsEntry(TaintAnnotations.TRACKING, "");
        assertThat(after(machine, tracked("", FOREIGN)).taints()).containsExactly(FOREIGN);
        assertThat(after(Fleet.machine(), after).taints()).containsExactly(FOREIGN, A);
    }

    @Test
    void with_the_gate_off_neither_declaration_nor_tracking_is_touched() {
        Node node = tracked("b:NoExecute", Taint.of("b", "", "NoExecute"));

        NodePlan plan = NodePlanner.plan(Owner.of(annotated("gpu", "a=1:NoSchedule")), node,
                NodePolicy.forMachines().withTaints(false));

        assertThat(plan.change().isEmpty()).isTrue();
    }

    @Test
    void nodes_that_have_worked_for_months_get_no_taint_for_initialization_if_so_chosen() {
        NodePolicy policy = NodePolicy.forMachines().withInitialization(Initialization.WHEN_UNINITIALIZED);
        Machine machine = machine(Map.of("gpu", "b:NoExecute:OnInitialization"), once("a", "1", "NoSchedule"));

        NodePlan old = NodePlanner.plan(Owner.of(machine), fresh(FOREIGN), policy);
        NodePlan young = NodePlanner.plan(Owner.of(machine), fresh(UNINITIALIZED), policy);
        Node pool = node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, "", TaintAnnotations.TRACKING, ""),
                UNINITIALIZED);

        assertThat(old.change().taints()).isEmpty();
        assertThat(old.change().annotations()).containsKeys(ClusterApi.TAINTS_FROM_MACHINE, TaintAnnotations.TRACKING);
        assertThat(young.change().taints()).contains(List.of(A, Taint.of("b", "", "NoExecute")));
        assertThat(NodePlanner.plan(Owner.of(machine), pool, NodePolicy.forMachinePools()
                .withInitialization(Initialization.WHEN_UNINITIALIZED)).change().isEmpty()).isTrue();
    }

    private static Machine annotated(String name, String text) {
        return machine(Map.of(name, text));
    }

    private static Machine machine(Map<String, String> texts, MachineTaint... taints) {
        Map<String, String> annotations = new TreeMap<>();
        texts.forEach((name, text) -> annotations.put(TaintAnnotations.PREFIX + name, text));
        return Fleet.machine(Map.of(), annotations, List.of(taints));
    }

    private static Node tracked(String text, Taint... taints) {
        return node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, "", TaintAnnotations.TRACKING, text), taints);
    }

    private static NodePlan plan(Machine machine, Node node) {
        return NodePlanner.plan(Owner.of(machine), node, NodePolicy.forMachines());
    }

    private static Node after(Machine machine, Node node) {
        return plan(machine, node).change().applyTo(node, "43");
    }
}
