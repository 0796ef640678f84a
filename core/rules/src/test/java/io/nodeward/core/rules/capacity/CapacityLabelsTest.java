package io.nodeward.core.rules.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.CapacityAnnotations;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Reason;
import io.nodeward.core.rules.validation.Warning;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CapacityLabelsTest {
    private static final String ROLE = "node-role.kubernetes.io/worker";
    private static final String ZONE = "node.cluster.x-k8s.io/zone";
    private static final List<Pattern> NONE = List.of();

    @Test
    void labels_that_reach_nodes_are_written_and_no_others() {
        Map<String, String> template = Map.of(
                ZONE, "z1", ROLE, "", "example.com/team", "a", "topology.kubernetes.io/zone", "z",
                ClusterApi.INTERRUPTIBLE_LABEL, "");

        assertThat(text(plan(template, NONE, Map.of()))).isEqualTo(ROLE + "=," + ZONE + "=z1");
        assertThat(text(plan(template, List.of(Pattern.compile("^example")), Map.of())))
                .isEqualTo("example.com/team=a," + ROLE + "=," + ZONE + "=z1");
    }

    @Test
    void users_entries_are_kept_and_win() {
        CapacityPlan plan = plan(
                Map.of(ZONE, "z1", ROLE, ""), NONE, labels("team=b," + ZONE + "=mine,other=a=b"));

        assertThat(plan.text()).contains(ROLE + "=," + ZONE + "=mine,team=b,other=a=b");
        assertThat(plan.tracking()).contains(ROLE + "=");
        // The value that no Node accepts and the one that differs from what is declared.
        assertThat(plan.warnings()).extracting(Warning::reason)
                .containsExactlyInAnyOrder(Reason.UNREADABLE_CAPACITY, Reason.CAPACITY_OVERRIDE);
    }

    @Test
    void what_has_no_equals_sign_is_kept_last_and_reported() {
        CapacityPlan plan = plan(Map.of(ZONE, "z1"), NONE, labels("junk,,team=b"));

        assertThat(plan.text()).contains(ZONE + "=z1,team=b,junk");
        assertThat(plan.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(Reason.UNREADABLE_CAPACITY);
            assertThat(warning.message()).contains(CapacityAnnotations.LABELS, "\"junk\"", "key=value");
        });
    }

    @Test
    void an_entry_without_a_key_is_one_that_the_autoscaler_reads() {
        CapacityPlan plan = plan(Map.of(ZONE, "z1"), NONE, labels("junk,=x"));

        assertThat(plan.text()).contains(ZONE + "=z1,=x,junk");
        assertThat(AutoscalerReader.labels(text(plan))).containsEntry("", "x").hasSize(2);
    }

    @Test
    void what_is_there_already_costs_no_write() {
        CapacityPlan plan = plan(Map.of(ZONE, "z1", ROLE, ""), NONE, labels(ZONE + "=z1," + ROLE + "="));

        assertThat(plan.isDue()).isFalse();
        assertThat(plan.tracking()).isEmpty();
    }

    @Test
    void what_is_ours_follows_what_is_declared_and_goes_with_it() {
        Group written = new Group(labels("team=b"))
                .writtenLabels(plan(Map.of(ZONE, "z1", ROLE, ""), NONE, labels("team=b")));

        assertThat(text(plan(Map.of(ZONE, "z2"), NONE, written.annotations())))
                .isEqualTo(ZONE + "=z2,team=b");
        assertThat(text(plan(Map.of(), NONE, written.annotations()))).isEqualTo("team=b");
        assertThat(written.writtenLabels(CapacityLabels.withdraw(written.annotations())).annotations())
                .isEqualTo(labels("team=b"));
    }

    @Test
    void the_last_label_takes_both_annotations_with_it() {
        CapacityPlan first = plan(Map.of(ROLE, ""), NONE, Map.of());
        Group written = Group.EMPTY.writtenLabels(first);

        CapacityPlan last = plan(Map.of(), NONE, written.annotations());

        assertThat(last).isEqualTo(new CapacityPlan(Optional.empty(), Optional.empty(), true, true, List.of()));
    }

    @Test
    void a_label_no_node_accepts_is_left_out() {
        List<Pattern> all = List.of(Pattern.compile(""));

        assertThat(plan(Map.of("a", "x,y=z", "b,c", "1", "d e", "1"), all, Map.of()).isDue()).isFalse();
    }

    @Test
    void the_annotation_of_taints_is_another_one() {
        Map<String, String> taints = Map.of(CapacityAnnotations.TAINTS, "a:NoSchedule");

        assertThat(text(plan(Map.of(ROLE, ""), NONE, taints))).isEqualTo(ROLE + "=");
    }

    private static String text(CapacityPlan plan) {
        return plan.text().orElseThrow();
    }

    private static Map<String, String> labels(String text) {
        return Map.of(CapacityAnnotations.LABELS, text);
    }

    private static CapacityPlan plan(
            Map<String, String> template, List<Pattern> additional, Map<String, String> annotations) {
        return CapacityLabels.plan(template, additional, annotations, false);
    }
}
