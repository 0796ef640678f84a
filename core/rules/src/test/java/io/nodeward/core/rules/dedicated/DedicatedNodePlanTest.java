package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.after;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DedicatedNodePlanTest {
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";
    private static final Taint BANANA = Taint.of("dedicated", "banana", "NoSchedule");
    private static final Taint BANANA_NOW = Taint.of("dedicated", "banana", "NoExecute");
    private static final Taint CHERRY = Taint.of("dedicated", "cherry", "NoSchedule");
    private static final Taint OTHERS = new Taint("cpu", "slow", "NoSchedule",
            "{\"later\":[1],\"effect\":\"NoSchedule\",\"key\":\"cpu\",\"value\":\"slow\"}");
    private static final Node FRESH = node("foo", OTHERS);
    private static final Make GROUP = group("banana");
    private static final Make BOTH = GROUP.effects(DedicatedEffect.NoScheduleNoAdmitNoExecute);

    @Test
    void a_node_gets_taint_label_and_annotations_in_one_write() {
        NodeChange change = plan(FRESH, GROUP).change();
        assertThat(change.node()).isEqualTo("foo");
        assertThat(change.resourceVersion()).isEqualTo("42");
        assertThat(change.taints()).contains(List.of(OTHERS, BANANA));
        assertThat(change.labels()).containsOnlyKeys(LABEL, DedicatedAnnotations.DIGEST)
                .containsEntry(LABEL, Optional.of("banana"));
        assertThat(change.annotations()).containsOnly(
                Map.entry(DedicatedAnnotations.TAINTS, Optional.of("dedicated:NoSchedule")),
                Map.entry(DedicatedAnnotations.LABELS, Optional.of(LABEL)));
    }

    @Test
    void a_node_as_it_should_be_is_not_written() {
        assertThat(plan(after(FRESH, GROUP), GROUP).change().isEmpty()).isTrue();
        assertThat(plan(FRESH).change().isEmpty()).isTrue();
        assertThat(plan(FRESH).conflicts()).isEmpty();
    }

    @Test
    void a_group_in_force_with_an_effect_of_a_newer_version_keeps_what_its_nodes_have() {
        Node tainted = after(FRESH, BOTH);
        assertThat(plan(tainted, BOTH.effects(DedicatedEffect.NoSchedule).unknownEffect("NoRun")).change().isEmpty())
                .isTrue();
    }

    @Test
    void without_a_group_all_that_is_managed_goes_and_nothing_else() {
        Node end = after(after(FRESH, BOTH));
        assertThat(end.taints()).containsExactly(OTHERS);
        assertThat(end.metadata().labels()).isEmpty();
        assertThat(end.metadata().annotations()).isEmpty();
    }

    @Test
    void another_value_replaces_the_taint_in_its_place_and_the_label() {
        Node tainted = after(node("foo"), GROUP);
        Node before = new Node(tainted.metadata(), "", List.of(BANANA, OTHERS));
        Node end = after(before, group("cherry"));
        assertThat(end.taints()).containsExactly(CHERRY, OTHERS);
        assertThat(end.metadata().labels()).containsEntry(LABEL, "cherry");
    }

    @Test
    void another_key_takes_the_old_taint_and_label_away() {
        Node end = after(after(FRESH, GROUP), GROUP.taint("team", "", DedicatedEffect.NoSchedule));
        assertThat(end.taints()).containsExactly(OTHERS, Taint.of("team", "", "NoSchedule"));
        assertThat(end.metadata().labels()).doesNotContainKey(LABEL)
                .containsEntry("node-restriction.kubernetes.io/team", "");
    }

    @Test
    void drift_of_what_is_managed_is_corrected() {
        Node tainted = after(FRESH, GROUP);
        assertThat(after(new Node(tainted.metadata(), "", List.of(CHERRY)), GROUP).taints()).containsExactly(BANANA);
        assertThat(after(new Node(tainted.metadata(), "", List.of()), GROUP).taints()).containsExactly(BANANA);
        Map<String, String> labels = new HashMap<>(tainted.metadata().labels());
        labels.put(LABEL, "x");
        Node relabelled = with(tainted, labels, tainted.metadata().annotations());
        assertThat(after(relabelled, GROUP)).isEqualTo(tainted);
    }

    @Test
    void several_groups_share_a_node() {
        Make team = group("team").taint("team", "x", DedicatedEffect.NoExecute);
        Make same = group("also").taint("dedicated", "banana", DedicatedEffect.NoExecute);
        Node end = after(node("foo"), team, GROUP, same);
        assertThat(end.taints())
                .containsExactly(BANANA_NOW, BANANA, Taint.of("team", "x", "NoExecute"));
        assertThat(end.metadata().annotations()).containsEntry(DedicatedAnnotations.TAINTS,
                "dedicated:NoExecute,dedicated:NoSchedule,team:NoExecute")
                .containsEntry(DedicatedAnnotations.LABELS, LABEL + ",node-restriction.kubernetes.io/team");
        assertThat(after(end, GROUP).taints()).containsExactly(BANANA);
    }

    @Test
    void of_two_values_the_one_that_the_node_has_stays() {
        Node cherry = after(node("foo"), group("cherry"));
        DedicatedNodePlan plan = plan(cherry, GROUP, group("cherry"));
        assertThat(plan.change().isEmpty()).isTrue();
        assertThat(plan.conflicts()).containsExactly(new NodeConflict("banana",
                "it has the taint dedicated=cherry of DedicatedNodes cherry"));
    }

    @Test
    void of_two_values_that_are_both_new_the_first_groups_by_name_is_set() {
        DedicatedNodePlan plan = plan(node("foo"), group("cherry"), GROUP);
        assertThat(plan.change().taints()).contains(List.of(BANANA));
        assertThat(plan.conflicts()).extracting(NodeConflict::group).containsExactly("cherry");
    }

    @Test
    void a_taint_that_was_there_before_is_right_and_is_not_taken_over() {
        Node tainted = node("foo", BANANA);
        NodeChange change = plan(tainted, GROUP).change();
        assertThat(change.taints()).isEmpty();
        assertThat(change.annotations()).containsOnlyKeys(DedicatedAnnotations.LABELS);
        Node end = after(after(tainted, GROUP));
        assertThat(end.taints()).containsExactly(BANANA);
        assertThat(end.metadata().labels()).isEmpty();
        assertThat(end.metadata().annotations()).isEmpty();
    }

    @Test
    void a_taint_of_others_with_another_value_stays_and_is_a_conflict() {
        DedicatedNodePlan plan = plan(node("foo", CHERRY), BOTH);
        assertThat(plan.change().taints()).contains(List.of(CHERRY, BANANA_NOW));
        assertThat(plan.conflicts()).containsExactly(new NodeConflict("banana",
                "it has the taint dedicated=cherry:NoSchedule, which something else manages"));
    }

    @Test
    void a_taint_that_a_machine_declares_too_is_never_taken_away_and_its_value_is_the_machines() {
        Node managed = after(node("foo"), GROUP);
        for (String layer : List.of("cluster.x-k8s.io/taints-from-machine", "nodeward.io/taints-from-annotations")) {
            Node declared = annotated(managed, layer, "dedicated:NoSchedule");
            assertThat(plan(declared, GROUP).change().isEmpty()).isTrue();
            assertThat(after(declared).taints()).containsExactly(BANANA);
            assertThat(after(declared).metadata().annotations()).containsOnlyKeys(layer);
            Node overwritten = new Node(declared.metadata(), "", List.of(CHERRY));
            assertThat(after(overwritten, GROUP).taints()).containsExactly(CHERRY);
            assertThat(after(overwritten, GROUP).metadata().annotations())
                    .doesNotContainKey(DedicatedAnnotations.TAINTS);
            assertThat(plan(overwritten, GROUP).conflicts()).hasSize(1);
        }
    }

    @Test
    void a_taint_that_a_machine_declares_and_nobody_has_set_is_set() {
        Node declared = node("foo", Map.of(), Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoSchedule"));
        assertThat(after(declared, GROUP).taints()).containsExactly(BANANA);
        assertThat(plan(after(declared, GROUP), GROUP).change().isEmpty()).isTrue();
    }

    @Test
    void a_label_of_others_stays_and_is_a_conflict_if_it_differs() {
        Node same = node("foo", Map.of(LABEL, "banana"), Map.of());
        assertThat(plan(same, GROUP).change().labels()).containsOnlyKeys(DedicatedAnnotations.DIGEST);
        assertThat(plan(same, GROUP).conflicts()).isEmpty();
        assertThat(after(after(same, GROUP)).metadata().labels()).isEqualTo(Map.of(LABEL, "banana"));
        DedicatedNodePlan plan = plan(node("foo", Map.of(LABEL, "x"), Map.of()), GROUP);
        assertThat(plan.change().labels()).containsOnlyKeys(DedicatedAnnotations.DIGEST);
        assertThat(plan.change().annotations()).containsOnlyKeys(DedicatedAnnotations.TAINTS);
        assertThat(plan.conflicts()).containsExactly(new NodeConflict("banana",
                "it has the label " + LABEL + "=x, which something else manages"));
    }

    @Test
    void a_label_goes_with_its_group_though_a_kubelet_says_that_the_machine_has_it_too() {
        Node claimed = annotated(after(node("foo"), GROUP), "cluster.x-k8s.io/labels-from-machine", LABEL);
        assertThat(after(claimed).metadata().labels()).isEmpty();
        assertThat(after(claimed).taints()).isEmpty();
    }

    @Test
    void the_value_of_a_label_that_a_machine_has_too_is_the_machines() {
        Node managed = after(node("foo"), GROUP);
        Node synced = annotated(managed, "cluster.x-k8s.io/labels-from-machine", LABEL);
        assertThat(plan(synced, GROUP).change().isEmpty()).isTrue();
        Node overwritten = with(synced, Map.of(LABEL, "x"), synced.metadata().annotations());
        assertThat(after(overwritten, GROUP).metadata().labels()).containsEntry(LABEL, "x");
        assertThat(after(overwritten, GROUP).metadata().annotations()).doesNotContainKey(DedicatedAnnotations.LABELS);
        assertThat(plan(overwritten, GROUP).conflicts()).hasSize(1);
    }

    @Test
    void no_schedule_stands_in_for_a_no_execute_that_another_manager_keeps_off() {
        Taint theirs = Taint.of("dedicated", "theirs", "NoExecute");
        Make evicting = GROUP.effects(DedicatedEffect.NoExecute);
        for (boolean allowed : List.of(false, true)) {
            Node held = after(node("foo", theirs), evicting, allowed);
            assertThat(held.taints()).containsExactly(theirs, BANANA);
            for (boolean later : List.of(false, true)) {
                DedicatedNodePlan plan = DedicatedNodePlan.of(held, List.of(new Placed(evicting.ready(), later)));
                assertThat(plan.change().isEmpty()).isTrue();
                assertThat(plan.conflicts()).containsExactly(new NodeConflict("banana",
                        "it has the taint dedicated=theirs:NoExecute, which something else manages"));
            }
        }
    }

    @Test
    void no_execute_that_is_not_allowed_yet_is_no_schedule() {
        Make evicting = GROUP.effects(DedicatedEffect.NoExecute);
        Node held = after(FRESH, evicting, false);
        assertThat(held.taints()).containsExactly(OTHERS, BANANA);
        assertThat(DedicatedNodePlan.of(held, List.of(new Placed(evicting.ready(), false))).change().isEmpty())
                .isTrue();
        assertThat(after(held, evicting).taints()).containsExactly(OTHERS, BANANA_NOW);
        assertThat(after(FRESH, BOTH, false).taints()).containsExactly(OTHERS, BANANA);
    }

    @Test
    void no_execute_that_is_there_stays_although_no_more_is_allowed() {
        Make evicting = GROUP.effects(DedicatedEffect.NoExecute);
        Node tainted = after(FRESH, evicting);
        assertThat(after(tainted, evicting, false).taints()).containsExactly(OTHERS, BANANA_NOW);
        assertThat(after(after(FRESH, BOTH), BOTH, false).taints()).containsExactly(OTHERS, BANANA_NOW, BANANA);
        Make other = group("cherry").effects(DedicatedEffect.NoExecute);
        assertThat(after(tainted, other, false).taints()).containsExactly(OTHERS, CHERRY);
    }

    @Test
    void no_execute_that_one_group_may_set_is_there_for_another_with_the_same_taint() {
        Group one = GROUP.effects(DedicatedEffect.NoExecute).ready();
        Group other = group("also").taint("dedicated", "banana", DedicatedEffect.NoExecute).ready();
        List<Placed> groups = List.of(new Placed(other, false), new Placed(one, true));
        assertThat(DedicatedNodePlan.of(FRESH, groups).change().taints()).contains(List.of(OTHERS, BANANA_NOW));
    }

    @Test
    void entries_that_nobody_can_use_go_with_the_next_write() {
        Node odd = node("foo", Map.of(), Map.of(DedicatedAnnotations.TAINTS, "x,,a b:NoSchedule"));
        assertThat(after(odd).metadata().annotations()).isEmpty();
        Node empty = node("foo", Map.of(), Map.of(DedicatedAnnotations.TAINTS, "", DedicatedAnnotations.LABELS, ""));
        assertThat(after(empty).metadata().annotations()).isEmpty();
    }

    private static Node annotated(Node node, String key, String text) {
        Map<String, String> annotations = new TreeMap<>(node.metadata().annotations());
        annotations.put(key, text);
        return with(node, node.metadata().labels(), annotations);
    }

    private static Node with(Node node, Map<String, String> labels, Map<String, String> annotations) {
        return node("foo", labels, annotations, node.taints().toArray(Taint[]::new));
    }
}
