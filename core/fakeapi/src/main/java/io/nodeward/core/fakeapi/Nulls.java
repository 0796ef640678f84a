package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What becomes of nulls that an apply leaves behind: a kind of the server's own forgets them, a custom one refuses them. */
final class Nulls {
    private Nulls() {}

    /**
     * @param written the fields of the object that this request writes
     * @throws Refusal 422 for a custom kind
     */
    static ObjectNode settled(Kind kind, Shape.Fields shape, ObjectNode live, ObjectNode after, List<String> written) {
        if (!kind.custom()) {
            return without(live, after);
        }
        List<Violation> wrong = new ArrayList<>();
        for (String field : written) {
            String inBody = field.equals("status") ? "" : field;
            find(wrong, shape.of(field), live.path(field), after.path(field), field, inBody);
        }
        if (!wrong.isEmpty()) {
            throw Refusal.invalid(kind, Json.text(live, "metadata", "name"), wrong);
        }
        return after;
    }

    // metadata has its own way with nulls: those in maps are empty texts.
    private static ObjectNode without(JsonNode live, ObjectNode after) {
        ObjectNode rest = Json.object();
        for (Map.Entry<String, JsonNode> field : after.properties()) {
            JsonNode value = field.getValue();
            JsonNode old = live.path(field.getKey());
            boolean look = value != old && !field.getKey().equals("metadata");
            if (look && value instanceof ObjectNode object) {
                rest.set(field.getKey(), without(old, object));
            } else if (!look || !value.isNull()) {
                rest.set(field.getKey(), value);
            }
        }
        return rest;
    }

    private static void find(
            List<Violation> wrong, Shape shape, JsonNode live, JsonNode after, String path, String inBody) {
        if (after == live) {
            return;
        }
        if (after.isNull() && !inBody.isEmpty()) {
            wrong.add(Violation.type(path, inBody, after, type(shape)));
        } else if (after.isObject() && shape instanceof Shape.Fields fields) {
            after.properties().forEach(field -> find(wrong, fields.of(field.getKey()), live.path(field.getKey()),
                    field.getValue(), path + "." + field.getKey(),
                    inBody.isEmpty() ? field.getKey() : inBody + "." + field.getKey()));
        } else if (after.isArray() && shape instanceof Shape.Items items) {
            findInItems(wrong, items, live, after, path, inBody);
        }
    }

    private static void findInItems(
            List<Violation> wrong, Shape.Items items, JsonNode live, JsonNode after, String path, String inBody) {
        for (int i = 0; i < after.size(); i++) {
            JsonNode item = after.path(i);
            String step = items.step(item);
            JsonNode old = live.valueStream()
                    .filter(other -> Objects.equals(items.step(other), step))
                    .findFirst()
                    .orElse(MissingNode.getInstance());
            find(wrong, items.item(), old, item, path + "[" + i + "]", inBody + "[" + i + "]");
        }
    }

    private static String type(Shape shape) {
        return switch (shape) {
            case Shape.Items items -> "array";
            case Shape.Whole whole when whole.type().equals("list") -> "array";
            case Shape.Whole whole -> whole.type().isEmpty() ? "object" : whole.type();
            case Shape.Fields fields -> "object";
        };
    }
}
