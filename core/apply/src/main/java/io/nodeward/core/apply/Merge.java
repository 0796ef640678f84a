package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object with what is applied put into it. What is not applied is shared with the first, which stays as it was. */
final class Merge {
    private Merge() {}

    static ObjectNode of(Shape.Fields shape, ObjectNode live, ObjectNode applied) {
        ObjectNode merged = JsonNodeFactory.instance.objectNode().setAll(live);
        for (Map.Entry<String, JsonNode> field : applied.properties()) {
            String name = field.getKey();
            merged.set(name, merged(shape.of(name), live.get(name), field.getValue()));
        }
        return merged;
    }

    private static JsonNode merged(Shape shape, @Nullable JsonNode live, JsonNode applied) {
        if (live == null) {
            return applied;
        }
        Shape own = shape.on(live);
        boolean looked = !(own instanceof Shape.Whole);
        if (looked && (applied.isNull() || applied.isEmpty() && applied.isContainerNode()) && !live.isEmpty()) {
            return live;
        }
        if (!own.equals(shape.on(applied))) {
            return applied;
        }
        return switch (own) {
            case Shape.Fields fields -> of(fields, (ObjectNode) live, (ObjectNode) applied);
            case Shape.Items items -> items(items, (ArrayNode) live, (ArrayNode) applied);
            case Shape.Whole whole -> applied;
        };
    }

    /** Merges lists. Items of both take the places that the applied list gives them; each other item stays between its neighbours. */
    private static ArrayNode items(Shape.Items shape, ArrayNode live, ArrayNode applied) {
        Map<String, List<JsonNode>> there = Difference.bySteps(shape, live);
        Map<String, List<JsonNode>> wanted = Difference.bySteps(shape, applied);
        Deque<JsonNode> rest = new ArrayDeque<>(live.valueStream().toList());
        Deque<String> shared = new ArrayDeque<>(wanted.keySet());
        shared.retainAll(there.keySet());
        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        wanted.forEach((step, values) -> {
            List<JsonNode> old = there.getOrDefault(step, List.of());
            moveUpTo(Objects.requireNonNullElse(shared.peek(), ""), shape, rest, wanted.keySet(), merged);
            merged.add(old.size() == 1 ? merged(shape.item(), old.getFirst(), values.getFirst()) : values.getFirst());
            if (step.equals(shared.peek())) {
                shared.remove();
            }
        });
        moveUpTo("", shape, rest, wanted.keySet(), merged);
        return merged;
    }

    /** Moves the items that nobody applied, until the one of this step is next; drops those applied elsewhere. */
    private static void moveUpTo(
            String step, Shape.Items shape, Deque<JsonNode> rest, Set<String> wanted, ArrayNode to) {
        while (!rest.isEmpty()) {
            String own = String.valueOf(shape.step(rest.getFirst()));
            if (own.equals(step)) {
                return;
            }
            JsonNode next = rest.removeFirst();
            if (!wanted.contains(own)) {
                to.add(next);
            }
        }
    }
}
