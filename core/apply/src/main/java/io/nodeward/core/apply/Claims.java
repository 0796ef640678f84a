package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** The places a manager claims by applying an object. */
final class Claims {
    private Claims() {}

    /** Of an object, all values it has; the structs and lists they are in are not claimed with them. */
    static FieldSet of(Shape shape, JsonNode value) {
        return switch (shape.on(value)) {
            case Shape.Fields fields -> fields(fields, value);
            case Shape.Items items -> items(items, value);
            case Shape.Whole whole -> FieldSet.HERE;
        };
    }

    private static FieldSet fields(Shape.Fields shape, JsonNode object) {
        SortedMap<String, FieldSet> below = new TreeMap<>();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            JsonNode value = field.getValue();
            FieldSet claimed = of(shape.of(field.getKey()), value);
            boolean alone = value.isNull() || value.isObject() && value.isEmpty();
            FieldSet.put(below, "f:" + field.getKey(), alone || !shape.named() ? claimed.plus(FieldSet.HERE) : claimed);
        }
        return FieldSet.of(false, below);
    }

    private static FieldSet items(Shape.Items shape, JsonNode list) {
        SortedMap<String, FieldSet> below = new TreeMap<>();
        for (Map.Entry<String, List<JsonNode>> items : Difference.bySteps(shape, list).entrySet()) {
            List<JsonNode> same = items.getValue();
            below.put(items.getKey(),
                    same.size() > 1 ? FieldSet.HERE : of(shape.item(), same.getFirst()).plus(FieldSet.HERE));
        }
        return FieldSet.of(false, below);
    }

    /** The same with the structs, maps and lists that are fields of a struct, where something in them is claimed. */
    static FieldSet withStructs(Shape shape, FieldSet set) {
        return set.each(set.here(), (step, below) -> {
            boolean field = step.startsWith("f:");
            Shape next = switch (shape) {
                case Shape.Fields fields when field -> fields.of(step.substring(2));
                case Shape.Items items when step.startsWith("k:") -> items.item();
                default -> Shape.ANY;
            };
            FieldSet more = withStructs(next, below);
            boolean struct = field && shape instanceof Shape.Fields fields && fields.named();
            return struct && !more.equals(FieldSet.HERE) ? more.plus(FieldSet.HERE) : more;
        });
    }
}
