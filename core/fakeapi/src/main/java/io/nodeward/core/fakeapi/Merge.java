package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An object with what is applied put into it. What is not applied is shared with the first, which stays as it was. */
final class Merge {
    private Merge() {}

    static ObjectNode of(Shape.Fields shape, ObjectNode live, ObjectNode applied) {
        ObjectNode merged = Json.shallow(live);
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

    /**
     * Items of both come where they are applied, the others stay between the same neighbours, as far as both is to be had.
     */
    private static ArrayNode items(Shape.Items shape, ArrayNode live, ArrayNode applied) {
        Map<String, List<JsonNode>> there = Difference.bySteps(shape, live);
        Map<String, List<JsonNode>> wanted = Difference.bySteps(shape, applied);
        ArrayNode merged = Json.MAPPER.createArrayNode();
        LiveItems rest = new LiveItems(shape, live, wanted.keySet());
        for (Map.Entry<String, List<JsonNode>> item : wanted.entrySet()) {
            List<JsonNode> old = there.getOrDefault(item.getKey(), List.of());
            rest.copyUpTo(nextShared(wanted, there, rest.done), merged);
            JsonNode value = item.getValue().getFirst();
            merged.add(old.size() == 1 ? merged(shape.item(), old.getFirst(), value) : value);
            rest.done.add(item.getKey());
        }
        rest.copyUpTo("", merged);
        return merged;
    }

    private static String nextShared(
            Map<String, List<JsonNode>> wanted, Map<String, List<JsonNode>> there, Set<String> done) {
        return wanted.keySet().stream()
                .filter(step -> there.containsKey(step) && !done.contains(step))
                .findFirst()
                .orElse("");
    }

    /** The items that are there, from first to last. */
    private static final class LiveItems {
        private final Shape.Items shape;
        private final Iterator<JsonNode> items;
        private final Set<String> wanted;
        private final Set<String> done = new HashSet<>();
        private @Nullable JsonNode next;

        LiveItems(Shape.Items shape, ArrayNode live, Set<String> wanted) {
            this.shape = shape;
            this.items = live.iterator();
            this.wanted = wanted;
            this.next = items.hasNext() ? items.next() : null;
        }

        /** Copies those that nobody applied, until the one of this step is next; skips those applied elsewhere. */
        void copyUpTo(String step, ArrayNode to) {
            while (next != null) {
                String own = String.valueOf(shape.step(next));
                if (own.equals(step)) {
                    return;
                }
                if (!wanted.contains(own)) {
                    to.add(next);
                }
                next = items.hasNext() ? items.next() : null;
            }
        }
    }
}
