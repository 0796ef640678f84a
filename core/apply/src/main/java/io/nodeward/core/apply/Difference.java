package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What lies between two states of an object.
 *
 * @param changed what is new or has another value
 * @param gone what is there no more
 */
public record Difference(FieldSet changed, FieldSet gone) {
    private static final Difference NONE = new Difference(FieldSet.NONE, FieldSet.NONE);

    public static Difference between(Shape shape, ObjectNode before, ObjectNode after) {
        return compare(shape, before, after);
    }

    /** Without these fields of the object, and all below them. */
    public Difference without(List<String> fields) {
        Difference rest = this;
        for (String field : fields) {
            rest = new Difference(rest.changed.without(field), rest.gone.without(field));
        }
        return rest;
    }

    private static Difference compare(Shape shape, @Nullable JsonNode before, @Nullable JsonNode after) {
        if (before != null && after != null && before.isNull() != after.isNull()) {
            return compareWithNull(shape, before, after);
        }
        JsonNode shown = after == null ? before : after;
        if (shown == null || after != null && shape instanceof Shape.Items && after.equals(before)) {
            return NONE;
        }
        Shape own = shape.on(shown);
        boolean sameShape = after == null || before == null || own.equals(shape.on(before));
        return switch (sameShape ? own : Shape.ANY) {
            case Shape.Fields fields -> fields(fields, before, after);
            case Shape.Items items -> items(items, before, after);
            case Shape.Whole any -> whole(before, after);
        };
    }

    // Null in place of an object or list is one that is there, with nothing in it.
    private static Difference compareWithNull(Shape shape, JsonNode before, JsonNode after) {
        JsonNode shown = before.isNull() ? after : before;
        Shape own = shape.on(shown);
        if (shown.isEmpty() || own instanceof Shape.Whole) {
            return new Difference(FieldSet.HERE, FieldSet.NONE);
        }
        JsonNode nothing =
                shown.isArray() ? JsonNodeFactory.instance.arrayNode() : JsonNodeFactory.instance.objectNode();
        return before.isNull() ? compare(own, nothing, after) : compare(own, before, nothing);
    }

    private static Difference whole(@Nullable JsonNode before, @Nullable JsonNode after) {
        if (after == null) {
            return new Difference(FieldSet.NONE, FieldSet.HERE);
        }
        return after.equals(before) ? NONE : new Difference(FieldSet.HERE, FieldSet.NONE);
    }

    private static Difference fields(Shape.Fields shape, @Nullable JsonNode before, @Nullable JsonNode after) {
        Parts parts = new Parts();
        if (after != null) {
            for (Map.Entry<String, JsonNode> field : after.properties()) {
                JsonNode old = before == null ? null : before.get(field.getKey());
                parts.put("f:" + field.getKey(), compareField(shape, field.getKey(), old, field.getValue()));
            }
        }
        if (before != null) {
            for (Map.Entry<String, JsonNode> field : before.properties()) {
                if (after == null || !after.has(field.getKey())) {
                    parts.put("f:" + field.getKey(), compareField(shape, field.getKey(), field.getValue(), null));
                }
            }
        }
        return parts.done(before, after);
    }

    private static Difference compareField(
            Shape.Fields parent, String field, @Nullable JsonNode before, @Nullable JsonNode after) {
        Shape shape = parent.of(field);
        if (shape instanceof Shape.Fields fields && fields.always()) {
            JsonNode nothing = JsonNodeFactory.instance.objectNode();
            return compare(shape, before == null ? nothing : before, after == null ? nothing : after);
        }
        return compare(shape, before, after);
    }

    private static Difference items(Shape.Items shape, @Nullable JsonNode before, @Nullable JsonNode after) {
        Map<String, List<JsonNode>> old = bySteps(shape, before);
        Map<String, List<JsonNode>> now = bySteps(shape, after);
        Parts parts = new Parts();
        now.forEach((step, items) -> parts.put(step, same(shape, old.getOrDefault(step, List.of()), items)));
        old.forEach((step, items) -> {
            if (!now.containsKey(step)) {
                parts.put(step, same(shape, items, List.of()));
            }
        });
        return parts.done(before, after);
    }

    // A list may have items with equal keys, such as a Node's addresses: those are looked at as one.
    private static Difference same(Shape.Items shape, List<JsonNode> before, List<JsonNode> after) {
        boolean many = before.size() > 1;
        if (many && after.size() > 1) {
            return before.equals(after) ? NONE : new Difference(FieldSet.HERE, FieldSet.NONE);
        }
        if (many) {
            Difference added = after.isEmpty() ? NONE : compare(shape.item(), null, after.getFirst());
            return new Difference(added.changed, FieldSet.HERE);
        }
        if (after.size() > 1) {
            Difference taken = before.isEmpty() ? NONE : compare(shape.item(), before.getFirst(), null);
            return new Difference(FieldSet.HERE, taken.gone);
        }
        return compare(shape.item(), before.isEmpty() ? null : before.getFirst(),
                after.isEmpty() ? null : after.getFirst());
    }

    static Map<String, List<JsonNode>> bySteps(Shape.Items shape, @Nullable JsonNode list) {
        Map<String, List<JsonNode>> items = new LinkedHashMap<>();
        if (list != null) {
            for (JsonNode item : list) {
                items.computeIfAbsent(String.valueOf(shape.step(item)), step -> new ArrayList<>(1)).add(item);
            }
        }
        return items;
    }

    /** What is found below a place. */
    private static final class Parts {
        private final SortedMap<String, FieldSet> changed = new TreeMap<>();
        private final SortedMap<String, FieldSet> gone = new TreeMap<>();

        void put(String step, Difference part) {
            FieldSet.put(changed, step, part.changed);
            FieldSet.put(gone, step, part.gone);
        }

        Difference done(@Nullable JsonNode before, @Nullable JsonNode after) {
            FieldSet set = FieldSet.of(before == null, changed);
            FieldSet away = FieldSet.of(after == null, gone);
            return set.isEmpty() && away.isEmpty() ? NONE : new Difference(set, away);
        }
    }
}
