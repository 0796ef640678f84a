package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * How far a value is looked into when owners of fields are told apart and applied objects are merged. What no declaration
 * mentions is a struct if it is an object, and one value if it is anything else: so are lists.
 */
public sealed interface Shape {
    /** Looked at as one. {@code type} is {@code list}, {@code string} or empty for any. */
    record Whole(String type) implements Shape {}

    /**
     * An object.
     *
     * @param named whether it has fields as a struct, or entries as a map
     * @param always whether a server shows it even where it is absent, as Go does with structs that are no pointers
     */
    record Fields(boolean named, boolean always, Map<String, Shape> known, Optional<Shape> others) implements Shape {
        public Shape of(String field) {
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
        public @Nullable String step(JsonNode value) {
            if (keys.isEmpty()) {
                return value.isContainerNode() || value.isNull() ? null : "v:" + value;
            }
            SortedMap<String, JsonNode> found = new TreeMap<>();
            for (String key : keys) {
                if (value.has(key)) {
                    found.put(key, value.path(key));
                } else if (missing.isPresent() && value.isObject()) {
                    found.put(key, JsonNodeFactory.instance.textNode(missing.get()));
                }
            }
            return found.isEmpty() ? null : FieldSet.item(found);
        }
    }

    Shape ANY = new Whole("");
    Fields STRUCT = new Fields(true, false, Map.of(), Optional.empty());
    Fields MAP = new Fields(false, false, Map.of(), Optional.of(ANY));
    /** The places that objects of every kind have. */
    List<String> METADATA = List.of(
            "metadata{}", "metadata.labels<string>", "metadata.annotations<string>", "metadata.finalizers[=]",
            "metadata.ownerReferences[uid]!");
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

    /**
     * An object of a kind, by the schema of its CRD.
     *
     * @param schema {@code openAPIV3Schema} of its version; missing for a kind whose lists are all one value
     */
    static Fields of(JsonNode schema) {
        Map<String, Shape> known = new HashMap<>(properties(schema));
        known.put("metadata", of(METADATA).of("metadata"));
        return new Fields(true, false, Map.copyOf(known), Optional.empty());
    }

    private static Map<String, Shape> properties(JsonNode schema) {
        return schema.path("properties").propertyStream()
                .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, field -> shape(field.getValue())));
    }

    private static Shape shape(JsonNode schema) {
        return switch (schema.path("type").asText()) {
            case "array" -> switch (schema.path("x-kubernetes-list-type").asText()) {
                case "map" -> new Items(schema.path("x-kubernetes-list-map-keys").valueStream().map(JsonNode::asText)
                        .toList(), Optional.empty(), shape(schema.path("items")));
                case "set" -> new Items(List.of(), Optional.empty(), ANY);
                default -> ANY;
            };
            // Where the server keeps fields that no schema names, it looks at them one by one, too.
            case "object", "" -> schema.path("x-kubernetes-map-type").asText().equals("atomic") ? ANY
                    : new Fields(schema.has("properties"), false, properties(schema),
                            Optional.of(schema.path("additionalProperties")).filter(JsonNode::isObject)
                                    .map(Shape::shape));
            default -> ANY;
        };
    }

    /** This shape, if it is that of such a value; one value otherwise. */
    default Shape on(JsonNode value) {
        return switch (this) {
            case Fields fields -> value instanceof ObjectNode ? fields : ANY;
            case Items items -> value.isArray()
                    && value.valueStream().allMatch(item -> items.step(item) != null) ? items : ANY;
            case Whole whole -> whole;
        };
    }
}
