package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintSlice;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ObservedTaintsTest {
    private static final Instant FIRST = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = FIRST.plusSeconds(100);
    private static final ObservedTaints NONE = ObservedTaints.of(Tree.ABSENT);

    /** Each taint as {@code DEVICE:KEY:VALUE:EFFECT}, with a time if there is {@code @SECONDS} after {@link #FIRST}. */
    private static DeviceTaintSlice slice(String... taints) {
        return DeviceTaintSlice.of(Tree.of(Map.of("driver", "d", "pool", "p", "taints",
                Stream.of(taints).map(ObservedTaintsTest::entry).toList())));
    }

    private static Object entry(String text) {
        String[] timed = text.split("@", -1);
        String[] parts = timed[0].split(":", -1);
        Map<String, Object> taint = new HashMap<>(Map.of("key", parts[1], "value", parts[2], "effect", parts[3]));
        if (timed.length > 1) {
            taint.put("timeAdded", FIRST.plusSeconds(Long.parseLong(timed[1])).toString());
        }
        return Map.of("device", parts[0], "taint", taint);
    }

    /** Of the first taint, through the field of the status. */
    private static Optional<Instant> since(ObservedTaints observed, DeviceTaintSlice slice) {
        return ObservedTaints.of(observed.tree()).since(slice.taints().getFirst());
    }

    private static Instant second(DeviceTaintSlice before, DeviceTaintSlice after) {
        return since(ObservedTaints.of(NONE.now(before, FIRST).tree()).now(after, LATER), after).orElseThrow();
    }

    @Test
    void a_taint_counts_since_it_was_seen_or_as_it_says() {
        DeviceTaintSlice slice = slice("a:k::NoExecute");
        assertThat(NONE.since(slice.taints().getFirst())).isEmpty();
        assertThat(since(NONE.now(slice, FIRST), slice)).contains(FIRST);
        DeviceTaintSlice timed = slice("a:k::NoExecute@-50");
        assertThat(since(NONE.now(timed, FIRST), timed)).contains(FIRST.minusSeconds(50));
        assertThat(since(NONE.now(slice, FIRST), timed)).as("of another time").isEmpty();
    }

    @Test
    void what_is_as_it_was_goes_on_wherever_it_stands() {
        assertThat(second(slice("a:k::NoExecute"), slice("a:k::NoExecute", "b:k::NoExecute"))).isEqualTo(FIRST);
        assertThat(second(slice("b:k::NoExecute", "a:k::NoExecute"), slice("a:k::NoExecute"))).isEqualTo(FIRST);
        assertThat(second(slice("a:k::NoExecute@-5"), slice("a:k::NoExecute@-5"))).isEqualTo(FIRST.minusSeconds(5));
    }

    @Test
    void another_device_key_or_value_is_another_taint() {
        for (String other : List.of("b:k::NoExecute", "a:l::NoExecute", "a:k:v:NoExecute")) {
            assertThat(second(slice("a:k::NoExecute"), slice(other))).as(other).isEqualTo(LATER);
        }
    }

    @Test
    void when_the_effect_becomes_no_execute_time_begins_anew_unless_it_was_edited_too() {
        assertThat(second(slice("a:k::None"), slice("a:k::NoExecute"))).isEqualTo(LATER);
        assertThat(second(slice("a:k::None@-50"), slice("a:k::NoExecute@-50"))).isEqualTo(LATER);
        assertThat(second(slice("a:k::NoSchedule@-50"), slice("a:k:v:NoExecute@-50"))).isEqualTo(LATER);
        assertThat(second(slice("a:k::None@-50"), slice("a:k::NoExecute@-40"))).isEqualTo(FIRST.minusSeconds(40));
        assertThat(second(slice("b:k::None@-50"), slice("a:k::NoExecute@-50"))).isEqualTo(FIRST.minusSeconds(50));
        assertThat(second(slice("a:k::NoExecute@-50"), slice("a:k::NoSchedule@-50")))
                .isEqualTo(FIRST.minusSeconds(50));
    }

    @Test
    void what_somebody_wrote_into_the_status_is_left_out_if_it_is_no_time() {
        DeviceTaintSlice slice = slice("a:k::NoExecute");
        for (Object since : List.of("yesterday", 7, Map.of())) {
            assertThat(ObservedTaints.of(Tree.of(List.of(Map.of("device", "a", "key", "k", "effect", "NoExecute",
                    "since", since)))).since(slice.taints().getFirst())).isEmpty();
        }
        assertThat(ObservedTaints.of(Tree.of("text")).tree()).isEqualTo(Tree.of(List.of()));
    }
}
