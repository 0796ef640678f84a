package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintSelector;
import io.nodeward.api.device.PublishedTaint;
import io.nodeward.core.rules.device.SelectorMatch.Obstacle;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectorMatchTest {
    private static final DeviceName GPU = new DeviceName("gpu.example.com", "node-1", "gpu-0");
    private static final DeviceMatch UNKNOWN = new DeviceMatch.Unknown("no such key");

    private final List<String> asked = new ArrayList<>();

    @Test
    void a_rule_without_a_selector_selects_nothing_and_one_with_an_empty_selector_everything() {
        assertThat(SelectorMatch.of(Optional.empty(), GPU, facts(Map.of()))).isEqualTo(DeviceMatch.NO);
        assertThat(match(selector(null, null, null, null), Map.of())).isEqualTo(DeviceMatch.YES);
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
            "gpu.example.com, -,      -,     true",
            "-,               node-1, -,     true",
            "-,               -,      gpu-0, true",
            "gpu.example.com, node-1, gpu-0, true",
            "gpu.example.com, node-1, gpu-1, false",
            "gpu.example.com, node-2, gpu-0, false",
            "nic.example.com, node-1, gpu-0, false",
            "*,               -,      -,     false",
            "-,               node-*, -,     false",
            "-,               -,      '',    false",
    })
    void names_have_to_be_the_same(String driver, String pool, String device, boolean selected) {
        assertThat(match(selector(null, driver, pool, device), Map.of())).isEqualTo(DeviceMatch.of(selected));
        assertThat(SelectorMatch.fits(selector("no", driver, pool, device, "no"), GPU)).isEqualTo(selected);
    }

    @Test
    void the_class_and_every_expression_have_to_hold() {
        DeviceTaintSelector selector = selector("gpu", null, null, null, "a", "b");

        assertThat(match(selector, Map.of("gpu", DeviceMatch.YES, "a", DeviceMatch.YES, "b", DeviceMatch.YES)))
                .isEqualTo(DeviceMatch.YES);
        assertThat(match(selector, Map.of("gpu", DeviceMatch.YES, "a", DeviceMatch.YES, "b", DeviceMatch.NO)))
                .isEqualTo(DeviceMatch.NO);
        assertThat(match(selector, Map.of("gpu", DeviceMatch.NO))).isEqualTo(DeviceMatch.NO);
    }

    @Test
    void what_nobody_knows_is_neither_yes_nor_no() {
        DeviceTaintSelector selector = selector("gpu", null, null, null, "a", "b");

        assertThat(match(selector, Map.of("gpu", UNKNOWN))).isEqualTo(UNKNOWN);
        assertThat(match(selector, Map.of("gpu", DeviceMatch.YES, "a", UNKNOWN))).isEqualTo(UNKNOWN);
        assertThat(match(selector, Map.of("gpu", DeviceMatch.YES, "a", DeviceMatch.NO, "b", UNKNOWN)))
                .isEqualTo(DeviceMatch.NO);
    }

    @Test
    void nothing_is_evaluated_of_a_device_that_has_another_name() {
        assertThat(match(selector("gpu", "nic.example.com", null, null, "a"), Map.of())).isEqualTo(DeviceMatch.NO);
        assertThat(asked).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
            "nic.example.com, node-2, gpu-1, none, no, no, driver,          nic.example.com",
            "-,               node-2, gpu-1, none, no, no, pool,            node-2",
            "-,               -,      gpu-1, none, no, no, device,          gpu-1",
            "gpu.example.com, node-1, gpu-0, none, no, no, deviceClassName, none",
            "-,               -,      -,     gpu,  no, no, selectors[0],    no",
            "-,               -,      -,     -,    a,  no, selectors[1],    no",
            "-,               -,      -,     -,    a,  b,  -,               -",
    })
    void the_first_part_that_does_not_hold_is_named(
            String driver, String pool, String device, String className, String one, String other, String field,
            String wanted) {
        Map<String, DeviceMatch> answers = Map.of("gpu", DeviceMatch.YES, "none", DeviceMatch.NO, "a", DeviceMatch.YES,
                "b", DeviceMatch.YES, "no", DeviceMatch.NO);
        assertThat(SelectorMatch.obstacle(selector(className, driver, pool, device, one, other), GPU, facts(answers)))
                .isEqualTo(Optional.ofNullable(field).map(name -> new Obstacle(name, wanted, DeviceMatch.NO)));
    }

    @Test
    void a_part_that_nobody_knows_is_named_with_the_reason() {
        assertThat(SelectorMatch.obstacle(selector("gpu", null, null, null, "a"), GPU,
                facts(Map.of("gpu", DeviceMatch.YES, "a", UNKNOWN))))
                .contains(new Obstacle("selectors[0]", "a", UNKNOWN));
        assertThat(SelectorMatch.obstacle(selector("gpu", null, null, null, "a"), GPU, facts(Map.of("gpu", UNKNOWN))))
                .contains(new Obstacle("deviceClassName", "gpu", UNKNOWN));
    }

    @Test
    void a_published_taint_is_asked_before_classes_and_expressions() {
        DeviceTaintSelector selector = new DeviceTaintSelector(Optional.of("gpu"), Optional.of("gpu.example.com"),
                Optional.empty(), Optional.empty(), List.of("a"),
                Optional.of(new PublishedTaint("k", Optional.of("v"), Optional.of("None"))));
        assertThat(SelectorMatch.obstacle(selector, GPU, facts(Map.of("k=v:None", DeviceMatch.NO))))
                .contains(new Obstacle("publishedTaint", "k=v:None", DeviceMatch.NO));
        assertThat(asked).containsExactly("k=v:None");
        assertThat(match(selector, Map.of("k=v:None", DeviceMatch.YES, "gpu", DeviceMatch.YES, "a", DeviceMatch.NO)))
                .isEqualTo(DeviceMatch.NO);
        assertThat(match(selector, Map.of("k=v:None", DeviceMatch.YES, "gpu", DeviceMatch.YES, "a", DeviceMatch.YES)))
                .isEqualTo(DeviceMatch.YES);
        assertThat(SelectorMatch.fits(selector, GPU)).isTrue();
    }

    private DeviceMatch match(DeviceTaintSelector selector, Map<String, DeviceMatch> answers) {
        return SelectorMatch.of(Optional.of(selector), GPU, facts(answers));
    }

    private SelectorMatch.Facts facts(Map<String, DeviceMatch> answers) {
        return new SelectorMatch.Facts() {
            @Override
            public DeviceMatch ofClass(String className) {
                return of(className);
            }

            @Override
            public DeviceMatch of(PublishedTaint taint) {
                return of(taint.text());
            }

            @Override
            public DeviceMatch of(String expression) {
                asked.add(expression);
                return Optional.ofNullable(answers.get(expression)).orElseThrow();
            }
        };
    }

    private static DeviceTaintSelector selector(
            String className, String driver, String pool, String device, String... expressions) {
        return new DeviceTaintSelector(Optional.ofNullable(className), Optional.ofNullable(driver),
                Optional.ofNullable(pool), Optional.ofNullable(device), List.of(expressions));
    }
}
