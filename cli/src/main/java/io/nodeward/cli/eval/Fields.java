package io.nodeward.cli.eval;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.nodeward.api.machine.MachineTaint;
import io.nodeward.api.meta.Metadata;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.Taint;
import io.nodeward.api.pod.Toleration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;

/** Reads the fields of a case. What is missing or null is empty; anything of a wrong type makes the case unusable. */
final class Fields {
    private Fields() {}

    static String text(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return "";
        }
        if (!value.isTextual()) {
            throw wrong(field, "a text");
        }
        return value.textValue();
    }

    static boolean isTrue(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return false;
        }
        if (!value.isBoolean()) {
            throw wrong(field, "true or false");
        }
        return value.booleanValue();
    }

    /** An object that has to be there. */
    static JsonNode object(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (!value.isObject()) {
            throw wrong(field, "an object");
        }
        return value;
    }

    /** Each element, which has to be an object. */
    static <T> List<T> objects(JsonNode object, String field, Function<JsonNode, T> reader) {
        List<T> objects = new ArrayList<>();
        for (JsonNode element : array(object, field)) {
            if (!element.isObject()) {
                throw wrong(field, "a list of objects");
            }
            objects.add(reader.apply(element));
        }
        return objects;
    }

    static List<String> texts(JsonNode object, String field) {
        List<String> texts = new ArrayList<>();
        for (JsonNode element : array(object, field)) {
            if (!element.isTextual()) {
                throw wrong(field, "a list of texts");
            }
            texts.add(element.textValue());
        }
        return texts;
    }

    static Map<String, String> textMap(JsonNode object, String field) {
        Map<String, String> texts = new TreeMap<>();
        JsonNode map = object.path(field);
        if (!map.isMissingNode() && !map.isNull()) {
            object(object, field).properties().forEach(entry -> texts.put(entry.getKey(), text(map, entry.getKey())));
        }
        return texts;
    }

    /** Metadata of an object without a namespace. */
    static Metadata metadata(String name, Map<String, String> labels, Map<String, String> annotations) {
        return new Metadata(new ObjectKey("", name), "", "1", labels, annotations, List.of(), false);
    }

    /** Taints with propagation, as an owner declares them. */
    static List<MachineTaint> declaredTaints(JsonNode object) {
        return objects(object, "taints", taint -> new MachineTaint(
                text(taint, "key"), text(taint, "value"), text(taint, "effect"), text(taint, "propagation")));
    }

    static List<Taint> taints(JsonNode object) {
        return objects(object, "taints", Fields::taint);
    }

    static Taint taint(JsonNode taint) {
        return new Taint(text(taint, "key"), text(taint, "value"), text(taint, "effect"), taint.toString());
    }

    static List<Toleration> tolerations(JsonNode object, String field) {
        return objects(object, field, Fields::toleration);
    }

    static Toleration toleration(JsonNode toleration) {
        return new Toleration(text(toleration, "key"), text(toleration, "operator"), text(toleration, "value"),
                text(toleration, "effect"), seconds(toleration));
    }

    private static OptionalLong seconds(JsonNode toleration) {
        String field = "tolerationSeconds";
        JsonNode value = toleration.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return OptionalLong.empty();
        }
        if (!value.isIntegralNumber() || !value.canConvertToLong()) {
            throw wrong(field, "a whole number of 64 bits");
        }
        return OptionalLong.of(value.longValue());
    }

    private static JsonNode array(JsonNode object, String field) {
        JsonNode value = object.path(field);
        if (value.isMissingNode() || value.isNull()) {
            return JsonNodeFactory.instance.arrayNode();
        }
        if (!value.isArray()) {
            throw wrong(field, "a list");
        }
        return value;
    }

    private static UnusableCaseException wrong(String field, String wanted) {
        return new UnusableCaseException(field + " is not " + wanted);
    }
}
