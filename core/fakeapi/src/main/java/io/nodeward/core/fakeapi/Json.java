package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** The one JSON mapper, and reads that never answer null. */
final class Json {
    static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(com.fasterxml.jackson.core.StreamReadFeature.AUTO_CLOSE_SOURCE)
            .build();

    private Json() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Of bytes this server wrote itself. */
    static ObjectNode parse(byte[] bytes) {
        try {
            return (ObjectNode) MAPPER.readTree(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
    }

    /** Text at a path of field names, or empty. */
    static String text(JsonNode node, String... path) {
        JsonNode at = node;
        for (String field : path) {
            at = at.path(field);
        }
        return at.isNull() ? "" : at.asText("");
    }

    /** The child object, put there if it was missing. */
    static ObjectNode child(ObjectNode parent, String field) {
        return parent.get(field) instanceof ObjectNode there ? there : parent.putObject(field);
    }

    /** The same object with children shared: setting a field of the copy leaves the first as it was. */
    static ObjectNode shallow(ObjectNode node) {
        return object().setAll(node);
    }

    static Map<String, String> texts(JsonNode node) {
        Map<String, String> texts = new LinkedHashMap<>();
        node.properties().forEach(e -> texts.put(e.getKey(), e.getValue().asText()));
        return texts;
    }
}
