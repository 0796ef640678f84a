package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceModel.selector;
import static io.nodeward.core.rules.device.DeviceModel.slice;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.core.rules.device.TaintedDevices.Answer;
import io.nodeward.core.rules.device.TaintedDevices.Publication;
import java.util.HashMap;
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
                "r", new Answer(new DeviceMatch.Unknown("no such key: firmware"), Publication.PUBLISHED),
                "all", new Answer(DeviceMatch.YES, Publication.PUBLISHED)));
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
                new DeviceMatch.Unknown("DeviceClass gpu: no such key: firmware"), Publication.PUBLISHED));

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
        assertThat(model.devices("r")).isEqualTo(Map.of(A, new Answer(DeviceMatch.YES, Publication.GONE)));
        model.rule("later", selector("firmware=1"));
        assertThat(model.selected("later")).containsExactly("a");

        assertThat(model.released(A)).containsExactlyInAnyOrder("r", "later");
        assertThat(model.devices("r")).isEmpty();
        model.allocated(A);
        assertThat(model.devices("r").get(A).publication()).isEqualTo(Publication.NEVER_SEEN);
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
            assertThat(answer.publication()).isEqualTo(Publication.NEVER_SEEN);
            assertThat(answer.match() instanceof DeviceMatch.Unknown).isEqualTo(!rule.equals("name"));
        });

        model.slice("s", slice("p", Map.of("a", NEW)));
        assertThat(model.rules(A)).isEqualTo(Map.of("name", new Answer(DeviceMatch.YES, Publication.PUBLISHED)));
    }

    @Test
    void a_published_device_is_no_other_one_when_a_claim_has_it_or_has_it_no_more() {
        model.slice("s", slice("p", Map.of("a", OLD)));
        model.rule("r", selector("firmware=1"));

        assertThat(model.allocated(A)).isEmpty();
        assertThat(model.released(A)).isEmpty();
        assertThat(model.selected("r")).containsExactly("a");
    }

    @Test
    void a_rule_that_would_select_too_many_devices_selects_none_until_there_is_room() {
        DeviceModel small = new DeviceModel(10);
        small.slice("s", slice("p", devices(4)));
        small.rule("first", selector("k=1"));
        small.rule("second", selector("driver:d"));
        assertThat(small.rule("third", selector())).containsExactly("third");

        assertThat(small.tainted.tooMany("third")).hasValueSatisfying(why -> {
            assertThat(why.devices()).isEqualTo(3);
            assertThat(why.most()).isEqualTo(10);
        });
        assertThat(small.devices("third")).isEmpty();
        assertThat(small.devices("first")).hasSize(4);
        assertThat(small.tainted.tooMany("first")).isEmpty();

        assertThat(small.rule("first", Optional.empty())).containsExactlyInAnyOrder("first", "third");
        assertThat(small.devices("third")).hasSize(4);
        assertThat(small.tainted.tooMany("third")).isEmpty();
    }

    @Test
    void a_rule_without_room_is_asked_again_only_if_there_is_more_room_than_it_was_too_much_for() {
        DeviceModel small = new DeviceModel(10);
        small.slice("s", slice("p", devices(8)));
        small.rule("first", selector("k=1"));
        small.rule("second", selector("k=1", "j=1"));
        assertThat(small.tainted.tooMany("second")).isPresent();
        small.evaluations();

        small.slice("other", slice("q", Map.of("a", Map.of("k", "0"))));
        assertThat(small.evaluations()).as("of the device that came, and no rule but the first").isEqualTo(1);
        small.rule("first", selector("device:x1"));
        assertThat(small.tainted.tooMany("second")).isEmpty();
        assertThat(small.devices("second")).hasSize(8);

        assertThat(small.rule("first", selector("k=1"))).as("whoever comes later").containsExactly("first");
        assertThat(small.tainted.tooMany("first")).isPresent();
        small.evaluations();
        small.slice("other", slice("q", Map.of("a", Map.of("k", "2"))));
        assertThat(small.evaluations()).as("of the second alone").isEqualTo(1);
    }

    @Test
    void a_rule_without_room_is_asked_again_when_the_fleet_is_half_as_large() {
        DeviceModel small = new DeviceModel(10);
        small.rule("r", selector());
        small.slice("s", slice("p", devices(11)));
        assertThat(small.tainted.tooMany("r")).isPresent();
        small.slice("s", slice("p", devices(10)));
        assertThat(small.tainted.tooMany("r")).as("not for each device that goes").isPresent();
        assertThat(small.slice("s", slice("p", devices(5)))).containsExactly("r");
        assertThat(small.devices("r")).hasSize(5);
    }

    @Test
    void a_rule_without_room_is_asked_again_when_its_spec_or_its_class_is_another() {
        DeviceModel small = new DeviceModel(10);
        small.slice("s", slice("p", devices(11)));
        small.rule("r", selector());
        assertThat(small.rule("r", selector("k=2"))).containsExactly("r");
        assertThat(small.tainted.tooMany("r")).isEmpty();

        small.deviceClass("c", Optional.of(List.of("k=1")));
        small.rule("by-class", selector("class:c"));
        assertThat(small.tainted.tooMany("by-class")).isPresent();
        assertThat(small.deviceClass("c", Optional.of(List.of("k=2")))).containsExactly("by-class");
        assertThat(small.tainted.tooMany("by-class")).isEmpty();
    }

    @Test
    void an_unknown_answer_takes_as_much_room_as_its_text() {
        DeviceModel small = new DeviceModel(10);
        small.slice("s", slice("p", devices(3)));
        small.rule("short", selector("x=1"));
        assertThat(small.devices("short")).hasSize(3);
        small.rule("long", selector("x".repeat(1000) + "=1"));
        assertThat(small.tainted.tooMany("long")).isPresent();
    }

    /** {@code x0}, {@code x1} and so on. */
    private static Map<String, Map<String, String>> devices(int count) {
        Map<String, Map<String, String>> devices = new HashMap<>();
        for (int i = 0; i < count; i++) {
            devices.put("x" + i, Map.of("k", "1", "j", "1"));
        }
        return devices;
    }
}
