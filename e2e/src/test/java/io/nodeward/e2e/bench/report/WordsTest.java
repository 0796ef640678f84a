package io.nodeward.e2e.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WordsTest {
    @ParameterizedTest
    @ValueSource(strings = {"drain-500", "burst-2000", "fair-pair", "single", "same-machine", "twenty-per-second",
            "drift", "idle", "heartbeats", "heartbeats-burst", "restart", "takeover-2000", "scale-10000",
            "served-50000",
            "clusters-50", "pod-events-100000", "slice-events-10000", "micro"})
    void every_scenario_is_described(String scenario) {
        assertThat(Words.of(scenario)).endsWith(".");
    }

    @Test
    void the_longest_beginning_counts() {
        assertThat(Words.of("heartbeats-burst")).isNotEqualTo(Words.of("heartbeats"));
    }
}
