package io.nodeward.controller.devices;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceAttribute;
import io.nodeward.api.device.DeviceFacts;
import io.nodeward.core.rules.device.DeviceMatch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ExpressionsTest {
    /** Costs so much of a device whose size is 1 that no more than a few are asked, although it selects them. */
    private static final String HOSTILE = "device.attributes['d'].size == 0 || lists.range(10000).all(x, x >= 0)";

    private final DevicesFixture cluster = DevicesFixture.started();

    @Test
    void an_expression_is_compiled_once_and_so_is_one_with_an_error() {
        for (int i = 0; i < 3; i++) {
            DeviceFacts facts = facts(i);
            assertThat(cluster.expressions.match("true", facts)).isEqualTo(DeviceMatch.YES);
            assertThat(cluster.expressions.match("false", facts)).isEqualTo(DeviceMatch.NO);
            assertThat(cluster.expressions.match("1", facts)).isEqualTo(
                    new DeviceMatch.Unknown("must evaluate to bool or the unknown type, not int"));
            assertThat(cluster.expressions.compileError("1")).isPresent();
        }
        assertThat(cluster.compiled).hasValue(3);
        assertThat(cluster.variables).as("one for each device, whatever is asked of it").hasValue(3);
    }

    @Test
    void so_much_text_is_kept_and_what_was_asked_last_is_kept_longest() {
        String padding = "'" + "x".repeat(10_000) + "' == ''";
        for (int i = 0; i < 300; i++) {
            cluster.expressions.compileError(padding + " && " + i + " == 0");
            cluster.expressions.compileError("true");
        }
        assertThat(cluster.compiled).hasValue(301);
        cluster.expressions.compileError(padding + " && 299 == 0");
        assertThat(cluster.compiled).hasValue(301);
        cluster.expressions.compileError(padding + " && 0 == 0");
        assertThat(cluster.compiled).as("it was kept no more").hasValue(302);
        assertThat(cluster.expressions.compileError("x".repeat(2 << 20))).as("longer than all that is kept")
                .isPresent();
        assertThat(cluster.expressions.match("true", facts(0))).isEqualTo(DeviceMatch.YES);
    }

    @Test
    void an_expression_that_costs_too_much_is_asked_of_few_devices_and_holds_up_no_other_rule() {
        cluster.rule("hostile", DevicesFixture.cel(HOSTILE));
        cluster.rule("other", DevicesFixture.cel("device.attributes['d'].size == 1"));
        publish(IntStream.range(0, 100).boxed().toList());
        assertThat(cluster.count("other", "devices")).contains(50L);
        assertThat(cluster.count("hostile", "failed")).contains(100L);
        assertThat(cluster.shown("hostile").conditions().get("EvaluationFailed").why().message()).contains(
                "The first is d/p/d0: the expression costs more than a hundredth of what Kubernetes allows on each of 5"
                        + " devices, so that no more are asked");
        assertThat(cluster.scope.evaluations()).as("50 have size 0, of which some were asked").isBetween(105L, 155L);
    }

    @Test
    void whatever_devices_are_asked_first_an_expression_that_costs_too_much_has_no_answer_for_any() {
        List<Integer> order = new ArrayList<>(IntStream.range(0, 20).boxed().toList());
        for (int run = 0; run < 3; run++) {
            DevicesFixture other = DevicesFixture.started();
            other.rule("hostile", DevicesFixture.cel(HOSTILE));
            other.deviceClass("hostile", HOSTILE);
            other.rule("by-class", Map.of("deviceClassName", "hostile"));
            for (int device : order) {
                publish(other, List.of(device));
                other.settle();
            }
            assertThat(other.count("hostile", "failed")).contains(20L);
            assertThat(other.count("by-class", "failed")).contains(20L);
            Collections.rotate(order, 7);
        }
    }

    private void publish(List<Integer> devices) {
        publish(cluster, devices);
    }

    /** Each in a slice of its own; each second one has the size 1. */
    private static void publish(DevicesFixture cluster, List<Integer> devices) {
        devices.forEach(device -> cluster.sized("s" + device, "d", "p", "d" + device, device % 2, device));
    }

    private static DeviceFacts facts(int size) {
        return new DeviceFacts("d", false, Map.of("size", new DeviceAttribute.Int(size)), Map.of());
    }
}
