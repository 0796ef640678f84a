package io.nodeward.e2e.crd;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.nodeward.e2e.controlplane.ClusterApiCrds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Our schemas of taints and conditions differ from Cluster API's only where docs/reference/crd-differences.md says so, with a reason. */
class CrdDifferencesTest {
    private static final Path TABLE = Path.of("..", "docs", "reference", "crd-differences.md");
    private static final Pattern ROW = Pattern.compile("\\| `([^`]+)` \\| `([^`]+)` \\| `([^`]+)` \\| ([^|]+) \\|");
    private static final Set<String> DESCRIBED = Set.of("machines", "clusters");

    @Test
    void the_table_lists_every_difference_and_nothing_else() throws IOException {
        Set<String> all = new TreeSet<>();
        for (String field : List.of("taints", "conditions")) {
            JsonNode ours = schemas(ShippedCrds.all(), field).getFirst();
            JsonNode theirs = schemas(ClusterApiCrds.published(), field).getFirst();
            all.addAll(differences(field, flat(ours), flat(theirs)));
        }
        assertThat(written()).isEqualTo(all);
    }

    @Test
    void cluster_api_has_one_taint_schema_for_all_places_as_we_have() {
        List<JsonNode> theirs = schemas(ClusterApiCrds.published(), "taints");
        assertThat(theirs).hasSameSizeAs(schemas(ShippedCrds.all(), "taints")).hasSize(8);
        assertThat(theirs.stream().map(CrdDifferencesTest::flat).distinct()).hasSize(1);
    }

    @Test
    void conditions_are_map_lists_where_cluster_api_has_them_so() {
        Set<String> theirs = conditionPlaces(ClusterApiCrds.published());
        assertThat(theirs).containsExactlyInAnyOrder(
                "clusters v1beta1 status.v1beta2", "clusters v1beta2 status",
                "machines v1beta1 status.v1beta2", "machines v1beta2 status");
        assertThat(conditionPlaces(ShippedCrds.all())).containsAll(theirs);
        List<JsonNode> schemas = schemas(ClusterApiCrds.published(), "conditions");
        assertThat(schemas.stream().map(CrdDifferencesTest::flat).distinct()).hasSize(1);
    }

    private static Set<String> conditionPlaces(List<JsonNode> definitions) {
        Set<String> places = new TreeSet<>();
        for (JsonNode definition : described(definitions)) {
            String plural = definition.path("spec").path("names").path("plural").asText();
            for (JsonNode version : definition.path("spec").path("versions")) {
                JsonNode status =
                        version.path("schema").path("openAPIV3Schema").path("properties").path("status");
                String place = plural + " " + version.path("name").asText() + " status";
                if (isMapList(status.path("properties").path("conditions"))) {
                    places.add(place);
                }
                JsonNode newer = status.path("properties").path("v1beta2").path("properties");
                if (isMapList(newer.path("conditions"))) {
                    places.add(place + ".v1beta2");
                }
            }
        }
        return places;
    }

    private static boolean isMapList(JsonNode schema) {
        return schema.path("x-kubernetes-list-type").asText().equals("map");
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

    private static Set<String> differences(String field, Map<String, String> ours, Map<String, String> theirs) {
        Set<String> paths = new TreeSet<>(ours.keySet());
        paths.addAll(theirs.keySet());
        Set<String> rows = new TreeSet<>();
        for (String path : paths) {
            String mine = ours.getOrDefault(path, "none");
            String other = theirs.getOrDefault(path, "none");
            if (!mine.equals(other)) {
                rows.add(field + "/" + path + ": " + mine + " instead of " + other);
            }
        }
        return rows;
    }

    // Of conditions only those of today's form: v1beta1 has others, in lists that are no maps.
    private static List<JsonNode> schemas(List<JsonNode> definitions, String field) {
        return described(definitions).stream()
                .flatMap(definition -> definition.findValues(field).stream())
                .filter(CrdDifferencesTest::isMapList)
                .toList();
    }

    private static List<JsonNode> described(List<JsonNode> definitions) {
        return definitions.stream()
                .filter(d -> d.path("spec").path("group").asText().equals("cluster.x-k8s.io"))
                .filter(d -> DESCRIBED.contains(d.path("spec").path("names").path("plural").asText()))
                .toList();
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
