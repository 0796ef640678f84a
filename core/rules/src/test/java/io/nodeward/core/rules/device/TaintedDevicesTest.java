package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static io.nodeward.core.rules.device.DeviceModel.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.device.DeviceModel.Answer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaintedDevicesTest {
    private static final DeviceName A = new DeviceName("d", "p", "a");
    private static final Map<String, String> OLD = Map.of("firmware", "1");
    private static final Map<String, String> NEW = Map.of("firmware", "2");

    private final DeviceModel model = new DeviceModel();
    private final TaintedDevices<Map<String, String>> tainted = model.tainted;

    @Test
    void a_match_follows_an_attribute_to_another_device() {
        model.rule("r", selector("firmware=1"));
        model.slice("s", slice("p", Map.of("a", OLD, "b", NEW)));
        assertThat(model.selected("r")).containsExactly("a");

        assertThat(model.slice("s", slice("p", Map.of("a", NEW, "b", OLD)))).containsExactly("r");
        assertThat(model.selected("r")).containsExactly("b");
        assertThat(model.rules(A)).isEmpty();
    }

    @Test
    void what_is_unknown_of_one_device_and_rule_stays_with_them() {
        model.slice("s", slice("p", Map.of("a", Map.of(), "b", OLD)));
        model.rule("r", selector("firmware=1"));
        model.rule("all", selector());

        assertThat(model.rules(A)).isEqualTo(Map.of(
                "r", new Answer(new DeviceMatch.Unknown("no such key: firmware"), true),
                "all", new Answer(DeviceMatch.YES, true)));
        assertThat(model.selected("r")).containsExactly("b");
        assertThat(model.selected("all")).containsExactly("a", "b");
    }

    @Test
    void a_rule_selects_nothing_while_its_class_is_missing() {
        model.slice("s", slice("p", Map.of("a", OLD, "b", NEW, "c", Map.of())));
        model.rule("r", selector("class:gpu"));
        assertThat(model.devices("r")).isEmpty();
        assertThat(tainted.missingClass("r")).hasValue("gpu");

        assertThat(model.deviceClass("gpu", Optional.of(List.of("firmware=1")))).containsExactly("r");
        assertThat(tainted.missingClass("r")).isEmpty();
        assertThat(model.selected("r")).containsExactly("a");
        assertThat(model.devices("r").get(new DeviceName("d", "p", "c"))).isEqualTo(new Answer(
                new DeviceMatch.Unknown("DeviceClass gpu: no such key: firmware"), true));

        assertThat(model.deviceClass("gpu", Optional.empty())).containsExactly("r");
        assertThat(model.devices("r")).isEmpty();
    }

    @Test
    void a_class_that_comes_changes_its_rules_also_where_it_selects_nothing() {
        model.rule("r", selector("class:gpu"));
        model.rule("other", selector("class:nic"));

        assertThat(model.deviceClass("gpu", Optional.of(List.of()))).containsExactly("r");
    }

    @Test
    void a_device_whose_slice_is_gone_stays_as_it_was_while_a_claim_has_it() {
        model.slice("s", slice("p", Map.of("a", OLD, "b", OLD)));
        model.rule("r", selector("firmware=1"));
        model.allocated(A);

        assertThat(model.remove("s")).containsExactly("r");
        assertThat(model.devices("r")).isEqualTo(Map.of(A, new Answer(DeviceMatch.YES, false)));
        model.rule("later", selector("firmware=1"));
        assertThat(model.selected("later")).containsExactly("a");

        assertThat(model.released(A)).containsExactlyInAnyOrder("r", "later");
        assertThat(model.devices("r")).isEmpty();
        model.allocated(A);
        assertThat(model.devices("r").get(A)).as("nobody has kept it").isEqualTo(
                new Answer(new DeviceMatch.Unknown("no ResourceSlice publishes the device"), false));
    }

    @Test
    void of_a_device_that_was_never_seen_only_names_are_known() {
        model.rule("name", selector("device:a", "pool:p"));
        model.rule("other-name", selector("device:a", "pool:q"));
        model.rule("expression", selector("firmware=1"));
        model.rule("other-expression", selector("pool:q", "firmware=1"));
        model.rule("class", selector("class:gpu"));
        model.rule("missing", selector("class:nic"));
        model.deviceClass("gpu", Optional.of(List.of("firmware=1")));

        assertThat(model.allocated(A)).containsExactlyInAnyOrder("name", "expression", "class");
        assertThat(model.selected("name")).containsExactly("a");
        assertThat(model.rules(A)).allSatisfy((rule, answer) -> {
            assertThat(answer.published()).isFalse();
            assertThat(answer.match() instanceof DeviceMatch.Unknown).isEqualTo(!rule.equals("name"));
        });

        model.slice("s", slice("p", Map.of("a", NEW)));
        assertThat(model.rules(A)).isEqualTo(Map.of("name", new Answer(DeviceMatch.YES, true)));
    }

    @Test
    void a_published_device_is_no_other_one_when_a_claim_has_it_or_has_it_no_more() {
        model.slice("s", slice("p", Map.of("a", OLD)));
        model.rule("r", selector("firmware=1"));

        assertThat(model.allocated(A)).isEmpty();
        assertThat(model.released(A)).isEmpty();
        assertThat(model.selected("r")).containsExactly("a");
    }
}
