package io.nodeward.e2e.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What becomes of taints, of each Node that changes: {@code + taint}, {@code - taint}, {@code ~ before -> after}. */
final class TaintChanges {
    private TaintChanges() {}

    /** As {@code plan -o json} tells it. */
    static Map<String, Set<String>> told(JsonNode plan) {
        Map<String, Set<String>> told = new TreeMap<>();
        for (JsonNode node : plan.path("changes")) {
            Set<String> changes = new TreeSet<>();
            node.path("added").forEach(taint -> changes.add("+ " + taint.asText()));
            node.path("removed").forEach(taint -> changes.add("- " + taint.asText()));
            node.path("changed").forEach(pair -> changes.add(
                    "~ " + pair.path("before").asText() + " -> " + pair.path("taint").asText()));
            told.put(node.path("node").asText(), changes);
        }
        return told;
    }

    /** As it is seen in two lists of all Nodes. */
    static Map<String, Set<String>> between(JsonNode before, JsonNode after) {
        Map<String, Map<String, String>> old = taints(before);
        Map<String, Map<String, String>> now = taints(after);
        Map<String, Set<String>> seen = new TreeMap<>();
        Set<String> names = new TreeSet<>(old.keySet());
        names.addAll(now.keySet());
        for (String node : names) {
            Set<String> changes = changes(old.getOrDefault(node, Map.of()), now.getOrDefault(node, Map.of()));
            if (!changes.isEmpty()) {
                seen.put(node, changes);
            }
        }
        return seen;
    }

    private static Set<String> changes(Map<String, String> before, Map<String, String> after) {
        Set<String> changes = new TreeSet<>();
        after.forEach((id, taint) -> {
            String old = before.get(id);
            if (old == null) {
                changes.add("+ " + taint);
            } else if (!old.equals(taint)) {
                changes.add("~ " + old + " -> " + taint);
            }
        });
        before.forEach((id, taint) -> {
            if (!after.containsKey(id)) {
                changes.add("- " + taint);
            }
        });
        return changes;
    }

    /** By Node, by key and effect: the taint as text. */
    private static Map<String, Map<String, String>> taints(JsonNode nodes) {
        Map<String, Map<String, String>> taints = new LinkedHashMap<>();
        for (JsonNode node : nodes.path("items")) {
            Map<String, String> own = new LinkedHashMap<>();
            for (JsonNode taint : node.at("/spec/taints")) {
                String key = taint.path("key").asText();
                String value = taint.path("value").asText();
                String effect = taint.path("effect").asText();
                own.put(key + ":" + effect, key + (value.isEmpty() ? "" : "=" + value) + ":" + effect);
            }
            taints.put(node.at("/metadata/name").asText(), own);
        }
        return taints;
    }
}
