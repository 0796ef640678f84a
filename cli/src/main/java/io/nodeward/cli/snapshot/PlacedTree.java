package io.nodeward.cli.snapshot;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one object, and notes the place of each of its fields.
 *
 * @param placed whether places are noted, which takes memory
 * @param anchors of the document
 */
record PlacedTree(ObjectMapper mapper, boolean placed, Anchors anchors, Map<String, Place> places) {
    private static final String MERGE = "<<";

    PlacedTree(ObjectMapper mapper, boolean placed, Anchors anchors) {
        this(mapper, placed, anchors, new HashMap<>());
    }

    /**
     * Reads a value.
     *
     * @param path of the value, from the object's root
     */
    JsonNode read(JsonParser p, String path) throws IOException {
        if (!(p instanceof YAMLParser yaml)) {
            return placed ? structure(p, path) : mapper.readTree(p);
        }
        if (yaml.isCurrentAlias()) {
            return anchors.copy(p);
        }
        String anchor = yaml.getObjectId();
        JsonNode value = structure(p, path);
        if (anchor != null) {
            anchors.name(anchor, value);
        }
        return value;
    }

    private JsonNode structure(JsonParser p, String path) throws IOException {
        return switch (p.currentToken()) {
            case START_OBJECT -> object(p, path);
            case START_ARRAY -> array(p, path);
            default -> mapper.readTree(p);
        };
    }

    /** Notes that the parser is at the name of a field, and returns the path of it. */
    String field(JsonParser p, String parent) throws IOException {
        return note(p, Place.field(parent, p.currentName()));
    }

    private ObjectNode object(JsonParser p, String path) throws IOException {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        while (p.nextToken() == JsonToken.FIELD_NAME) {
            String name = p.currentName();
            String field = field(p, path);
            p.nextToken();
            set(p, object, name, read(p, field));
        }
        return object;
    }

    /** Sets a field. What YAML merges ({@code <<}) gives the object the fields that it does not have itself. */
    static void set(JsonParser p, ObjectNode object, String name, JsonNode value) {
        if (!name.equals(MERGE) || !(p instanceof YAMLParser) || !value.isContainerNode()) {
            object.set(name, value);
            return;
        }
        for (JsonNode merged : value.isArray() ? value : List.of(value)) {
            merged.propertyStream().filter(field -> !object.has(field.getKey()))
                    .forEach(field -> object.set(field.getKey(), field.getValue()));
        }
    }

    private ArrayNode array(JsonParser p, String path) throws IOException {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        while (p.nextToken() != JsonToken.END_ARRAY) {
            array.add(read(p, note(p, path + '[' + array.size() + ']')));
        }
        return array;
    }

    private String note(JsonParser p, String path) {
        if (placed) {
            JsonLocation at = p.currentTokenLocation();
            places.put(path, new Place(at.getLineNr(), at.getColumnNr()));
        }
        return path;
    }
}
