package io.nodeward.e2e.install;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.Binaries;
import io.nodeward.e2e.controlplane.Component;
import io.nodeward.e2e.controlplane.Json;
import io.nodeward.e2e.launcher.Shell;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The alerts that the chart installs, as Prometheus reads and evaluates them. */
@Tag("deep")
class AlertsTest {
    private final Binaries binaries = Binaries.fromEnvironment();

    @TempDir
    Path directory;

    private JsonNode rules;

    @BeforeEach
    void render() throws Exception {
        String rule = Shell.run(binaries.path(Component.HELM).toString(), "template", "x", Shape.CHART.toString(),
                "--set", "monitoring.prometheusRule.enabled=true", "--show-only", "templates/monitoring.yaml");
        rules = Json.yaml(rule).getFirst().path("spec");
        Files.writeString(file("rules.yaml"), rules.toString());
    }

    @Test
    void prometheus_takes_them() throws Exception {
        assertThat(promtool("check", "rules", "--lint=all", "--lint-fatal", file("rules.yaml").toString()))
                .contains("SUCCESS: " + rules.at("/groups/0/rules").size() + " rules found");
    }

    @Test
    void each_fires_when_it_should_and_not_when_it_should_not() throws Exception {
        JsonNode tests = cases();
        Set<String> alerts = new TreeSet<>();
        rules.at("/groups/0/rules").forEach(rule -> alerts.add(rule.path("alert").asText()));
        Set<String> fired = new TreeSet<>();
        Set<String> silent = new TreeSet<>();
        tests.path("tests").forEach(test -> test.path("alert_rule_test").forEach(expected -> (expected.has("exp_alerts")
                ? fired : silent).add(expected.path("alertname").asText())));
        assertThat(fired).isEqualTo(alerts);
        assertThat(silent).isEqualTo(alerts);

        assertThat(promtool("test", "rules", file("alerts.yaml").toString())).contains("SUCCESS");
    }

    private Path file(String name) {
        return directory.resolve(name);
    }

    private JsonNode cases() throws IOException {
        try (InputStream in = AlertsTest.class.getResourceAsStream("alerts.yaml")) {
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            Files.writeString(file("alerts.yaml"), text);
            return Json.yaml(text).getFirst();
        }
    }

    private String promtool(String... words) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(binaries.path(Component.PROMTOOL).toString()));
        command.addAll(List.of(words));
        return Shell.run(command.toArray(String[]::new));
    }
}
