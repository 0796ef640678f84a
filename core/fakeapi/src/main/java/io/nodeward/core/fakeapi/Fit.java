package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.FieldSet;
import io.nodeward.core.apply.Shape;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Whether an applied object can be looked at as its kind is declared. If not, a server says 500, not 4xx. */
final class Fit {
    /** What does not fit. */
    private static final class Misfit extends Exception {
        Misfit(String path, String what) {
            super(path + ": " + what);
        }
    }

    private Fit() {}

    static void require(Store store, String apiVersion, ObjectNode applied) {
        try {
            check(store.shape(), "", applied);
        } catch (Misfit misfit) {
            String name = Json.text(applied, "metadata", "name");
            String namespace = Json.text(applied, "metadata", "namespace");
            String version = apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
            throw Refusal.of(500, "", "failed to create typed patch object (" + namespace + "/" + name + "; " + version
                    + ", Kind=" + store.kind().name() + "): " + misfit.getMessage());
        }
    }

    private static void check(Shape shape, String path, JsonNode value) throws Misfit {
        if (value.isNull()) {
            return;
        }
        switch (shape) {
            case Shape.Fields fields -> {
                require(value.isObject() || fields == Shape.STRUCT, path, "map", value);
                for (Map.Entry<String, JsonNode> field : value.properties()) {
                    check(fields.of(field.getKey()), path + "." + field.getKey(), field.getValue());
                }
            }
            case Shape.Items items -> {
                require(value.isArray(), path, "list", value);
                checkItems(items, path, value);
            }
            case Shape.Whole whole -> {
                boolean fits = switch (whole.type()) {
                    case "list" -> value.isArray();
                    case "string" -> value.isTextual();
                    default -> true;
                };
                require(fits, path, whole.type(), value);
            }
        }
    }

    private static void checkItems(Shape.Items items, String path, JsonNode list) throws Misfit {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < list.size(); i++) {
            String step = items.step(list.path(i));
            if (step == null) {
                throw new Misfit(path, "element " + i + ": " + (items.keys().isEmpty()
                        ? "associative list without keys has an element that's a map type"
                        : "associative list with keys has an element that omits all key fields [\""
                                + String.join("\" \"", items.keys())
                                + "\"] (and doesn't have default values for any key fields)"));
            }
            if (!seen.add(step)) {
                throw new Misfit(path, "duplicate entries for key " + FieldSet.shown(step));
            }
            check(items.item(), path + FieldSet.shown(step), list.path(i));
        }
    }

    private static void require(boolean fits, String path, String type, JsonNode value) throws Misfit {
        if (!fits) {
            String shown = type.equals("string") ? "&value.valueUnstructured{Value:" + value + "}"
                    : "&{" + (value.isValueNode() ? value.asText() : value.toString()) + "}";
            throw new Misfit(path, "expected " + type + ", got " + shown);
        }
    }
}
