package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our taint schema differs from Cluster API's only where docs/reference/crd-differences.md says so, with a reason. */
class CrdDifferencesTest {
    private static final Path TABLE = Path.of("..", "docs", "reference", "crd-differences.md");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| `([^`]+)` \\| `([^`]+)` \\| ([^|]+) \\|");
    private static final Set<String> DESCRIBED = Set.of("machines", "clusters");

    @Test
    void the_table_lists_every_difference_and_nothing_else() throws IOException {
        JsonNode ours = taintSchemas(ShippedCrds.all()).getFirst();
        JsonNode theirs = taintSchemas(ClusterApiCrds.published()).getFirst();
        assertThat(written()).isEqualTo(differences(flat(ours), flat(theirs)));
    }

    @Test
    void cluster_api_has_one_taint_schema_for_all_places_as_we_have() {
        List<JsonNode> theirs = taintSchemas(ClusterApiCrds.published());
        assertThat(theirs).hasSameSizeAs(taintSchemas(ShippedCrds.all())).hasSize(8);
        assertThat(theirs.stream().map(CrdDifferencesTest::flat).distinct()).hasSize(1);
    }

    private static Set<String> written() throws IOException {
        try (Stream<String> lines = Files.lines(TABLE)) {
            Set<String> rows = new TreeSet<>();
            lines.map(ROW::matcher).filter(Matcher::matches).forEach(row -> {
                assertThat(row.group(4)).as("the reason for " + row.group(1)).isNotBlank();
                rows.add(row.group(1) + ": " + row.group(2) + " instead of " + row.group(3));
            });
            return rows;
        }
    }

    private static Set<String> differences(Map<String, String> ours, Map<String, String> theirs) {
        Set<String> paths = new TreeSet<>(ours.keySet());
        paths.addAll(theirs.keySet());
        Set<String> rows = new TreeSet<>();
        for (String path : paths) {
            String mine = ours.getOrDefault(path, "none");
            String other = theirs.getOrDefault(path, "none");
            if (!mine.equals(other)) {
                rows.add(path + ": " + mine + " instead of " + other);
            }
        }
        return rows;
    }

    private static List<JsonNode> taintSchemas(List<JsonNode> definitions) {
        List<JsonNode> schemas = new ArrayList<>();
        for (JsonNode definition : definitions) {
            boolean own = definition.path("spec").path("group").asText().equals("cluster.x-k8s.io");
            if (own && DESCRIBED.contains(definition.path("spec").path("names").path("plural").asText())) {
                schemas.addAll(definition.findValues("taints"));
            }
        }
        return schemas;
    }

    // Leaves by path; lists whose order means nothing are sorted, prose is left out.
    private static Map<String, String> flat(JsonNode schema) {
        Map<String, String> leaves = new TreeMap<>();
        flatten("", schema, leaves);
        return leaves;
    }

    private static void flatten(String path, JsonNode node, Map<String, String> leaves) {
        if (node.isObject()) {
            node.properties().forEach(field -> flatten(path + "/" + field.getKey(), field.getValue(), leaves));
        } else if (node.isArray()) {
            leaves.put(path.substring(1), node.valueStream().map(JsonNode::asText).sorted().toList().toString());
        } else if (!path.endsWith("/description")) {
            leaves.put(path.substring(1), node.asText());
        }
    }
}
