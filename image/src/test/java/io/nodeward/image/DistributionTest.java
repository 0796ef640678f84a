package io.nodeward.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DistributionTest {
    @Test
    void a_manifest_has_placeholders_only_for_what_is_not_known() {
        String template = "# why\nversion: {{ .TagName }}\nuri: {{ .Url }}/a\nsha256: {{ .Sha256 a }}\n";
        assertThat(Distribution.manifest(template, "v1.2.3", null, Map.of("a", "0f", "b", "1e")))
                .isEqualTo("version: v1.2.3\nuri: {{ .Url }}/a\nsha256: 0f\n");
        for (String url : new String[]{"https://example.com/v1", "https://example.com/v1/"}) {
            assertThat(Distribution.manifest(template, "v1.2.3", URI.create(url), Map.of("a", "0f")))
                    .isEqualTo("version: v1.2.3\nuri: https://example.com/v1/a\nsha256: 0f\n");
        }
    }

    @Test
    void the_manifest_of_the_checkout_asks_for_nothing_else() throws IOException {
        String template = Files.readString(Path.of("..", "deploy", "krew", "nodeward.yaml"));
        assertThat(Distribution.manifest(template, "v1.2.3", URI.create("https://example.com"),
                Map.of(Distribution.LINUX, "0f", Distribution.JAVA, "1e"))).doesNotContain("{{", "}}", "#")
                .contains("https://example.com/" + Distribution.LINUX, "https://example.com/" + Distribution.JAVA);
    }
}
