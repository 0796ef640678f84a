package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/**
 * Strategic merge, as far as kubectl sends it for metadata, Nodes and objects without lists. A list whose strategy is not
 * known here is refused: guessing would store something the real server would not.
 */
final class StrategicPatch {
    private static final String ORDER = "$setElementOrder/";
    private static final String DELETE = "$deleteFromPrimitiveList/";
    private static final Set<String> DIRECTIVES = Set.of("$patch", "$retainKeys");
    private static final Map<String, String> MERGE_KEYS =
            Map.of("ownerReferences", "uid", "conditions", "type", "addresses", "type");
    private static final Set<String> SETS = Set.of("finalizers", "podCIDRs");
    private static final Set<String> ATOMIC = Set.of("taints", "managedFields", "images", "volumesInUse");

    private StrategicPatch() {}

    /** @throws Refusal 415 for a list it does not know */
    static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        String directive = Json.text(patch, "$patch");
        if (directive.equals("delete")) {
            return Json.object();
        }
        ObjectNode result = directive.equals("replace") ? Json.object() : Json.shallow(target);
        if (patch.get("$retainKeys") instanceof ArrayNode keys) {
            result.retain(texts(keys));
        }
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            if (name.startsWith(DELETE)) {
                result.set(name.substring(DELETE.length()), without(result, name, field.getValue()));
            } else if (!name.startsWith(ORDER) && !DIRECTIVES.contains(name)) {
                set(result, name, field.getValue());
            }
        }
        patch.properties().stream().filter(f -> f.getKey().startsWith(ORDER)).forEach(f -> order(result, f));
        return result;
    }

    private static void set(ObjectNode result, String name, JsonNode value) {
        if (value.isNull()) {
            result.remove(name);
        } else if (value instanceof ObjectNode inner) {
            result.set(name, apply(result.get(name) instanceof ObjectNode old ? old : Json.object(), inner));
        } else if (value instanceof ArrayNode list) {
            result.set(name, list(name, result.path(name), list));
        } else {
            result.set(name, value);
        }
    }

    private static ArrayNode list(String name, JsonNode old, ArrayNode patch) {
        String mergeKey = MERGE_KEYS.get(name);
        if (mergeKey != null) {
            return merged(mergeKey, old, patch);
        }
        if (SETS.contains(name)) {
            return united(old, patch);
        }
        if (ATOMIC.contains(name)) {
            return patch;
        }
        throw Refusal.unsupportedMedia(
                "application/merge-patch+json (this server does not know how to merge the list " + name + ")");
    }

    private static ArrayNode united(JsonNode old, ArrayNode patch) {
        ArrayNode result = patch.deepCopy();
        Set<String> there = Set.copyOf(texts(patch));
        old.forEach(e -> {
            if (!there.contains(e.asText())) {
                result.add(e);
            }
        });
        return result;
    }

    private static ArrayNode merged(String key, JsonNode old, ArrayNode patch) {
        Map<String, JsonNode> before = new LinkedHashMap<>();
        old.forEach(e -> before.put(Json.text(e, key), e));
        ArrayNode result = patch.arrayNode();
        for (JsonNode element : patch) {
            JsonNode known = before.remove(Json.text(element, key));
            if (!Json.text(element, "$patch").equals("delete") && element instanceof ObjectNode change) {
                result.add(apply(known instanceof ObjectNode o ? o : Json.object(), change));
            }
        }
        return result.addAll(before.values());
    }

    private static ArrayNode without(ObjectNode result, String directive, JsonNode gone) {
        List<String> texts = texts(gone);
        ArrayNode left = result.arrayNode();
        result.path(directive.substring(DELETE.length())).forEach(e -> {
            if (!texts.contains(e.asText())) {
                left.add(e);
            }
        });
        return left;
    }

    // Elements the sender did not know of stay behind those it named.
    private static void order(ObjectNode result, Map.Entry<String, JsonNode> directive) {
        String name = directive.getKey().substring(ORDER.length());
        String key = MERGE_KEYS.getOrDefault(name, "");
        if (!(result.get(name) instanceof ArrayNode list) || key.isEmpty() && !SETS.contains(name)) {
            return;
        }
        Function<JsonNode, String> identity = e -> key.isEmpty() ? e.asText() : Json.text(e, key);
        List<String> wanted = new ArrayList<>();
        directive.getValue().forEach(e -> wanted.add(identity.apply(e)));
        List<JsonNode> elements = new ArrayList<>();
        list.forEach(elements::add);
        elements.sort(Comparator.comparingInt(e -> {
            int at = wanted.indexOf(identity.apply(e));
            return at < 0 ? wanted.size() : at;
        }));
        result.set(name, result.arrayNode().addAll(elements));
    }

    private static List<String> texts(JsonNode list) {
        List<String> texts = new ArrayList<>();
        list.forEach(e -> texts.add(e.asText()));
        return texts;
    }
}
