package io.nodeward.api.json.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A mapping of a kubeconfig. A field that is null counts as absent.
 *
 * @param name what defects call it; empty for the whole
 */
record Section(String name, ObjectNode fields) {
    boolean has(String field) {
        return fields.hasNonNull(field);
    }

    /** What defects call a field. */
    String path(String field) {
        return name.isEmpty() ? field : name + "." + field;
    }

    Optional<String> text(String field) {
        if (!has(field)) {
            return Optional.empty();
        }
        JsonNode value = fields.path(field);
        if (!value.isTextual()) {
            throw new Defect(path(field) + " is no text");
        }
        return Optional.of(value.textValue());
    }

    /** An empty text counts as absent. */
    Optional<String> given(String field) {
        return text(field).filter(text -> !text.isEmpty());
    }

    /** A list of texts; absent is empty. */
    List<String> texts(String field) {
        List<String> texts = new ArrayList<>();
        JsonNode list = fields.path(field);
        if (has(field) && !list.isArray()) {
            throw new Defect(path(field) + " is no list");
        }
        for (JsonNode text : list) {
            if (!text.isTextual()) {
                throw new Defect("an entry of " + path(field) + " is no text");
            }
            texts.add(text.textValue());
        }
        return texts;
    }

    boolean flag(String field) {
        JsonNode value = fields.path(field);
        if (has(field) && !value.isBoolean()) {
            throw new Defect(path(field) + " is neither true nor false");
        }
        return value.booleanValue();
    }

    Optional<Section> section(String field) {
        return has(field) ? Optional.of(new Section(field, mapping(fields.path(field), field))) : Optional.empty();
    }

    List<Section> entries(String field) {
        JsonNode list = fields.path(field);
        if (has(field) && !list.isArray()) {
            throw new Defect(path(field) + " is no list");
        }
        List<Section> entries = new ArrayList<>();
        list.forEach(entry -> entries.add(new Section(field, mapping(entry, "an entry of " + field))));
        return entries;
    }

    void refuse(String field, String why) {
        if (has(field)) {
            throw new Defect(path(field) + " " + why);
        }
    }

    /** An empty text is no reason. */
    void refuseGiven(String field, String why) {
        if (has(field) && !(fields.path(field).isTextual() && text(field).equals(Optional.of("")))) {
            throw new Defect(path(field) + " " + why);
        }
    }

    private static ObjectNode mapping(JsonNode value, String what) {
        if (value instanceof ObjectNode mapping) {
            return mapping;
        }
        throw new Defect(what + " is no mapping");
    }
}
