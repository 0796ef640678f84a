package io.nodeward.cli.origin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.rules.validation.DeclaringPlace;
import java.util.List;
import java.util.stream.Collectors;

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
        JsonNode there = object.at(pointer(place.path()));
        if (!place.isInList()) {
            return there;
        }
        for (JsonNode each : there) {
            if (each.path(place.key()).asText().equals(element)) {
                return each.at(pointer(place.below()));
            }
        }
        return MissingNode.getInstance();
    }

    /** What a manager owns there. */
    FieldSet owned(FieldSet fields) {
        FieldSet there = fields.at(place.path());
        return place.isInList()
                ? there.below("k:" + JsonNodeFactory.instance.objectNode().put(place.key(), element)).at(place.below())
                : there;
    }

    private static String pointer(List<String> path) {
        return path.stream().map("/"::concat).collect(Collectors.joining());
    }
}
