package io.nodeward.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.machine.ClusterApi;
import io.nodeward.api.machine.MachineTaint;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * What an object declares for Nodes: taints, labels and annotations, at the places where its kind has them.
 *
 * @param taints by key and effect
 */
record Declared(Map<String, JsonNode> taints, Map<String, JsonNode> labels, Map<String, JsonNode> annotations) {
    /** Of the object itself, as of a Machine, or of a template in it. */
    static Declared of(JsonNode object) {
        Map<String, JsonNode> taints = new LinkedHashMap<>();
        object.at("/spec/taints").forEach(taint -> taints.put(id(taint), taint));
        return new Declared(taints, fields(object.at("/metadata/labels")), fields(object.at("/metadata/annotations")));
    }

    /** Of taints alone. */
    static Declared of(List<MachineTaint> declared) {
        Map<String, JsonNode> taints = new LinkedHashMap<>();
        for (MachineTaint taint : declared) {
            ObjectNode json = JsonNodeFactory.instance.objectNode().put("key", taint.key());
            if (!taint.value().isEmpty()) {
                json.put("value", taint.value());
            }
            taints.put(taint.id().toString(),
                    json.put("effect", taint.effect()).put("propagation", taint.propagation()));
        }
        return new Declared(taints, Map.of(), Map.of());
    }

    /** Whether what differs between the two is here as it is in the second. */
    boolean has(Declared before, Declared after) {
        return has(taints, before.taints, after.taints) && has(labels, before.labels, after.labels)
                && has(annotations, before.annotations, after.annotations);
    }

    private static boolean has(Map<String, JsonNode> here, Map<String, JsonNode> before, Map<String, JsonNode> after) {
        return Stream.concat(before.keySet().stream(), after.keySet().stream())
                .filter(key -> !Objects.equals(before.get(key), after.get(key)))
                .allMatch(key -> Objects.equals(here.get(key), after.get(key)));
    }

    /** Makes an object that declared {@code before}, among other things perhaps, declare this instead. */
    void replace(Declared before, ObjectNode object) {
        Map<String, JsonNode> all = new LinkedHashMap<>(of(object).taints);
        before.taints.keySet().forEach(all::remove);
        all.putAll(taints);
        ArrayNode list = object.withObject("/spec").putArray("taints");
        all.values().forEach(list::add);
        replace(before.labels, labels, object.withObject("/metadata/labels"));
        replace(before.annotations, annotations, object.withObject("/metadata/annotations"));
    }

    /** What Cluster API itself puts there is seldom in a file, and stays; who pauses it is a user. */
    private static void replace(Map<String, JsonNode> before, Map<String, JsonNode> after, ObjectNode fields) {
        before.keySet().stream().filter(key -> !isClusterApis(key)).forEach(fields::remove);
        after.forEach(fields::set);
    }

    private static boolean isClusterApis(String key) {
        return !key.equals(ClusterApi.PAUSED_ANNOTATION)
                && (key.startsWith("cluster.x-k8s.io/") || key.startsWith("topology.cluster.x-k8s.io/"));
    }

    private static String id(JsonNode taint) {
        return taint.path("key").asText() + ':' + taint.path("effect").asText();
    }

    private static Map<String, JsonNode> fields(JsonNode object) {
        Map<String, JsonNode> fields = new LinkedHashMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }
}
