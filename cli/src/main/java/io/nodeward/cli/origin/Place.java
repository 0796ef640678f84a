package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.core.rules.validation.DeclaringPlace;
import java.util.List;

/**
 * Where something stands in an object.
 *
 * @param element that is meant, by the value of the place's key; empty if the place is in no list
 */
record Place(DeclaringPlace place, String element) {
    static Place of(String... path) {
        return new Place(new DeclaringPlace(List.of(path), "", List.of()), "");
    }

    JsonNode in(JsonNode object) {
        JsonNode there = at(object, place.path(), "");
        if (!place.isInList()) {
            return there;
        }
        for (JsonNode each : there) {
            if (each.path(place.key()).asText().equals(element)) {
                return at(each, place.below(), "");
            }
        }
        return MissingNode.getInstance();
    }

    /** The same in {@code fieldsV1} of managedFields. */
    JsonNode owned(JsonNode fields) {
        JsonNode there = at(fields, place.path(), "f:");
        if (!place.isInList()) {
            return there;
        }
        String key = "k:" + JsonNodeFactory.instance.objectNode().put(place.key(), element);
        return at(there.path(key), place.below(), "f:");
    }

    private static JsonNode at(JsonNode tree, List<String> path, String prefix) {
        JsonNode at = tree;
        for (String field : path) {
            at = at.path(prefix + field);
        }
        return at;
    }
}
