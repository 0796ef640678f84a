package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.controller.app.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Pages written from what they describe. {@code mvn -pl controller/app -am test -Dnodeward.docs=write} writes them anew. */
class GeneratedDocsTest {
    private static final Path DOCS = Path.of("..", "..", "docs");

    @Test
    void the_picture_of_artifacts_is_the_table_that_is_enforced() throws IOException {
        agrees("architecture.md", Artifact.mermaid());
    }

    @Test
    void the_page_of_flags_is_what_help_prints() throws IOException {
        agrees("reference/controller.md", Reference.flags());
    }

    @Test
    void the_page_of_metrics_is_what_is_served() throws Exception {
        agrees("reference/metrics.md", Reference.metrics());
    }

    @Test
    void the_page_of_the_chart_has_each_of_its_values() throws IOException {
        String table = ChartValues.table(Files.readAllLines(DOCS.resolve("../deploy/chart/values.yaml")));
        assertThat(table).as("each says what it is").doesNotContain("|  |");
        agrees("../deploy/chart/README.md", table);
    }

    @Test
    void the_dashboard_asks_for_metrics_that_are_served() throws IOException {
        String served = Files.readString(DOCS.resolve("reference/metrics.md"));
        List<JsonNode> panels = new YAMLMapper().readTree(DOCS.resolve("../deploy/chart/dashboard.json").toFile())
                .path("panels").valueStream().toList();
        assertThat(panels).hasSize(10).allSatisfy(panel -> {
            assertThat(panel.path("title").asText()).isNotEmpty();
            assertThat(panel.path("targets")).isNotEmpty().allSatisfy(target -> assertThat(
                    Pattern.compile("[a-z]+(_[a-z]+){1,}(?![a-z_(]| *\\()").matcher(target.path("expr").asText())
                            .results().map(found -> found.group().replaceFirst("_bucket$", "")).toList())
                    .isNotEmpty().allSatisfy(metric -> assertThat(served).contains("| `" + metric + "` |")));
        });
    }

    @Test
    void alerts_ask_for_metrics_that_are_served() throws IOException {
        String served = Files.readString(DOCS.resolve("reference/metrics.md"));
        List<JsonNode> rules = new YAMLMapper().readTree(DOCS.resolve("guide/alerts.yaml").toFile())
                .at("/groups/0/rules").valueStream().toList();
        assertThat(rules).hasSize(7).allSatisfy(rule -> {
            List<String> asked = Pattern.compile("nodeward_[a-z_]+").matcher(rule.path("expr").asText()).results()
                    .map(found -> found.group().replaceFirst("_bucket$", "")).toList();
            assertThat(asked).isNotEmpty()
                    .allSatisfy(metric -> assertThat(served).contains("| `" + metric + "` |"));
            assertThat(rule.path("alert").asText()).startsWith("Nodeward");
            assertThat(rule.at("/annotations/summary").asText()).isNotEmpty();
        });
    }

    private static void agrees(String page, String generated) throws IOException {
        Path file = DOCS.resolve(page);
        String begin = "<!-- generated: begin -->\n";
        String end = "<!-- generated: end -->";
        String text = Files.readString(file);
        int from = text.indexOf(begin) + begin.length();
        int to = text.indexOf(end);
        assertThat(to).as(page + " has a generated part").isGreaterThan(0);
        if ("write".equals(System.getProperty("nodeward.docs"))) {
            Files.writeString(file, text.substring(0, from) + generated + text.substring(to));
            return;
        }
        assertThat(text.substring(from, to)).as(page + " (run with -Dnodeward.docs=write)").isEqualTo(generated);
    }
}
