package io.nodeward.controller.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import io.nodeward.controller.app.Reference;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
