package io.nodeward.api.json;

import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import java.util.Collection;
import java.util.Map;

/** A whole status that a controller keeps on a kind of its own. */
public final class StatusPatch {
    private StatusPatch() {}

    /**
     * Server-side apply of these conditions and fields and nothing else, which holds only on the object's resourceVersion;
     * those applied before that are not among them go.
     *
     * @param fields of the status besides {@code conditions}
     */
    public static byte[] of(Event.Regarding object, Collection<Condition> conditions, Map<String, Tree> fields) {
        return Bodies.written(json -> {
            json.writeStartObject();
            Bodies.identified(json, object.apiVersion(), object.kind(), object.key());
            json.writeStringField("uid", object.uid());
            json.writeStringField("resourceVersion", object.resourceVersion());
            json.writeEndObject();
            json.writeObjectFieldStart("status");
            Bodies.conditions(json, conditions);
            for (Map.Entry<String, Tree> field : fields.entrySet()) {
                json.writeFieldName(field.getKey());
                Trees.writeForApply(json, field.getValue());
            }
            json.writeEndObject();
            json.writeEndObject();
        });
    }
}
