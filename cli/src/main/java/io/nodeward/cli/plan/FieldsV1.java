package io.nodeward.cli.plan;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
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

    /** Reads {@code fieldsV1} of an entry. Elements of another form name no field. */
    static FieldsV1 of(JsonNode fieldsV1) {
        Set<List<String>> paths = new HashSet<>();
        fieldsV1.properties().forEach(field -> read(field, List.of(), paths));
        return new FieldsV1(paths);
    }

    private static void read(Map.Entry<String, JsonNode> field, List<String> parent, Set<List<String>> paths) {
        if (field.getKey().equals(".")) {
            paths.add(parent);
            return;
        }
        List<String> path = child(parent, canonical(field.getKey()));
        if (field.getValue().isEmpty()) {
            paths.add(path);
        }
        field.getValue().properties().forEach(child -> read(child, path, paths));
    }

    /** Servers order the keys of an item by name; other writers may not. */
    private static String canonical(String element) {
        try {
            return element.startsWith(ITEM) ? item(JSON.readTree(element.substring(ITEM.length()))) : element;
        } catch (JsonProcessingException e) {
            return element;
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

    /** Returns whether it has a path; of a field, one below it is enough, and of an item of a list it is not. */
    private boolean keeps(List<String> path) {
        return !path.getLast().startsWith(FIELD) ? paths.contains(path)
                : paths.stream().anyMatch(each -> each.size() >= path.size()
                        && each.subList(0, path.size()).equals(path));
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
        for (int i = 0; list.isArray() && i < list.size(); i++) {
            if (is(list.path(i), element)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean is(JsonNode item, String element) {
        if (element.startsWith(VALUE)) {
            return element.equals(value(item));
        }
        try {
            return element.startsWith(ITEM) && JSON.readTree(element.substring(ITEM.length())).propertyStream()
                    .allMatch(key -> key.getValue().equals(item.path(key.getKey())));
        } catch (JsonProcessingException e) {
            return false;
        }
    }

    /**
     * Takes all these fields off an object, but for those that have an owner. What gets empty goes too.
     *
     * @param owned fields that have an owner
     */
    void removeFrom(JsonNode object, FieldsV1 owned) {
        paths.stream().filter(path -> !path.isEmpty() && !owned.keeps(path))
                .sorted(Comparator.comparingInt(List::size)) // an item is found by fields below it
                .forEach(path -> remove(object, path, owned));
    }

    private static void remove(JsonNode object, List<String> path, FieldsV1 owned) {
        List<String> above = path.subList(0, path.size() - 1);
        JsonNode parent = at(object, above);
        if (parent instanceof ObjectNode fields) {
            fields.remove(path.getLast().substring(FIELD.length()));
        } else if (parent instanceof ArrayNode list && index(list, path.getLast()) >= 0) {
            list.remove(index(list, path.getLast()));
        }
        if (parent.isContainerNode() && parent.isEmpty() && !above.isEmpty() && !owned.keeps(above)) {
            remove(object, above, owned);
        }
    }

    /** Returns a path as servers print it in a conflict: {@code .spec.taints[key="a"].value}. */
    static String text(List<String> path) {
        List<String> text = new ArrayList<>();
        for (String element : path) {
            String name = element.substring(FIELD.length());
            text.add(element.startsWith(FIELD) ? "." + name
                    : element.startsWith(VALUE) ? "[=" + name + "]" : "[" + keys(name) + "]");
        }
        return String.join("", text);
    }

    private static String keys(String item) {
        try {
            return JSON.readTree(item).propertyStream().map(key -> key.getKey() + "=" + key.getValue())
                    .collect(Collectors.joining(","));
        } catch (JsonProcessingException e) {
            return item;
        }
    }
}
