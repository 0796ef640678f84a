package io.nodeward.e2e.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class FactsTest {
    private record Named(String name) implements Scenario {
        @Override
        public void run(int pairs, Consumer<Sample> samples) {
            throw new IllegalStateException("never run");
        }
    }

    private static String failure(String message) {
        Map<String, String> facts = new HashMap<>();
        Facts.failed(facts, new Named("idle"), new IllegalStateException(message));
        return facts.getOrDefault("failed: idle", "no such fact");
    }

    @Test
    void a_failure_is_told_in_one_line_without_paths() {
        assertThat(failure("the controller has ended:\nits log")).isEqualTo("the controller has ended:");
        String log = Path.of(System.getProperty("java.io.tmpdir"), "more", "log").toString();
        assertThat(failure(log + ": not there, see " + System.getProperty("user.home") + "/x")).isEqualTo(
                "(a file): not there, see (a file)");
        assertThat(failure("PATCH /api/v1/nodes/a: 409")).isEqualTo("PATCH /api/v1/nodes/a: 409");
        assertThat(failure("GET https://127.0.0.1:1 failed and/or not")).isEqualTo(
                "GET https://127.0.0.1:1 failed and/or not");
    }

    @Test
    void of_a_run_in_parts_each_part_is_told_and_the_newer_fact_wins() {
        Map<String, String> first = Map.of("measured", "one", "pairs", "2", "failed: idle", "x",
                "failed: idle+drift", "y", "failed: restart", "z");
        Map<String, String> both = Facts.added(first, Map.of("measured", "two", "pairs", "4"), List.of("idle"));
        assertThat(both).isEqualTo(Map.of("measured", "two", "pairs", "4", "run in parts", "one; two",
                "failed: idle+drift", "y", "failed: restart", "z"));
        assertThat(Facts.added(both, Map.of("measured", "three"), List.of())).containsEntry("run in parts",
                "one; two; three");
    }

    @Test
    void what_was_measured_on_another_machine_is_not_added_to() {
        assertThatThrownBy(() -> Facts.added(Map.of("cpus", "2"), Map.of("cpus", "4"), List.of()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("cpus");
    }

    @Test
    void a_run_that_is_added_to_nothing_is_a_run_of_its_own() {
        assertThat(Facts.added(Map.of(), Map.of("measured", "one"), List.of())).isEqualTo(Map.of("measured", "one"));
    }
}
