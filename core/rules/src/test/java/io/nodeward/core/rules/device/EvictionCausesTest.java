package io.nodeward.core.rules.device;

import static io.nodeward.core.rules.device.DeviceUse.allocated;
import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceName;
import io.nodeward.api.device.DeviceTaintRule;
import io.nodeward.api.device.RuleTaint;
import io.nodeward.api.device.TaintData;
import io.nodeward.api.pod.EvictionMode;
import io.nodeward.api.pod.Toleration;
import io.nodeward.core.rules.device.EvictionCauses.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class EvictionCausesTest {
    private static final Instant ADDED = Instant.parse("2026-01-01T00:00:00Z");
    private static final String KEY = "example.com/hot";

    private final Map<DeviceName, Map<String, DeviceTaintRule>> rules = new HashMap<>();
    private final DeviceUse use = new DeviceUse().pod("p");

    private void rule(String name, String effect, Optional<Instant> added, String... devices) {
        RuleTaint taint = new RuleTaint(KEY, "", effect, added, TaintData.NONE, "", 10);
        for (String device : devices) {
            rules.computeIfAbsent(DeviceUse.name(device), any -> new HashMap<>())
                    .put(name, new DeviceTaintRule(Optional.empty(), taint));
        }
    }

    private void rule(String name, String... devices) {
        rule(name, "NoExecute", Optional.of(ADDED), devices);
    }

    private void respecting(String name, OptionalLong deadline, String device) {
        RuleTaint taint = new RuleTaint(KEY, "", "NoExecute", Optional.of(ADDED), TaintData.NONE, "", 10);
        rules.computeIfAbsent(DeviceUse.name(device), any -> new HashMap<>()).put(name, new DeviceTaintRule(
                Optional.empty(), taint, OptionalLong.empty(), new EvictionMode(EvictionMode.RESPECT, deadline), ""));
    }

    private Duration patience(long after) {
        Instant now = ADDED.plusSeconds(after);
        return EvictionCauses.patience(eviction().due(now), now);
    }

    @Test
    void a_budget_holds_up_a_pod_for_ever_or_until_the_deadline() {
        use.claim("c", List.of(allocated("a"), allocated("b")), "p");
        respecting("r", OptionalLong.empty(), "a");
        assertThat(patience(1_000_000)).isEqualTo(EvictionMode.FOR_EVER);
        respecting("r", OptionalLong.of(600), "a");
        assertThat(patience(0)).isEqualTo(Duration.ofSeconds(600));
        assertThat(patience(599)).isEqualTo(Duration.ofSeconds(1));
        assertThat(patience(600)).isZero();
        respecting("other", OptionalLong.of(60), "b");
        assertThat(patience(59)).as("the first deadline").isEqualTo(Duration.ofSeconds(1));
        rule("plain", "b");
        assertThat(patience(0)).as("a rule that deletes does not wait for one that respects budgets").isZero();
        assertThat(EvictionCauses.decisive(eviction().due(ADDED), ADDED)).extracting(EvictionCauses.Cause::rule)
                .containsExactly("plain");
        assertThat(EvictionCauses.decisive(eviction().due(ADDED.plusSeconds(60)), ADDED.plusSeconds(60)))
                .extracting(EvictionCauses.Cause::rule).as("one with a deadline that is over")
                .contains("plain", "other")
                .doesNotContain("r");
    }

    @Test
    void a_deadline_counts_from_the_taint_and_not_from_when_the_pod_has_to_go() {
        use.claim("c", List.of(allocated("a", seconds("", 100))), "p");
        respecting("r", OptionalLong.of(600), "a");
        assertThat(patience(100)).isEqualTo(Duration.ofSeconds(500));
        respecting("r", OptionalLong.of(50), "a");
        assertThat(patience(99)).as("not due").isZero();
        assertThat(eviction().due(ADDED.plusSeconds(99))).isEmpty();
        assertThat(patience(100)).isNegative();
    }

    private EvictionCauses eviction() {
        return EvictionCauses.of(use.pods.getLast(), use.claims, device -> rules.getOrDefault(device, Map.of()));
    }

    private static Toleration seconds(String effect, long seconds) {
        return new Toleration(KEY, Toleration.exists(KEY, "").operator(), "", effect, OptionalLong.of(seconds));
    }

    @Test
    void who_uses_a_device_of_a_rule_goes_when_the_taint_was_added() {
        rule("r", "a");
        use.claim("c", List.of(allocated("a")), "p");
        assertThat(eviction().first()).contains(ADDED);
        assertThat(eviction().due(ADDED)).singleElement().satisfies(cause -> {
            assertThat(cause.rule()).isEqualTo("r");
            assertThat(cause.device()).hasToString("d/p/a");
            assertThat(cause.claim().key()).hasToString("n/c");
        });
        assertThat(eviction().due(ADDED.minusNanos(1))).isEmpty();
    }

    @Test
    void a_claim_that_tolerates_the_taint_for_a_time_keeps_the_pod_for_that_time() {
        rule("r", "a");
        use.claim("c", List.of(allocated("a", seconds("NoExecute", 3600), seconds("", 60))), "p");
        assertThat(eviction().first()).contains(ADDED.plusSeconds(60));
        rule("later", "NoExecute", Optional.of(ADDED.plusSeconds(30)), "a");
        assertThat(eviction().causes()).extracting(Cause::rule).containsExactly("r", "later");
        assertThat(eviction().due(ADDED.plusSeconds(89))).extracting(Cause::rule).containsExactly("r");
    }

    @Test
    void a_claim_that_tolerates_it_for_ever_keeps_the_pod_and_another_does_not() {
        rule("r", "a", "b");
        use.claim("c", List.of(allocated("a", Toleration.exists(KEY, "NoExecute"))), "p");
        assertThat(eviction()).isEqualTo(EvictionCauses.NONE);
        use.claim("other", List.of(allocated("b")), "p");
        assertThat(eviction().causes()).extracting(cause -> cause.claim().key().name()).containsExactly("other");
    }

    @Test
    void nobody_goes_for_another_effect_or_a_taint_without_a_time() {
        use.claim("c", List.of(allocated("a")), "p");
        rule("r", "NoSchedule", Optional.of(ADDED), "a");
        rule("s", "None", Optional.of(ADDED), "a");
        rule("t", "NoExecute", Optional.empty(), "a");
        assertThat(eviction()).isEqualTo(EvictionCauses.NONE);
        rule("u", "a");
        assertThat(eviction().causes()).extracting(Cause::rule).containsExactly("u");
    }

    @Test
    void a_pod_that_the_claim_does_not_mean_stays() {
        rule("r", "a");
        use.claim("uid-of-another", List.of(allocated("a")), "p:before")
                .claim("of-another", List.of(allocated("a")), "q:p")
                .claim("m/other-namespace", List.of(allocated("a")), "p")
                .claim("other-device", List.of(allocated("b")), "p");
        assertThat(eviction()).isEqualTo(EvictionCauses.NONE);
    }

    @Test
    void a_pod_without_a_node_or_that_goes_by_itself_is_left_alone() {
        rule("r", "a");
        use.claim("c", List.of(allocated("a")), "p");
        use.pod("p", "", false, "Pending");
        assertThat(eviction()).as("no Node").isEqualTo(EvictionCauses.NONE);
        use.pod("p", "n", true, "Running");
        assertThat(eviction()).as("terminating").isEqualTo(EvictionCauses.NONE);
        for (String phase : List.of("Succeeded", "Failed")) {
            use.pod("p", "n", false, phase);
            assertThat(eviction()).as(phase).isEqualTo(EvictionCauses.NONE);
        }
        use.pod("p");
        assertThat(eviction()).isNotEqualTo(EvictionCauses.NONE);
    }
}
