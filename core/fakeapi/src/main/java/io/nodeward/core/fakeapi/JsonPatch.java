package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Arrays;
import java.util.List;

/**
 * RFC 6902, with liberties of the real server: replacing a missing member adds it, copying a missing member copies null,
 * and a missing member is null for a test.
 */
final class JsonPatch {
    private JsonPatch() {}

    /** @throws Refusal 422 if an operation cannot be done or a test fails; the target is then as it was */
    static ObjectNode apply(ObjectNode target, ArrayNode operations) {
        JsonNode root = target.deepCopy();
        for (JsonNode operation : operations) {
            root = apply(root, operation);
        }
        if (root instanceof ObjectNode object) {
            return object;
        }
        throw Refusal.unfitPatch();
    }

    private static JsonNode apply(JsonNode root, JsonNode operation) {
        if (!operation.path("path").isTextual()) {
            throw Refusal.unfitPatch();
        }
        List<String> path = pointer(operation.path("path"));
        JsonNode value = operation.path("value");
        return switch (Json.text(operation, "op")) {
            case "add" -> add(root, path, given(value));
            case "replace" -> replace(root, path, given(value));
            case "remove" -> remove(root, path);
            case "copy" -> add(root, path, source(root, pointer(operation.path("from"))).deepCopy());
            case "move" -> move(root, pointer(operation.path("from")), path);
            case "test" -> test(root, path, value);
            default -> throw Refusal.unfitPatch();
        };
    }

    private static List<String> pointer(JsonNode text) {
        String pointer = text.asText();
        if (pointer.isEmpty()) {
            return List.of();
        }
        if (!pointer.startsWith("/")) {
            throw Refusal.unfitPatch();
        }
        return Arrays.stream(pointer.substring(1).split("/", -1))
                .map(t -> t.replace("~1", "/").replace("~0", "~"))
                .toList();
    }

    private static JsonNode given(JsonNode value) {
        return value.isMissingNode() ? NullNode.getInstance() : value.deepCopy();
    }

    private static JsonNode parent(JsonNode root, List<String> path) {
        JsonNode at = root;
        for (String token : path.subList(0, path.size() - 1)) {
            at = at.isArray() ? at.path(index(token, at.size() - 1)) : at.path(token);
        }
        if (!at.isContainerNode()) {
            throw Refusal.unfitPatch();
        }
        return at;
    }

    private static int index(String token, int largest) {
        int index = token.matches("0|[1-9][0-9]{0,8}") ? Integer.parseInt(token) : -1;
        if (index < 0 || index > largest) {
            throw Refusal.unfitPatch();
        }
        return index;
    }

    private static JsonNode member(JsonNode parent, String token) {
        return parent.isArray() ? parent.path(index(token, parent.size() - 1)) : parent.path(token);
    }

    private static JsonNode add(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty()) {
            return value;
        }
        String last = path.getLast();
        if (parent(root, path) instanceof ArrayNode list) {
            list.insert(last.equals("-") ? list.size() : index(last, list.size()), value);
        } else {
            ((ObjectNode) parent(root, path)).set(last, value);
        }
        return root;
    }

    private static JsonNode replace(JsonNode root, List<String> path, JsonNode value) {
        if (path.isEmpty() || !(parent(root, path) instanceof ArrayNode list)) {
            return add(root, path, value);
        }
        list.set(index(path.getLast(), list.size() - 1), value);
        return root;
    }

    private static JsonNode remove(JsonNode root, List<String> path) {
        JsonNode parent = path.isEmpty() ? NullNode.getInstance() : parent(root, path);
        JsonNode gone = parent instanceof ArrayNode list
                ? list.remove(index(path.getLast(), list.size() - 1))
                : parent instanceof ObjectNode object ? object.remove(path.getLast()) : null;
        if (gone == null) {
            throw Refusal.unfitPatch();
        }
        return root;
    }

    private static JsonNode source(JsonNode root, List<String> from) {
        JsonNode value = from.isEmpty() ? root : member(parent(root, from), from.getLast());
        return value.isMissingNode() ? NullNode.getInstance() : value;
    }

    private static JsonNode move(JsonNode root, List<String> from, List<String> path) {
        JsonNode value = source(root, from);
        return add(remove(root, from), path, value);
    }

    private static JsonNode test(JsonNode root, List<String> path, JsonNode value) {
        JsonNode there = path.isEmpty() ? root : member(parent(root, path), path.getLast());
        if (!given(there).equals(given(value))) {
            throw Refusal.unfitPatch();
        }
        return root;
    }
}
