package io.nodeward.cli.validate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.nodeward.api.dedicated.DedicatedNodes;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * CRDs that come with the command, for a cluster whose own are not known: those of Cluster API, by ShippedSchemasTest, and Nodeward's.
 *
 * @param release whose they are
 * @param kinds their {@code spec}, by kind
 */
record ShippedDefinitions(String release, Map<String, JsonNode> kinds) {
    private static final ShippedDefinitions NONE = new ShippedDefinitions("", Map.of());
    private static final String NODEWARD = "/io/nodeward/api/crds/%s.yaml";

    /** Returns those of a group. */
    static ShippedDefinitions of(String group) {
        if (group.equals(DedicatedNodes.DEFINITION.group())) {
            return of("this version of Nodeward", Stream.of("dedicatednodes", "devicetaintrules", "devicetaintslices",
                    "nodetaintguards").map(plural -> read(new YAMLMapper(), NODEWARD.formatted(plural)).path("spec"))
                    .toList());
        }
        JsonNode shipped = json("cluster-api-crds.json");
        return of(shipped.path("release").asText(), shipped.path("crds").valueStream()
                .filter(crd -> crd.path("group").asText().equals(group)).toList());
    }

    /** Returns a resource beside this class. */
    static JsonNode json(String name) {
        return read(new JsonMapper(), name);
    }

    private static ShippedDefinitions of(String release, List<JsonNode> crds) {
        Map<String, JsonNode> kinds = new LinkedHashMap<>();
        crds.forEach(crd -> kinds.put(crd.at("/names/kind").asText(), crd));
        return crds.isEmpty() ? NONE : new ShippedDefinitions(release, kinds);
    }

    private static JsonNode read(ObjectMapper mapper, String name) {
        try (InputStream in = ShippedDefinitions.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path");
            }
            return mapper.readTree(in);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
