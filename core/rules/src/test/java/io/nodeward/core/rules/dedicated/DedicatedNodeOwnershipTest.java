package io.nodeward.core.rules.dedicated;

import static io.nodeward.core.rules.dedicated.Make.after;
import static io.nodeward.core.rules.dedicated.Make.group;
import static io.nodeward.core.rules.dedicated.Make.node;
import static io.nodeward.core.rules.dedicated.Make.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.dedicated.DedicatedAnnotations;
import io.nodeward.api.dedicated.DedicatedEffect;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
/** What is a group's on a Node, whatever a kubelet writes into annotations. */
class DedicatedNodeOwnershipTest {
    private static final String LABEL = "node-restriction.kubernetes.io/dedicated";
    private static final Taint BANANA = Taint.of("dedicated", "banana", "NoSchedule");
    private static final Taint CHERRY = Taint.of("dedicated", "cherry", "NoSchedule");
    private static final Taint OTHERS = new Taint("cpu", "slow", "NoSchedule",
            "{\"later\":[1],\"effect\":\"NoSchedule\",\"key\":\"cpu\",\"value\":\"slow\"}");
    private static final Node FRESH = node("foo", OTHERS);
    private static final Make GROUP = group("banana");
    private static final Make BOTH = GROUP.effects(DedicatedEffect.NoScheduleNoAdmitNoExecute);

    @Test
    void an_annotation_alone_takes_nothing_away_from_others() {
        Node forged = node("foo", Map.of("pool", "a"), Map.of(
                DedicatedAnnotations.TAINTS, "cpu:NoSchedule", DedicatedAnnotations.LABELS, "pool"), OTHERS);
        Node end = after(forged);
        assertThat(end.taints()).containsExactly(OTHERS);
        assertThat(end.metadata().labels()).isEqualTo(Map.of("pool", "a"));
    }

    @Test
    void annotations_without_the_digest_that_no_kubelet_may_set_take_no_label_or_taint_away() {
        Map<String, String> forged = Map.of(DedicatedAnnotations.TAINTS, "cpu:NoSchedule,dedicated:NoSchedule",
                DedicatedAnnotations.LABELS, LABEL);
        Node node = node("foo", Map.of(LABEL, "banana"), forged, BANANA, OTHERS);
        Node end = after(node);
        assertThat(end.taints()).isEqualTo(node.taints());
        assertThat(end.metadata().labels()).isEqualTo(Map.of(LABEL, "banana"));
        assertThat(end.metadata().annotations()).isEmpty();
        assertThat(plan(node).unproven()).isEmpty();
    }

    @Test
    void a_digest_that_does_not_match_stays_while_something_may_be_of_a_group_that_is_gone() {
        Node tainted = after(FRESH, GROUP);
        Map<String, String> labels = tainted.metadata().labels();
        Node forged = with(tainted, labels, Map.of(
                DedicatedAnnotations.TAINTS, "cpu:NoSchedule", DedicatedAnnotations.LABELS, "x"));
        Node end = after(forged);
        assertThat(plan(forged).unproven()).containsExactly(BANANA);
        assertThat(end).isEqualTo(with(tainted, labels, Map.of()));
        assertThat(plan(end).change().isEmpty()).isTrue();
        Make team = group("t").taint("team", "", DedicatedEffect.NoSchedule);
        assertThat(after(end, team).metadata().labels()).as("another group does not hide it")
                .containsAllEntriesOf(labels);
        assertThat(plan(after(end, team), team).change().isEmpty()).isTrue();
        assertThat(after(end, GROUP)).as("it comes back").isEqualTo(tainted);
        assertThat(after(without(end, LABEL)).metadata().labels()).as("somebody took it away").isEmpty();
    }

    @Test
    void what_a_group_has_set_is_tracked_again_after_a_kubelet_deleted_the_annotations() {
        Node tainted = after(FRESH, BOTH);
        Node forgotten = with(tainted, tainted.metadata().labels(), Map.of());
        assertThat(plan(forgotten, BOTH).change().taints()).isEmpty();
        assertThat(after(forgotten, BOTH)).isEqualTo(tainted);
        assertThat(after(after(forgotten, BOTH))).isEqualTo(FRESH);
        Node half = node("foo", Map.of(LABEL, "banana"), Map.of(), BANANA);
        assertThat(after(after(half, BOTH)).taints()).isEmpty();
        assertThat(after(after(half, BOTH)).metadata().labels()).isEmpty();
    }

    @Test
    void another_label_or_taint_than_the_groups_is_not_taken_over() {
        Node other = node("foo", Map.of(LABEL, "cherry"), Map.of(), BANANA);
        assertThat(plan(other, GROUP).change().isEmpty()).isTrue();
        Node cherry = node("foo", Map.of(LABEL, "banana"), Map.of(), CHERRY);
        assertThat(plan(cherry, GROUP).change().isEmpty()).isTrue();
        Node machine = node("foo", Map.of(LABEL, "banana"),
                Map.of("cluster.x-k8s.io/taints-from-machine", "dedicated:NoSchedule",
                        "cluster.x-k8s.io/labels-from-machine", LABEL),
                BANANA);
        assertThat(after(after(machine, GROUP))).isEqualTo(machine);
    }

    @Test
    void a_group_gives_no_label_to_a_node_whose_taint_others_keep() {
        assertThat(plan(node("foo", CHERRY), GROUP).change().isEmpty()).isTrue();
        assertThat(plan(node("foo", CHERRY), GROUP).conflicts()).hasSize(1);
    }

    @Test
    void a_group_that_turns_out_to_be_invalid_keeps_what_its_nodes_have() {
        Node tainted = after(FRESH, GROUP);
        assertThat(plan(tainted, GROUP.effects()).change().isEmpty()).isTrue();
        assertThat(plan(tainted, GROUP.effects()).conflicts()).isEmpty();
        assertThat(plan(FRESH, GROUP.effects()).change().isEmpty()).isTrue();
        assertThat(after(tainted, GROUP.effects(), group("apple")).taints()).containsExactly(OTHERS, BANANA);
        Make team = group("t").taint("team", "", DedicatedEffect.NoSchedule);
        assertThat(after(after(tainted, GROUP, team), GROUP.effects()).taints()).containsExactly(OTHERS, BANANA);
    }

    @Test
    void a_label_that_somebody_took_away_comes_back() {
        Node tainted = after(FRESH, GROUP);
        assertThat(after(without(tainted, LABEL), GROUP)).isEqualTo(tainted);
        assertThat(after(without(tainted, DedicatedAnnotations.DIGEST), GROUP)).isEqualTo(tainted);
        assertThat(after(with(tainted, Map.of(), tainted.metadata().annotations()), GROUP)).isEqualTo(tainted);
    }

    @Test
    void a_label_that_somebody_took_away_leaves_no_taint_behind_when_the_group_has_gone() {
        assertThat(after(without(after(FRESH, BOTH), LABEL))).isEqualTo(FRESH);
    }

    private static Node without(Node node, String label) {
        Map<String, String> labels = new HashMap<>(node.metadata().labels());
        labels.remove(label);
        return with(node, labels, node.metadata().annotations());
    }

    private static Node with(Node node, Map<String, String> labels, Map<String, String> annotations) {
        return node("foo", labels, annotations, node.taints().toArray(Taint[]::new));
    }
}
