package io.nodeward.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Fields of an object in the form of {@code metadata.managedFields}: each path consists of elements such as {@code f:spec},
 * {@code k:{"key":"a"}} or {@code v:"a"}.
 */
record FieldsV1(Set<List<String>> paths) {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String FIELD = "f:";
    private static final String ITEM = "k:";
    private static final String VALUE = "v:";
    /** The number of elements of the longest path that is read. Planned kinds have shorter ones, and any writer may add longer ones. */
    private static final int DEEPEST = 64;

    /** Reads {@code fieldsV1} of an entry. Elements of another form name no field. */
    static FieldsV1 of(JsonNode fieldsV1) {
        Set<List<String>> paths = new HashSet<>();
        fieldsV1.properties().forEach(field -> read(field, List.of(), paths));
        return new FieldsV1(paths);
    }

    private static void read(Map.Entry<String, JsonNode> field, List<String> parent, Set<List<String>> paths) {
        if (field.getKey().equals(".") && !parent.isEmpty()) {
            paths.add(parent);
        }
        element(field.getKey()).filter(any -> parent.size() < DEEPEST).ifPresent(element -> {
            List<String> path = child(parent, element);
            if (field.getValue().isEmpty()) {
                paths.add(path);
            }
            field.getValue().properties().forEach(child -> read(child, path, paths));
        });
    }

    /** Servers order the keys of an item by name; other writers may not. */
    private static Optional<String> element(String text) {
        if (!text.startsWith(ITEM)) {
            return Optional.of(text).filter(any -> text.startsWith(FIELD) || text.startsWith(VALUE));
        }
        return Optional.of(keys(text)).filter(keys -> !keys.isEmpty()).map(FieldsV1::item);
    }

    /** Returns the keys of an item; none if the text is not of an item. */
    private static JsonNode keys(String element) {
        try {
            JsonNode keys = element.startsWith(ITEM) ? JSON.readTree(element.substring(ITEM.length()))
                    : MissingNode.getInstance();
            return keys.isObject() ? keys : MissingNode.getInstance();
        } catch (JsonProcessingException e) {
            return MissingNode.getInstance();
        }
    }

    static String field(String name) {
        return FIELD + name;
    }

    static String value(JsonNode value) {
        return VALUE + value;
    }

    /** @param keys of an item, with their values */
    static String item(JsonNode keys) {
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        new TreeMap<>(keys.propertyStream().collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)))
                .forEach(sorted::set);
        return ITEM + sorted;
    }

    static List<String> child(List<String> path, String element) {
        return Stream.concat(path.stream(), Stream.of(element)).toList();
    }

    FieldsV1 with(FieldsV1 others) {
        return new FieldsV1(Stream.concat(paths.stream(), others.paths.stream()).collect(Collectors.toSet()));
    }

    /** Returns what an object has at a path. */
    static JsonNode at(JsonNode object, List<String> path) {
        JsonNode found = object;
        for (String element : path) {
            JsonNode parent = found;
            int index = index(parent, element);
            found = element.startsWith(FIELD) ? parent.path(element.substring(FIELD.length()))
                    : index < 0 ? MissingNode.getInstance() : parent.path(index);
        }
        return found;
    }

    private static int index(JsonNode list, String element) {
        JsonNode keys = keys(element);
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            JsonNode item = list.path(i);
            if (element.startsWith(VALUE) ? element.equals(value(item)) : !keys.isEmpty() && keys.propertyStream()
                    .allMatch(key -> key.getValue().equals(item.path(key.getKey())))) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Takes all these fields off an object, but for those that have an owner. What gets empty goes too.
     *
     * @param owned fields that have an owner
     */
    void removeFrom(JsonNode object, FieldsV1 owned) {
        Set<List<String>> kept = new HashSet<>(owned.paths);
        // A field stays if one below it has an owner; an item of a list does not.
        owned.paths.forEach(path -> IntStream.range(1, path.size()).mapToObj(length -> path.subList(0, length))
                .filter(above -> above.getLast().startsWith(FIELD)).forEach(kept::add));
        paths.stream().filter(path -> !kept.contains(path))
                .sorted(Comparator.comparingInt(List::size)) // an item is found by fields below it
                .forEach(path -> remove(object, path, kept));
    }

    private static void remove(JsonNode object, List<String> path, Set<List<String>> kept) {
        List<String> above = path.subList(0, path.size() - 1);
        JsonNode parent = at(object, above);
        if (parent instanceof ObjectNode fields) {
            fields.remove(path.getLast().substring(FIELD.length()));
        } else if (parent instanceof ArrayNode list && index(list, path.getLast()) >= 0) {
            list.remove(index(list, path.getLast()));
        }
        if (parent.isContainerNode() && parent.isEmpty() && !above.isEmpty() && !kept.contains(above)) {
            remove(object, above, kept);
        }
    }

    /** Returns a path as servers print it in a conflict: {@code .spec.taints[key="a"].value}. */
    static String text(List<String> path) {
        return path.stream().map(element -> element.startsWith(FIELD) ? "." + element.substring(FIELD.length())
                : element.startsWith(VALUE) ? "[=" + element.substring(VALUE.length()) + "]"
                : keys(element).propertyStream().map(key -> key.getKey() + "=" + key.getValue())
                        .collect(Collectors.joining(",", "[", "]")))
                .collect(Collectors.joining());
    }
}
