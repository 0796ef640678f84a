package io.nodeward.e2e.crd;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The CRDs Nodeward ships for a cluster without Cluster API. */
public final class ShippedCrds {
    private ShippedCrds() {}

    static String text(String file) {
        String name = "/io/nodeward/api/crds/" + file;
        try (InputStream in = ShippedCrds.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException(name + " is not on the class path: build nodeward-api-types (-am)");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<JsonNode> all() {
        return List.of(Json.yaml(text("machines.yaml")).getFirst(), Json.yaml(text("clusters.yaml")).getFirst());
    }

    /** Of an own kind. */
    public static JsonNode own(String plural) {
        return Json.yaml(text(plural + ".yaml")).getFirst();
    }

    /** The same in another group, so that they stand beside Cluster API's own on one server. */
    static List<JsonNode> all(String group) {
        return all().stream().map(definition -> inGroup(definition, group)).toList();
    }

    /** An own kind in another group, so that no controller of a suite on the same server takes its objects for its own. */
    public static JsonNode own(String plural, String group) {
        return inGroup(own(plural), group);
    }

    private static JsonNode inGroup(JsonNode definition, String group) {
        ObjectNode spec = (ObjectNode) definition.path("spec");
        spec.put("group", group);
        String plural = spec.path("names").path("plural").asText();
        ((ObjectNode) definition.path("metadata")).put("name", plural + "." + group);
        // Short names and categories are shared by all groups of a server.
        ((ObjectNode) spec.path("names")).remove(List.of("shortNames", "categories"));
        return definition;
    }
}
