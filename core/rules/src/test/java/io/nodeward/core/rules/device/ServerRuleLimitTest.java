package io.nodeward.core.rules.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.core.rules.device.DeviceKey.Kind;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ServerRuleLimitTest {
    private static final Instant EARLY = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATE = Instant.parse("2026-02-01T00:00:00Z");

    private final ServerRuleLimit limit = new ServerRuleLimit(10);

    private static DeviceKey rule(String name) {
        return DeviceKey.of(Kind.RULE, name);
    }

    @Test
    void a_rule_has_all_that_it_needs_or_none_and_older_rules_come_first() {
        limit.need(rule("a-young"), LATE, 4);
        limit.need(rule("a-large"), EARLY, 11);
        assertThat(limit.decide()).containsExactly(rule("a-young"));
        limit.need(rule("old"), EARLY, 7);
        assertThat(limit.decide()).containsExactlyInAnyOrder(rule("old"), rule("a-young"));
        assertThat(limit.within()).containsExactly(rule("old"));
        assertThat(limit.share(rule("a-young")).needed()).isEqualTo(4);
        limit.need(rule("small"), LATE, 3);
        assertThat(limit.decide()).containsExactly(rule("small"));
        limit.need(rule("old"), EARLY, 0);
        assertThat(limit.decide()).containsExactlyInAnyOrder(rule("old"), rule("a-young"));
        assertThat(limit.share(rule("old")).granted()).isFalse();
        assertThat(limit.share(rule("old")).needed()).isZero();
    }

    @Test
    void of_rules_that_are_as_old_the_names_decide() {
        limit.need(rule("b"), EARLY, 6);
        limit.need(rule("a"), EARLY, 6);
        assertThat(limit.decide()).containsExactly(rule("a"));
    }

    @Test
    void of_a_rule_and_a_taint_slice_that_are_as_old_the_taint_slice_comes_first() {
        DeviceKey taintSlice = DeviceKey.of(Kind.TAINT_SLICE, "z");
        limit.need(rule("a"), EARLY, 6);
        limit.need(taintSlice, EARLY, 6);
        assertThat(limit.decide()).containsExactly(taintSlice);
    }

    @Test
    void what_has_not_changed_is_not_decided_anew() {
        limit.need(rule("a"), EARLY, 6);
        assertThat(limit.decide()).containsExactly(rule("a"));
        limit.need(rule("a"), EARLY, 6);
        limit.need(rule("gone"), EARLY, 0);
        assertThat(limit.decide()).isEmpty();
        assertThat(limit.within()).containsExactly(rule("a"));
    }
}
