package io.nodeward.core.rules.toleration;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.api.device.DeviceTaint;
import io.nodeward.api.pod.Toleration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class DeviceVerdictTest {
    private static final Instant ADDED = Instant.parse("2026-11-22T10:00:00Z");

    @Test
    void every_taint_that_keeps_off_has_to_be_tolerated() {
        List<DeviceTaint> taints = List.of(taint("a", "NoSchedule"), taint("b", "NoExecute"), taint("c", "None"));

        assertThat(verdict(taints).allocatable()).isFalse();
        assertThat(verdict(taints, Toleration.exists("a", "")).allocatable()).isFalse();
        assertThat(verdict(taints, Toleration.exists("b", "")).allocatable()).isFalse();
        assertThat(verdict(taints, Toleration.exists("a", ""), Toleration.exists("b", "")).allocatable()).isTrue();
    }

    @Test
    void only_no_execute_evicts_and_from_when_it_was_added() {
        assertThat(verdict(List.of(taint("a", "NoSchedule"))).evictAt()).isEmpty();
        assertThat(verdict(List.of(taint("a", "Later"))))
                .isEqualTo(new DeviceVerdict(true, Optional.empty()));
        assertThat(verdict(List.of(taint("a", "NoExecute"))).evictAt()).contains(ADDED);
    }

    @Test
    void the_toleration_that_lasts_for_ever_wins_whatever_its_place_else_the_shortest() {
        Toleration long60 = Toleration.exists("a", "NoExecute").forSeconds(60);
        Toleration short20 = Toleration.exists("a", "").forSeconds(20);
        List<DeviceTaint> taints = List.of(taint("a", "NoExecute"));

        assertThat(verdict(taints, long60, short20).evictAt()).contains(ADDED.plusSeconds(20));
        assertThat(verdict(taints, short20, long60).evictAt()).contains(ADDED.plusSeconds(20));
        assertThat(verdict(taints, short20, Toleration.exists("", "")).evictAt()).isEmpty();
        assertThat(verdict(taints, Toleration.exists("a", "").forSeconds(-1)).evictAt()).contains(ADDED);
    }

    @Test
    void of_several_taints_the_one_that_ends_first_counts() {
        DeviceTaint early = new DeviceTaint("a", "", "NoExecute", ADDED.minusSeconds(100));
        Toleration a110 = Toleration.exists("a", "").forSeconds(110);
        Toleration b20 = Toleration.exists("b", "").forSeconds(20);

        assertThat(verdict(List.of(early, taint("b", "NoExecute")), a110, b20).evictAt())
                .contains(ADDED.plusSeconds(10));
        assertThat(verdict(List.of(taint("b", "NoExecute"), early), a110, b20).evictAt())
                .contains(ADDED.plusSeconds(10));
        assertThat(verdict(List.of(taint("b", "NoExecute"), early), Toleration.exists("a", ""), b20).evictAt())
                .contains(ADDED.plusSeconds(20));
    }

    @Test
    void a_time_that_no_calendar_holds_ends_with_the_calendar() {
        Toleration huge = Toleration.exists("a", "").forSeconds(Long.MAX_VALUE);

        assertThat(verdict(List.of(taint("a", "NoExecute")), huge).evictAt())
                .hasValueSatisfying(end -> assertThat(end).isAfter(Instant.MAX.minusSeconds(2)));
    }

    @Test
    void devices_know_no_comparisons() {
        Toleration less = new Toleration("a", Toleration.LESS, "5", "", OptionalLong.empty());
        DeviceTaint four = new DeviceTaint("a", "4", "NoSchedule", ADDED);

        assertThat(verdict(List.of(four), less).allocatable()).isFalse();
        assertThat(verdict(List.of(four), Toleration.equalTo("a", "4", "NoSchedule")).allocatable()).isTrue();
        assertThat(verdict(List.of(four), Toleration.equalTo("a", "5", "NoSchedule")).allocatable()).isFalse();
    }

    private static DeviceTaint taint(String key, String effect) {
        return new DeviceTaint(key, "", effect, ADDED);
    }

    private static DeviceVerdict verdict(List<DeviceTaint> taints, Toleration... tolerations) {
        return DeviceVerdict.of(taints, List.of(tolerations));
    }
}
