package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static io.nodeward.core.rules.device.DeviceModel.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What an event costs in evaluations, with 100 rules and 10,000 devices in 100 pools, which all tests share. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TaintedDevicesCountsTest {
    private static final int POOLS = 100;
    private static final int IN_POOL = 100;
    private static final int RULES = 100;

    private static final DeviceName UNSEEN = new DeviceName("d", "p1", "unseen");

    private final DeviceModel model = new DeviceModel();

    @BeforeAll
    void all_devices_are_evaluated_once_for_each_rule_that_their_names_allow() {
        fill();
        assertThat(model.evaluations()).isEqualTo(POOLS * IN_POOL * (RULES - 10) + 10 * IN_POOL * 2);
    }

    /** What is as it was costs nothing, so that this only takes back what the test before has changed. */
    @BeforeEach
    void as_at_first() {
        model.released(UNSEEN);
        fill();
        model.evaluations();
    }

    @Test
    void a_slice_event_evaluates_its_own_devices_only() {
        model.slice("s50", slice("p50", devices("2")));
        assertThat(model.evaluations()).isEqualTo(IN_POOL * (RULES - 10));

        model.slice("s0", slice("p0", devices("2")));
        assertThat(model.evaluations()).isEqualTo(IN_POOL * (RULES - 10 + 2));
    }

    @Test
    void a_slice_event_evaluates_only_devices_that_changed() {
        Map<String, Map<String, String>> devices = devices("1");
        devices.put("d7", Map.of("firmware", "2"));

        model.slice("s50", slice("p50", devices));
        assertThat(model.evaluations()).isEqualTo(RULES - 10);
        model.remove("s50");
        assertThat(model.evaluations()).isZero();
    }

    @Test
    void a_rule_event_evaluates_that_rule_only() {
        model.rule("r1", selector("firmware=2"));
        assertThat(model.evaluations()).isEqualTo(POOLS * IN_POOL);
        model.rule("p1", selector("pool:p1", "driver=2"));
        assertThat(model.evaluations()).isEqualTo(IN_POOL);
        model.rule("p1", selector("pool:p1", "driver=2"));
        model.rule("p1", Optional.empty());
        assertThat(model.evaluations()).isZero();
    }

    @Test
    void a_class_event_evaluates_the_rules_that_name_it_only() {
        model.deviceClass("gpu", Optional.of(List.of("class=2")));
        assertThat(model.evaluations()).isEqualTo(10 * IN_POOL);
        model.deviceClass("gpu", Optional.of(List.of("class=2")));
        model.deviceClass("nic", Optional.of(List.of("class=2")));
        assertThat(model.evaluations()).isZero();
    }

    @Test
    void a_claim_evaluates_nothing() {
        DeviceName name = new DeviceName("d", "p1", "d1");
        model.allocated(name);
        model.remove("s1");
        model.released(name);
        model.allocated(UNSEEN);
        assertThat(model.evaluations()).isZero();
    }

    /** However many rules there are: each expression is evaluated once for each device of the slice. */
    @Test
    void ten_thousand_rules_without_names_cost_a_slice_event_one_evaluation_each_and_equal_ones_none() {
        DeviceModel hostile = new DeviceModel();
        hostile.deviceClass("gpu", Optional.of(List.of("class=1")));
        for (int i = 0; i < 10_000; i++) {
            hostile.rule("distinct" + i, selector("firmware=" + i));
            hostile.rule("equal" + i, selector("firmware=1"));
            hostile.rule("class" + i, selector("class:gpu"));
        }
        hostile.slice("s", slice("p", Map.of("a", Map.of("firmware", "1"), "b", Map.of("firmware", "2"))));

        assertThat(hostile.evaluations()).isEqualTo(2 * 10_000 + 2);
        hostile.deviceClass("gpu", Optional.of(List.of("class=2")));
        assertThat(hostile.evaluations()).isEqualTo(2);
    }

    /** More text than is kept compiled. */
    @Test
    void ten_thousand_expressions_are_compiled_once_for_all_that_has_changed() {
        DeviceModel hostile = new DeviceModel();
        String attribute = "firmware" + "x".repeat(200);
        for (int i = 0; i < 10_000; i++) {
            hostile.tainted.rule("r" + i, selector("class:gpu", attribute + "=" + i));
        }
        hostile.tainted.deviceClass("gpu", Optional.of(List.of("class=1")));
        for (String firmware : List.of("1", "2")) {
            for (int i = 0; i < 5; i++) {
                hostile.publish("s" + i, Optional.of(slice("p" + i, Map.of(
                        "a", Map.of(attribute, firmware, "class", "1"), "b", Map.of(attribute, "0", "class", "2")))));
            }
            hostile.evaluate();
            assertThat(hostile.compilations()).as("but for the last that were asked before")
                    .isBetween(5_000, 10_001);
            assertThat(hostile.devices("r" + firmware)).hasSize(5);
        }
        hostile.evaluations();
        hostile.deviceClass("gpu", Optional.of(List.of("class=2")));
        assertThat(hostile.compilations()).isBetween(5_000, 10_001);
        assertThat(hostile.evaluations()).as("the class's once for each device").isEqualTo(50_010);
    }

    /** Not even their names are looked at, although devices have the same name on each Node. */
    @Test
    void rules_that_name_something_else_are_not_asked() {
        NameIndex<String, DeviceName> index = new NameIndex<>();
        for (int i = 0; i < 10_000; i++) {
            index.add("device" + i, selector("driver:d", "pool:p" + i, "device:x").orElseThrow());
            index.add("pool" + i, selector("driver:d", "pool:p" + i).orElseThrow());
            index.add("driver" + i, selector("driver:d" + i).orElseThrow());
            DeviceName device = new DeviceName("d" + i, "p" + i, "x");
            index.put(device, i + 1, device);
        }
        index.add("any", selector().orElseThrow());

        assertThat(index.rules(List.of(new DeviceName("d7", "p7", "x"))))
                .containsExactlyInAnyOrder("device7", "pool7", "driver7", "any");
        assertThat(index.devices(selector("pool:p7").orElseThrow(), 0)).hasSize(1);
        assertThat(index.devices(selector().orElseThrow(), 0)).hasSize(10_000);
        assertThat(index.devices(selector().orElseThrow(), 9_990)).as("which have changed since").hasSize(10);
    }

    /** Rules come first: as slices come, a device is looked at once, and not once for each rule. */
    private void fill() {
        model.deviceClass("gpu", Optional.of(List.of("class=1")));
        for (int i = 0; i < RULES - 10; i++) {
            model.rule("r" + i, selector("firmware=" + i));
        }
        for (int i = 0; i < 10; i++) {
            model.rule("p" + i, selector("pool:p" + i, "class:gpu", "driver=" + i));
        }
        for (int i = 0; i < POOLS; i++) {
            model.slice("s" + i, slice("p" + i, devices("1")));
        }
    }

    private static Map<String, Map<String, String>> devices(String firmware) {
        Map<String, Map<String, String>> devices = new HashMap<>();
        for (int i = 0; i < IN_POOL; i++) {
            devices.put("d" + i, Map.of("firmware", firmware, "class", "1", "driver", "d"));
        }
        return devices;
    }
}
