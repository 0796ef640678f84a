package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.device.DeviceTaintSlice;
import io.nodeward.core.rules.validation.FieldFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TaintSliceFaultsTest {
    @Test
    void a_slice_without_taints_is_valid() {
        assertThat(faults("gpu.example.com", "rack.a/node-1", List.of())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
            "~~              | p    | a   | example.com/k   | None    | spec.driver: Required value",
            "Gpu             | p    | a   | example.com/k   | None    | spec.driver: Invalid value: \"Gpu\"",
            "d               | ~~   | a   | example.com/k   | None    | spec.pool: Required value",
            "d               | a//b | a   | example.com/k   | None    | spec.pool: Invalid value: \"a//b\"",
            "d               | p    | ~~  | example.com/k   | None    | spec.taints[1].device: Required value",
            "d               | p    | a.b | example.com/k   | None    | spec.taints[1].device: Invalid value: \"a.b\"",
            "d               | p    | a   | kubernetes.io/k | None    | spec.taints[1].taint.key: Invalid value",
            "d               | p    | a   | example.com/k   | Never   | spec.taints[1].taint.effect: Unsupported value",
            "d               | p    | a   | ~~              | None    | spec.taints[1].taint.key: Required value",
            "d               | p    | g   | example.com/g   | None    | spec.taints[1]: Duplicate value: \"g/example.com/g=:None\""
    })
    void a_fault_is_named_by_its_place(
            String driver, String pool, String device, String key, String effect, String fault) {
        assertThat(faults(driver, pool, List.of(entry("g", "example.com/g", "None"), entry(device, key, effect))))
                .singleElement().asString().startsWith(fault);
    }

    @Test
    void a_device_may_have_a_key_with_several_effects_and_several_devices_the_same_taint() {
        assertThat(faults("d", "p", List.of(entry("a", "k", "None"), entry("a", "k", "NoSchedule"),
                entry("b", "k", "None"), entry("a", "l", "None")))).isEmpty();
    }

    @Test
    void there_are_at_most_32_taints_and_of_more_nothing_else_is_said() {
        assertThat(faults("d", "p", many(32))).isEmpty();
        List<Object> tooMany = new ArrayList<>(many(32));
        tooMany.add(entry("", "", ""));
        assertThat(faults("d", "p", tooMany)).containsExactly(
                "spec.taints: Invalid value: \"33 items\": must have at most 32 items");
    }

    @ParameterizedTest
    @CsvSource({"0, greater than or equal to 1", "1001, less than or equal to 1000"})
    void a_pace_that_no_taint_may_have_is_named_by_its_place(long pace, String why) {
        Object fast = Map.of("device", "b", "taint",
                Map.of("key", "example.com/k", "effect", "None", "evictionsPerSecond", pace));
        assertThat(faults("d", "p", List.of(entry("a", "example.com/k", "None"), fast))).containsExactly(
                "spec.taints[1].taint.evictionsPerSecond: Invalid value: \"" + pace + "\": must be " + why);
    }

    @Test
    void a_key_without_a_domain_is_warned_of_once() {
        assertThat(RuleFaults.warnings(slice("d", "p", List.of(entry("a", "hot", "None"), entry("b", "hot", "None"),
                entry("a", "example.com/hot", "None"))))).singleElement().asString()
                .startsWith("spec.taints[].taint.key: hot has no domain");
    }

    private static List<Object> many(int count) {
        return IntStream.range(0, count).mapToObj(i -> entry("d" + i, "example.com/k", "NoExecute")).toList();
    }

    private static Object entry(String device, String key, String effect) {
        return Map.of("device", device, "taint", Map.of("key", key, "effect", effect));
    }

    private static DeviceTaintSlice slice(String driver, String pool, List<Object> taints) {
        return DeviceTaintSlice.of(Tree.of(Map.of("driver", driver, "pool", pool, "taints", taints)));
    }

    private static List<String> faults(String driver, String pool, List<Object> taints) {
        return RuleFaults.of(slice(driver, pool, taints)).stream().map(FieldFault::text).toList();
    }
}
