package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.machine;
import static io.nodeward.core.rules.Fleet.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.Machine;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.NodeChange;
import io.nodeward.core.rules.validation.Warning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class MetadataTest {
    private static final String ROLE = "node-role.kubernetes.io/worker";
    private static final String NOTE = "node.cluster.x-k8s.io/note";
    private static final NodePolicy POLICY = NodePolicy.forMachines();

    @Test
    void a_label_that_is_already_right_is_recorded() {
        NodeChange change = change(labels(Map.of(ROLE, "")), labelled(Map.of(ROLE, ""), null), POLICY);

        assertThat(change.labels()).isEmpty();
        assertThat(change.annotations()).isEqualTo(changes(ClusterApi.LABELS_FROM_MACHINE, ROLE));
    }

    @Test
    void labels_are_recorded_sorted_by_their_bytes() {
        Map<String, String> labels = Map.of(
                "node.cluster.x-k8s.io/b", "1", "node.cluster.x-k8s.io/B", "2", "a.node.cluster.x-k8s.io/c", "3",
                ROLE, "");

        NodeChange change = change(labels(labels), labelled(Map.of(), null), POLICY);

        assertThat(change.annotations()).isEqualTo(changes(ClusterApi.LABELS_FROM_MACHINE,
                "a.node.cluster.x-k8s.io/c," + ROLE + ",node.cluster.x-k8s.io/B,node.cluster.x-k8s.io/b"));
        assertThat(change.labels()).hasSize(4).containsEntry("node.cluster.x-k8s.io/B", Optional.of("2"));
    }

    @Test
    void only_what_differs_is_written() {
        Node node = labelled(
                Map.of(ROLE, "", "node.cluster.x-k8s.io/a", "old", "node.cluster.x-k8s.io/gone", "", "foo", ""),
                "node.cluster.x-k8s.io/a,node.cluster.x-k8s.io/gone,node.cluster.x-k8s.io/never-was," + ROLE);

        NodeChange change = change(labels(Map.of(ROLE, "", "node.cluster.x-k8s.io/a", "new")), node, POLICY);

        assertThat(change.labels()).isEqualTo(new TreeMap<>(Map.of(
                "node.cluster.x-k8s.io/a", Optional.of("new"), "node.cluster.x-k8s.io/gone", Optional.empty())));
    }

    @Test
    void an_absent_and_an_empty_record_say_the_same() {
        assertThat(change(machine(), labelled(Map.of(), null), POLICY).isEmpty()).isTrue();
        assertThat(change(machine(), labelled(Map.of(), ""), POLICY).isEmpty()).isTrue();
    }

    @Test
    void an_unsorted_record_is_brought_into_the_one_form_and_nothing_is_lost() {
        Map<String, String> labels = Map.of(ROLE, "", NOTE, "1");

        NodeChange change = change(labels(labels), labelled(labels, ROLE + "," + NOTE + ",," + ROLE), POLICY);

        assertThat(change.labels()).isEmpty();
        assertThat(change.annotations()).hasSize(1);
    }

    @Test
    void an_entry_that_is_no_key_is_dropped_and_named() {
        Node node = labelled(Map.of(ROLE, ""), " " + ROLE + "," + ROLE);

        NodePlan plan = NodePlanner.plan(Owner.of(labels(Map.of(ROLE, ""))), node, POLICY);

        assertThat(plan.change().annotations()).isEqualTo(changes(ClusterApi.LABELS_FROM_MACHINE, ROLE));
        assertThat(plan.warnings()).singleElement().satisfies(w -> {
            assertThat(w.reason()).isEqualTo(Reason.MALFORMED_TRACKING);
            assertThat(w.message()).contains("node-1", ClusterApi.LABELS_FROM_MACHINE, "\" " + ROLE + '"');
        });
    }

    @Test
    void the_interruptible_label_stays_with_its_record() {
        String interruptible = ClusterApi.INTERRUPTIBLE_LABEL;
        Node both = labelled(Map.of(interruptible, "", ROLE, ""), interruptible + "," + ROLE);
        Node recordOnly = labelled(Map.of(), interruptible);

        assertThat(change(labels(Map.of(ROLE, "")), both, POLICY).isEmpty()).isTrue();
        assertThat(change(labels(Map.of(ROLE, "")), recordOnly, POLICY).annotations())
                .isEqualTo(changes(ClusterApi.LABELS_FROM_MACHINE, interruptible + "," + ROLE));
        assertThat(change(machine(), recordOnly, POLICY).isEmpty()).isTrue();
        assertThat(change(machine(), both, POLICY).labels()).isEqualTo(new TreeMap<>(Map.of(ROLE, Optional.empty())));
    }

    @Test
    void the_interruptible_label_is_never_added_even_by_a_pattern() {
        NodePolicy everything = POLICY.withAdditional(List.of(Pattern.compile(".*")), List.of());
        Machine owner = labels(Map.of(ClusterApi.INTERRUPTIBLE_LABEL, "", "foo", "1"));

        NodeChange change = change(owner, labelled(Map.of(), null), everything);

        assertThat(change.labels()).isEqualTo(new TreeMap<>(Map.of("foo", Optional.of("1"))));
    }

    @Test
    void additional_patterns_are_found_anywhere_in_the_key() {
        Machine owner = machine(Map.of("x.example.com/a", "1", "b", "2"), Map.of("y.example.com/a", "3", "c", "4"));
        NodePolicy policy = POLICY.withAdditional(
                List.of(Pattern.compile("^nothing$"), Pattern.compile("example")), List.of(Pattern.compile("c$")));

        NodeChange change = change(owner, labelled(Map.of(), null), policy);

        assertThat(change.labels()).containsOnlyKeys("x.example.com/a");
        assertThat(change.annotations()).containsOnlyKeys(
                "c", ClusterApi.LABELS_FROM_MACHINE, ClusterApi.ANNOTATIONS_FROM_MACHINE);
    }

    @Test
    void a_pattern_that_is_gone_takes_its_labels_with_it() {
        NodeChange change = change(labels(Map.of("foo", "1")), labelled(Map.of("foo", "1"), "foo"), POLICY);

        assertThat(change.labels()).isEqualTo(new TreeMap<>(Map.of("foo", Optional.empty())));
    }

    @Test
    void annotations_follow_the_machine() {
        Node node = node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, "", NOTE, "old", "foo", "",
                "node.cluster.x-k8s.io/gone", "",
                ClusterApi.ANNOTATIONS_FROM_MACHINE, "node.cluster.x-k8s.io/gone," + NOTE));

        NodeChange change = change(machine(Map.of(), Map.of(NOTE, "new", ROLE, "")), node, POLICY);

        assertThat(change.annotations()).isEqualTo(new TreeMap<>(Map.of(
                NOTE, Optional.of("new"),
                "node.cluster.x-k8s.io/gone", Optional.empty(),
                ClusterApi.ANNOTATIONS_FROM_MACHINE, Optional.of(NOTE))));
        assertThat(change.labels()).isEmpty();
    }

    @Test
    void no_pattern_and_no_record_reaches_tracking_or_bookkeeping_annotations() {
        List<String> kept = List.of(
                ClusterApi.TAINTS_FROM_MACHINE, ClusterApi.LABELS_FROM_MACHINE, ClusterApi.ANNOTATIONS_FROM_MACHINE,
                ClusterApi.CLUSTER_NAME_ANNOTATION, ClusterApi.CLUSTER_NAMESPACE_ANNOTATION,
                ClusterApi.MACHINE_ANNOTATION, ClusterApi.OWNER_KIND_ANNOTATION, ClusterApi.OWNER_NAME_ANNOTATION);
        Map<String, String> declared = new HashMap<>(Map.of("foo", "1"));
        kept.forEach(key -> declared.put(key, "declared"));
        Map<String, String> there = new HashMap<>();
        kept.forEach(key -> there.put(key, ""));
        there.put(ClusterApi.ANNOTATIONS_FROM_MACHINE, String.join(",", kept));

        NodePlan plan = NodePlanner.plan(Owner.of(machine(Map.of(), declared)), node(Map.of(), there),
                POLICY.withAdditional(List.of(), List.of(Pattern.compile(""))));

        assertThat(plan.change().annotations()).isEqualTo(new TreeMap<>(Map.of(
                "foo", Optional.of("1"), ClusterApi.ANNOTATIONS_FROM_MACHINE, Optional.of("foo"))));
        assertThat(plan.warnings()).hasSize(4).last().satisfies(
                w -> assertThat(w.message()).contains(kept.size() - 3 + " more entries"));
    }

    @Test
    void faults_of_both_records_are_told() {
        Node node = node(Map.of(), Map.of(ClusterApi.TAINTS_FROM_MACHINE, "",
                ClusterApi.LABELS_FROM_MACHINE, "a b", ClusterApi.ANNOTATIONS_FROM_MACHINE, "c d,e f"));

        List<Warning> warnings = NodePlanner.plan(Owner.of(machine()), node, POLICY).warnings();

        assertThat(warnings).extracting(Warning::message)
                .satisfiesExactly(
                        w -> assertThat(w).contains("\"a b\"", ClusterApi.LABELS_FROM_MACHINE),
                        w -> assertThat(w).contains("\"c d\"", ClusterApi.ANNOTATIONS_FROM_MACHINE),
                        w -> assertThat(w).contains("\"e f\"", ClusterApi.ANNOTATIONS_FROM_MACHINE));
    }

    @Test
    void a_pools_node_keeps_its_records_unread() {
        NodePlan plan = NodePlanner.plan(Owner.of(labels(Map.of(ROLE, ""))), labelled(Map.of("foo", ""), "foo,a b"),
                NodePolicy.forMachinePools());

        assertThat(plan.change().isEmpty()).isTrue();
        assertThat(plan.warnings()).isEmpty();
    }

    private static NodeChange change(Machine owner, Node node, NodePolicy policy) {
        return NodePlanner.plan(Owner.of(owner), node, policy).change();
    }

    private static Machine labels(Map<String, String> labels) {
        return machine(labels, Map.of());
    }

    /** @param recorded the tracking annotation of labels, null if there is none */
    private static Node labelled(Map<String, String> labels, String recorded) {
        Map<String, String> annotations = new HashMap<>(Map.of(ClusterApi.TAINTS_FROM_MACHINE, ""));
        if (recorded != null) {
            annotations.put(ClusterApi.LABELS_FROM_MACHINE, recorded);
        }
        return node(labels, annotations);
    }

    private static Map<String, Optional<String>> changes(String key, String value) {
        return new TreeMap<>(Map.of(key, Optional.of(value)));
    }
}
