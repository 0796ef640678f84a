package io.nodeward.cli.taint;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.cli.taint.OwnerEditor.PlaceEdit;
import io.nodeward.core.rules.command.TaintEdit.Operation;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A JSON patch of lists of declared taints that holds on the object and the lists it was made from. */
final class OwnerPatch {
    private final ArrayNode operations = JsonNodeFactory.instance.arrayNode();

    private OwnerPatch() {}

    static OwnerPatch of(ObjectNode owner, List<PlaceEdit> places) {
        OwnerPatch patch = new OwnerPatch();
        patch.operation("test", "/metadata/uid", owner.at("/metadata/uid"));
        for (PlaceEdit edit : places) {
            if (edit.edit().operation() != Operation.UNCHANGED) {
                patch.place(owner, edit);
            }
        }
        return patch;
    }

    byte[] body() {
        return operations.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** The object as the patch makes it. */
    ObjectNode applied(ObjectNode owner) {
        ObjectNode after = owner.deepCopy();
        for (JsonNode operation : operations) {
            JsonPointer path = JsonPointer.compile(operation.path("path").asText());
            String field = path.last().getMatchingProperty();
            switch (operation.path("op").asText()) {
                case "add" -> ((ObjectNode) after.at(path.head())).set(field, operation.path("value"));
                case "remove" -> ((ObjectNode) after.at(path.head())).remove(field);
                default -> { // a test, which holds
                }
            }
        }
        return after;
    }

    private void place(ObjectNode owner, PlaceEdit edit) {
        OwnerPlace place = edit.place();
        if (!place.named().isEmpty()) {
            operation("test", place.named(), owner.at(place.named()));
        }
        String parent = place.parent();
        ArrayNode after = DeclaredList.written(edit.edit().taints());
        JsonNode there = owner.at(parent);
        if (there.isMissingNode()) {
            operation("test", parent, NullNode.instance);
            operation("add", parent, JsonNodeFactory.instance.objectNode().set("taints", after));
            return;
        }
        JsonNode before = owner.at(place.path());
        operation("test", place.path(), before.isMissingNode() ? NullNode.instance : before);
        if (!after.isEmpty()) {
            operation("add", place.path(), after); // or replace: add is both
        } else if (there.size() == 1 && parent.endsWith("/controlPlane")) {
            remove(parent); // without any field it is refused
        } else {
            remove(place.path());
        }
    }

    private void operation(String op, String path, JsonNode value) {
        operations.addObject().put("op", op).put("path", path).set("value", value);
    }

    private void remove(String path) {
        operations.addObject().put("op", "remove").put("path", path);
    }
}
