package io.nodeward.cli.eval;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Writes results in the shape of the vectors' expectations. */
final class Answers {
    private static final JsonMapper MAPPER = new JsonMapper();

    private Answers() {}

    static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    static ArrayNode texts(Collection<String> texts) {
        ArrayNode array = array();
        texts.forEach(array::add);
        return array;
    }

    static ObjectNode textMap(Map<String, String> texts) {
        ObjectNode object = object();
        texts.forEach(object::put);
        return object;
    }

    /** With all their fields, known or not; an empty value is left out as servers leave it out. */
    static ArrayNode taints(List<Taint> taints) {
        ArrayNode array = array();
        taints.forEach(taint -> array.add(taint(taint)));
        return array;
    }

    static ArrayNode tolerations(List<Toleration> tolerations) {
        ArrayNode array = array();
        tolerations.forEach(toleration -> array.add(toleration(toleration)));
        return array;
    }

    private static JsonNode taint(Taint taint) {
        try {
            JsonNode json = MAPPER.readTree(taint.json());
            if (taint.value().isEmpty() && json instanceof ObjectNode object) {
                object.remove("value");
            }
            return json;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a taint has to be JSON: " + taint, e);
        }
    }

    private static ObjectNode toleration(Toleration toleration) {
        ObjectNode object = object();
        put(object, "key", toleration.key());
        put(object, "operator", toleration.operator());
        put(object, "value", toleration.value());
        put(object, "effect", toleration.effect());
        toleration.seconds().ifPresent(seconds -> object.put("tolerationSeconds", seconds));
        return object;
    }

    private static void put(ObjectNode object, String field, String text) {
        if (!text.isEmpty()) {
            object.put(field, text);
        }
    }
}
