package io.nodeward.core.cel;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeviceExpressionsTest {
    private static final DeviceSelectors SELECTORS = DeviceSelectors.of(SelectorFeatures.DEFAULT);
    /** As many as one ResourceSlice has. */
    private static final int SLICE = 128;

    private final AtomicInteger compiled = new AtomicInteger();
    private final AtomicInteger variables = new AtomicInteger();
    private final DeviceExpressions expressions = new DeviceExpressions(text -> {
        compiled.incrementAndGet();
        return SELECTORS.compile(text);
    }, facts -> {
        variables.incrementAndGet();
        return SELECTORS.variable(facts);
    });

    @Test
    void an_expression_is_compiled_once_and_so_is_one_with_an_error() {
        for (int i = 0; i < 3; i++) {
            DeviceFacts facts = device(i);
            assertThat(expressions.match("true", facts)).isEqualTo(DeviceMatch.YES);
            assertThat(expressions.match("false", facts)).isEqualTo(DeviceMatch.NO);
            assertThat(expressions.match("1", facts)).isEqualTo(
                    new DeviceMatch.Unknown("must evaluate to bool or the unknown type, not int"));
            assertThat(expressions.compileError("1")).isPresent();
            assertThat(expressions.compileError("true")).isEmpty();
        }
        assertThat(compiled).hasValue(3);
        assertThat(expressions.evaluations()).as("of those that can be asked").isEqualTo(6);
    }

    @Test
    void rules_ask_the_devices_of_a_slice_one_after_the_other_and_each_is_read_once_or_twice() {
        for (int slice = 0; slice < 3; slice++) {
            List<DeviceFacts> devices = IntStream.range(0, SLICE).mapToObj(DeviceExpressionsTest::device).toList();
            for (int rule = 0; rule < 20; rule++) {
                String expression = "device.attributes['d'].size < " + rule;
                int least = rule;
                assertThat(devices).filteredOn(device -> expressions.match(expression, device).equals(DeviceMatch.YES))
                        .hasSize(least);
            }
        }
        assertThat(variables.get()).isBetween(3 * SLICE, 2 * 3 * SLICE);
    }

    @Test
    void an_equal_device_has_the_same_answer_and_of_many_devices_few_are_kept() {
        DeviceFacts first = device(1);
        for (int i = 0; i < DeviceExpressions.MOST_VARIABLES; i++) {
            expressions.match("true", i == 0 ? first : device(1));
        }
        expressions.match("true", first);
        assertThat(variables).as("it is kept").hasValue(DeviceExpressions.MOST_VARIABLES);
        expressions.match("true", device(1));
        expressions.match("true", first);
        assertThat(variables).as("it is kept no more").hasValue(DeviceExpressions.MOST_VARIABLES + 2);
    }

    @Test
    void so_much_text_is_kept_and_what_was_asked_last_is_kept_longest() {
        String padding = "'" + "x".repeat(10_000) + "' == ''";
        for (int i = 0; i < 300; i++) {
            expressions.compileError(padding + " && " + i + " == 0");
            expressions.compileError("true");
        }
        assertThat(compiled).hasValue(301);
        expressions.compileError(padding + " && 299 == 0");
        assertThat(compiled).hasValue(301);
        expressions.compileError(padding + " && 0 == 0");
        assertThat(compiled).as("it was kept no more").hasValue(302);
        assertThat(expressions.compileError("x".repeat(2 << 20))).as("longer than all that is kept").isPresent();
        assertThat(expressions.match("true", device(0))).isEqualTo(DeviceMatch.YES);
    }

    @Test
    void what_costs_too_much_of_one_device_has_its_answer_for_the_others() {
        String costly = "device.attributes['d'].size == 0 || lists.range(10000).all(x, x >= 0)";
        for (int round = 0; round < 10; round++) {
            assertThat(expressions.match(costly, device(1))).isEqualTo(
                    new DeviceMatch.Unknown("the expression costs more than 1 % of what Kubernetes allows"));
            assertThat(expressions.match(costly, device(0))).isEqualTo(DeviceMatch.YES);
        }
    }

    private static DeviceFacts device(int size) {
        return new DeviceFacts("d", false, Map.of("size", new DeviceAttribute.Int(size)), Map.of());
    }
}
