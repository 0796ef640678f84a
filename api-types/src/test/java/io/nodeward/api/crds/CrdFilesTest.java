package io.nodeward.api.crds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CrdFilesTest {
    @ParameterizedTest
    @ValueSource(strings = {"machines", "clusters"})
    void both_versions_are_served_from_one_stored_form(String file) throws IOException {
        JsonNode spec = read(file).path("spec");
        JsonNode versions = spec.path("versions");
        assertThat(spec.path("conversion").path("strategy").asText()).isEqualTo("None");
        assertThat(versions).extracting(v -> v.path("name").asText() + " stored " + v.path("storage"))
                .containsExactly("v1beta2 stored true", "v1beta1 stored false");
        assertThat(versions).allMatch(v -> v.path("served").asBoolean());
        assertThat(versions).allMatch(v -> v.path("subresources").has("status"));
        // Nothing converts: what one version refuses must not be stored through the other.
        assertThat(versions.path(0).path("schema")).isEqualTo(versions.path(1).path("schema"));
    }

    @Test
    void taints_have_the_same_schema_wherever_they_can_be_declared() throws IOException {
        List<JsonNode> schemas = new ArrayList<>(read("machines").findValues("taints"));
        assertThat(schemas).hasSize(2);
        schemas.addAll(read("clusters").findValues("taints"));
        assertThat(schemas).hasSize(2 + 6);
        assertThat(schemas).containsOnly(schemas.getFirst());
    }

    @Test
    void conditions_have_the_same_schema_in_both_places() throws IOException {
        for (String file : List.of("machines", "clusters")) {
            List<JsonNode> schemas = read(file).findValues("conditions");
            assertThat(schemas).hasSize(2 * 2).containsOnly(schemas.getFirst());
        }
    }

    @Test
    void what_was_applied_has_the_fields_of_the_spec() throws IOException {
        JsonNode schema = own("dedicatednodes");
        JsonNode spec = schema.path("properties").path("spec").deepCopy();
        strip(spec);
        JsonNode applied = schema.path("properties").path("status").path("properties").path("applied").deepCopy();
        strip(applied);
        assertThat(applied).isEqualTo(spec);
    }

    @Test
    void a_taint_of_a_device_has_the_same_fields_wherever_it_is_declared() throws IOException {
        ObjectNode rule = own("devicetaintrules").at("/properties/spec/properties/taint").deepCopy();
        ObjectNode slice = own("devicetaintslices")
                .at("/properties/spec/properties/taints/items/properties/taint").deepCopy();
        for (ObjectNode schema : List.of(rule, slice)) {
            schema.remove("description");
            schema.path("properties").forEach(field -> ((ObjectNode) field).remove("description"));
        }
        assertThat(slice).isEqualTo(rule).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dedicatednodes", "devicetaintrules", "devicetaintslices", "nodetaintguards"})
    void no_list_and_no_text_of_an_own_kind_is_unbounded(String file) throws IOException {
        List<String> unbounded = new ArrayList<>();
        unbounded(own(file).path("properties"), "", unbounded);
        assertThat(unbounded).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"dedicatednodes", "devicetaintrules", "devicetaintslices", "nodetaintguards"})
    void each_rule_of_an_own_kind_has_a_message(String file) throws IOException {
        List<JsonNode> rules = own(file).findValues("x-kubernetes-validations");
        assertThat(rules).isNotEmpty()
                .allSatisfy(list -> assertThat(list).allMatch(rule -> rule.hasNonNull("message")));
    }

    private static JsonNode own(String file) throws IOException {
        return read(file).at("/spec/versions/0/schema/openAPIV3Schema");
    }

    private static void strip(JsonNode schema) {
        if (schema instanceof ObjectNode object) {
            // What was in force before a rule came must not keep the controller from writing the status.
            object.remove(List.of("default", "pattern", "x-kubernetes-validations", "x-kubernetes-list-type",
                    "x-kubernetes-list-map-keys"));
            if (object.path("description").isTextual()) {
                object.remove("description");
            }
        }
        schema.forEach(CrdFilesTest::strip);
    }

    private static void unbounded(JsonNode fields, String path, List<String> unbounded) {
        fields.properties().forEach(field -> {
            JsonNode schema = field.getValue();
            String at = path + "." + field.getKey();
            boolean bounded = switch (schema.path("type").asText()) {
                case "string" -> schema.has("maxLength") || schema.has("enum") || schema.has("format");
                case "array" -> schema.has("maxItems");
                case "object" -> schema.has("properties") || schema.has("maxProperties");
                default -> true;
            };
            if (!bounded) {
                unbounded.add(at);
            }
            unbounded(schema.path("properties"), at, unbounded);
            unbounded(new ObjectNode(JsonNodeFactory.instance, parts(schema)), at, unbounded);
        });
    }

    private static Map<String, JsonNode> parts(JsonNode schema) {
        Map<String, JsonNode> parts = new TreeMap<>();
        for (String part : List.of("items", "additionalProperties")) {
            if (schema.has(part)) {
                parts.put(part, schema.path(part));
            }
        }
        return parts;
    }

    private static JsonNode read(String file) throws IOException {
        try (InputStream in = CrdFilesTest.class.getResourceAsStream("/io/nodeward/api/crds/" + file + ".yaml")) {
            assertThat(in).as(file).isNotNull();
            return new YAMLMapper().readTree(in);
        }
    }
}
