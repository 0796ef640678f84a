package io.nodeward.e2e.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.e2e.controlplane.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Edits of an object as users make them, right and wrong: the same seed makes the same ones. */
final class RandomEdit {
    private static final List<JsonNode> VALUES = List
            .of("\"three\"", "\"3\"", "3", "-1", "0", "2147483648", "1.5", "3.0",
                    "99999999999999999999", "9223372036854775807", "true", "[]", "{}", "[\"a\"]", "[1]", "[null]",
                    "[[]]",
                    "{\"a\":\"b\"}", "{\"a\":1}", "\"Always\"", "\"NoExecute\"", "\"10%\"", "\"\"")
            .stream().map(Json::parse)
            .toList();
    private static final List<String> NAMES = List.of("taints", "taint", "replicas", "labels", "name", "key", "paused",
            "spec", "template", "x");
    /** Fields of the root without which the server does not look at the rest. */
    private static final Set<String> KEPT = Set.of("apiVersion", "kind");

    private final Random random;

    /** A field or an item. */
    private record Place(JsonNode parent, String field, int index) {
        JsonNode value() {
            return parent.isArray() ? parent.path(index) : parent.path(field);
        }

        void set(JsonNode value) {
            if (parent instanceof ObjectNode object) {
                object.set(field, value);
            } else if (parent instanceof ArrayNode array) {
                array.set(index, value);
            }
        }

        void remove() {
            if (parent instanceof ObjectNode object) {
                object.remove(field);
            } else if (parent instanceof ArrayNode array) {
                array.remove(index);
            }
        }
    }

    RandomEdit(long seed) {
        random = new Random(seed);
    }

    ObjectNode of(ObjectNode object) {
        ObjectNode edited = object.deepCopy();
        List<Place> places = new ArrayList<>();
        edited.properties().stream().filter(field -> !KEPT.contains(field.getKey()))
                .forEach(field -> add(new Place(edited, field.getKey(), 0), places));
        Place place = one(places);
        switch (random.nextInt(5)) {
            case 0 -> rename(place);
            case 1 -> place.remove();
            case 2 -> {
                if (place.value() instanceof ObjectNode within) {
                    within.set(one(NAMES), one(VALUES));
                } else {
                    place.set(Json.parse("\"" + place.value().asText() + "x\""));
                }
            }
            default -> place.set(one(VALUES));
        }
        return edited;
    }

    private static void add(Place place, List<Place> all) {
        all.add(place);
        JsonNode value = place.value();
        value.properties().forEach(field -> add(new Place(value, field.getKey(), 0), all));
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            add(new Place(value, "", i), all);
        }
    }

    private void rename(Place place) {
        JsonNode value = place.value();
        int at = random.nextInt(place.field().length() + 1);
        String typo = place.field().substring(0, at) + (random.nextBoolean() ? "s" : "")
                + place.field().substring(Math.min(place.field().length(), at + random.nextInt(2)));
        if (place.parent() instanceof ObjectNode object) {
            object.remove(place.field());
            object.set(typo, value);
        }
    }

    private <T> T one(List<T> all) {
        return all.get(random.nextInt(all.size()));
    }
}
