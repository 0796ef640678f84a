package io.nodeward.core.rules.node;

import static io.nodeward.core.rules.Fleet.machine;
import static io.nodeward.core.rules.Fleet.node;
import static io.nodeward.core.rules.node.OwnedTaintsTest.plan;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.meta.Reason;
import io.nodeward.api.node.Node;
import io.nodeward.api.node.Taint;
import io.nodeward.core.rules.validation.Warning;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A kubelet may write 256 KiB into any annotation of its Node. */
class HostileTrackingTest {
    private static final int LARGEST = 256 * 1024;
    /** Three entries by name, and how many more there are. */
    private static final int MOST_WARNINGS = 4;
    private static final int LONGEST_MESSAGE = 512;

    @ParameterizedTest
    @ValueSource(strings = {ClusterApi.TAINTS_FROM_MACHINE, ClusterApi.LABELS_FROM_MACHINE,
            ClusterApi.ANNOTATIONS_FROM_MACHINE})
    void any_number_of_unusable_entries_gives_few_short_warnings_and_goes_with_the_next_write(String annotation) {
        NodePlan plan = plan(machine(), tracking(annotation, "x y,".repeat(LARGEST / 4)));

        assertThat(plan.change().annotations()).containsEntry(annotation, Optional.of(""));
        assertThat(plan.warnings()).hasSize(MOST_WARNINGS).allSatisfy(HostileTrackingTest::isShort);
        assertThat(plan.warnings().getLast().message())
                .contains("node-1", annotation, LARGEST / 4 - (MOST_WARNINGS - 1) + " more entries");
    }

    @ParameterizedTest
    @ValueSource(strings = {ClusterApi.TAINTS_FROM_MACHINE, ClusterApi.LABELS_FROM_MACHINE,
            ClusterApi.ANNOTATIONS_FROM_MACHINE})
    void an_entry_of_any_length_is_named_by_its_beginning(String annotation) {
        NodePlan plan = plan(machine(), tracking(annotation, "x y" + "z".repeat(LARGEST - 3)));

        assertThat(plan.warnings()).singleElement().satisfies(warning -> {
            isShort(warning);
            assertThat(warning.message()).contains("\"x yzz");
        });
    }

    @Test
    void three_entries_are_all_named() {
        NodePlan plan = plan(machine(), tracking(ClusterApi.TAINTS_FROM_MACHINE, "0,1,2"));

        assertThat(plan.warnings()).hasSize(3);
        assertThat(plan.warnings().getLast().message()).contains("\"2\"");
    }

    @Test
    void a_character_of_two_chars_is_named_whole_or_not_at_all() {
        for (int before = 96; before < 102; before++) {
            NodePlan plan = plan(machine(), tracking(ClusterApi.TAINTS_FROM_MACHINE, "x".repeat(before) + "😀😀"));

            assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(plan.warnings().getFirst().message())).isTrue();
        }
    }

    @Test
    void a_usable_entry_after_thousands_of_unusable_ones_is_still_read() {
        Taint a = Taint.of("a", "1", "NoSchedule");
        Taint unmanaged = Taint.of("b", "1", "NoSchedule");

        NodePlan plan = plan(machine(), tracking(
                ClusterApi.TAINTS_FROM_MACHINE, "x,".repeat(50_000) + "a:NoSchedule", a, unmanaged));

        assertThat(plan.change().taints()).contains(List.of(unmanaged));
    }

    private static void isShort(Warning warning) {
        assertThat(warning.reason()).isEqualTo(Reason.MALFORMED_TRACKING);
        assertThat(warning.message()).hasSizeLessThan(LONGEST_MESSAGE);
    }

    private static Node tracking(String annotation, String text, Taint... taints) {
        Map<String, String> annotations = new HashMap<>(Map.of(ClusterApi.TAINTS_FROM_MACHINE, ""));
        annotations.put(annotation, text);
        return node(Map.of(), annotations, taints);
    }
}
