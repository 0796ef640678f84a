package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;

/** RFC 7386. What the patch does not name is shared with the target, which stays as it was. */
final class MergePatch {
    private MergePatch() {}

    static ObjectNode apply(ObjectNode target, ObjectNode patch) {
        ObjectNode result = Json.shallow(target);
        for (Map.Entry<String, JsonNode> field : patch.properties()) {
            String name = field.getKey();
            if (field.getValue().isNull()) {
                result.remove(name);
            } else if (field.getValue() instanceof ObjectNode inner) {
                result.set(name, apply(target.get(name) instanceof ObjectNode old ? old : Json.object(), inner));
            } else {
                result.set(name, field.getValue());
            }
        }
        return result;
    }
}
