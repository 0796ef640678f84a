package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/**
 * Takes away what a manager applied before and applies no longer, unless somebody else claims it. An object or list of
 * which nothing is left, but which somebody claims, becomes null.
 */
final class Prune {
    private Prune() {}

    /**
     * @param last what the manager claimed before
     * @param owned what anybody claims now, this manager too
     */
    static ObjectNode of(Shape.Fields shape, ObjectNode merged, FieldSet last, FieldSet owned) {
        FieldSet before = Claims.withStructs(shape, last);
        FieldSet all = Claims.withStructs(shape, Claims.of(shape, merged));
        FieldSet left = claimed(shape, without(shape, merged, before));
        FieldSet kept = left.plus(Claims.withStructs(shape, owned));
        // What nobody owns is kept too, unless it lies in a struct of which nothing else is left.
        FieldSet stays = claimed(shape, without(shape, merged, all.minus(kept)));
        JsonNode pruned = without(shape, merged, all.minus(stays).and(before));
        return pruned instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode();
    }

    private static FieldSet claimed(Shape shape, JsonNode value) {
        return value.isNull() ? FieldSet.NONE : Claims.withStructs(shape, Claims.of(shape, value));
    }

    /** The value without these places; null where nothing is left. */
    private static JsonNode without(Shape shape, JsonNode value, FieldSet away) {
        return switch (shape.on(value)) {
            case Shape.Fields fields -> value.isEmpty() ? NullNode.getInstance() : fields(fields, value, away);
            case Shape.Items items -> value.isEmpty() ? NullNode.getInstance() : items(items, value, away);
            // One value whose parts are claimed is of another shape than it was: it goes as a whole.
            case Shape.Whole whole -> value.isContainerNode() ? NullNode.getInstance() : value;
        };
    }

    private static JsonNode fields(Shape.Fields shape, JsonNode object, FieldSet away) {
        ObjectNode left = JsonNodeFactory.instance.objectNode();
        for (Map.Entry<String, JsonNode> field : object.properties()) {
            FieldSet below = away.below("f:" + field.getKey());
            if (below.isEmpty()) {
                left.set(field.getKey(), field.getValue());
            } else if (!below.here()) {
                left.set(field.getKey(), without(shape.of(field.getKey()), field.getValue(), below));
            }
        }
        return left.isEmpty() ? NullNode.getInstance() : left;
    }

    private static JsonNode items(Shape.Items shape, JsonNode list, FieldSet away) {
        ArrayNode left = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : list) {
            FieldSet below = away.below(String.valueOf(shape.step(item)));
            if (below.isEmpty()) {
                left.add(item);
            } else if (!below.here()) {
                left.add(without(shape.item(), item, below));
            }
        }
        return left.isEmpty() ? NullNode.getInstance() : left;
    }
}
