package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far a value is looked into when owners of fields are told apart and applied objects are merged. What no declaration
 * mentions is a struct if it is an object, and one value if it is anything else: so are lists.
 */
sealed interface Shape {
    /** Looked at as one. {@code type} is {@code list}, {@code string} or empty for any. */
    record Whole(String type) implements Shape {}

    /**
     * An object.
     *
     * @param named whether it has fields as a struct, or entries as a map
     * @param always whether a server shows it even where it is absent, as Go does with structs that are no pointers
     */
    record Fields(boolean named, boolean always, Map<String, Shape> known, Optional<Shape> others) implements Shape {
        Shape of(String field) {
            Shape shape = known.get(field);
            return shape == null ? others.orElse(STRUCT) : shape;
        }
    }

    /**
     * A list whose items are told apart: by keys, or by their value if there are none.
     *
     * @param missing counts as the value of a key that is absent, if there
     */
    record Items(List<String> keys, Optional<String> missing, Shape item) implements Shape {
        /** The step to an item; null if it has none. */
        @Nullable
        String step(JsonNode value) {
            if (keys.isEmpty()) {
                return value.isContainerNode() || value.isNull() ? null : "v:" + value;
            }
            Map<String, JsonNode> found = new TreeMap<>();
            for (String key : keys) {
                if (value.has(key)) {
                    found.put(key, value.path(key));
                } else if (missing.isPresent() && value.isObject()) {
                    found.put(key, JsonNodeFactory.instance.textNode(missing.get()));
                }
            }
            return found.isEmpty() ? null : "k:" + Json.object().setAll(found);
        }
    }

    Shape ANY = new Whole("");
    Fields STRUCT = new Fields(true, false, Map.of(), Optional.empty());
    Fields MAP = new Fields(false, false, Map.of(), Optional.of(ANY));
    Pattern DECLARATION = Pattern.compile("([\\w.]+)(\\{}|<\\w*>|!|\\[([\\w,]*)(\\??)(=?)](!?))");

    /**
     * An object with these places in it: {@code a.b{}} a struct that is always there, {@code a.b<>} a map and
     * {@code a.b<string>} one of texts, {@code a.b!} an object that is one value, {@code a.b[]} a list that is one value,
     * {@code a.b[=]} a set, {@code a.b[x,y]} a list with items told apart by x and y ({@code [x?]}: where x may be absent,
     * {@code [x]!}: where each item is one value). Places within items follow the name of the list.
     */
    static Fields of(List<String> declarations) {
        Fields shape = STRUCT;
        for (String declaration : declarations) {
            Matcher parts = DECLARATION.matcher(declaration);
            if (!parts.matches()) {
                throw new IllegalArgumentException("no place in an object: " + declaration);
            }
            shape = (Fields) with(shape, List.of(parts.group(1).split("\\.")), declared(parts));
        }
        return shape;
    }

    private static Shape declared(Matcher parts) {
        String kind = parts.group(2);
        if (kind.startsWith("[")) {
            List<String> keys = parts.group(3).isEmpty() ? List.of() : List.of(parts.group(3).split(","));
            if (keys.isEmpty() && parts.group(5).isEmpty()) {
                return new Whole("list");
            }
            Shape item = keys.isEmpty() || !parts.group(6).isEmpty() ? ANY : STRUCT;
            return new Items(keys, parts.group(4).isEmpty() ? Optional.empty() : Optional.of(""), item);
        }
        return switch (kind) {
            case "{}" -> new Fields(true, true, Map.of(), Optional.empty());
            case "!" -> ANY;
            case "<>" -> MAP;
            default -> new Fields(
                    false, false, Map.of(), Optional.of(new Whole(kind.substring(1, kind.length() - 1))));
        };
    }

    private static Shape with(Shape shape, List<String> path, Shape declared) {
        if (path.isEmpty()) {
            return declared;
        }
        if (shape instanceof Items items) {
            return new Items(items.keys(), items.missing(), with(items.item(), path, declared));
        }
        Fields fields = (Fields) shape;
        String first = path.getFirst();
        Map<String, Shape> known = new HashMap<>(fields.known());
        known.put(first, with(fields.of(first), path.subList(1, path.size()), declared));
        return new Fields(fields.named(), fields.always(), Map.copyOf(known), fields.others());
    }

    /** This shape, if it is that of such a value; one value otherwise. */
    default Shape on(JsonNode value) {
        return switch (this) {
            case Fields fields -> value instanceof ObjectNode ? fields : ANY;
            case Items items -> value.isArray() && steps(items, value).isPresent() ? items : ANY;
            case Whole whole -> whole;
        };
    }

    /** The steps to all items, in their order; empty if one has none. */
    static Optional<List<String>> steps(Items items, JsonNode list) {
        List<String> steps = new ArrayList<>();
        for (JsonNode item : list) {
            String step = items.step(item);
            if (step == null) {
                return Optional.empty();
            }
            steps.add(step);
        }
        return Optional.of(steps);
    }
}
