package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nodeward.api.admission.Tree;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.Condition;
import java.io.IOException;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.Map;

/** A whole status that a controller keeps on a kind of its own. */
public final class StatusPatch {
    private StatusPatch() {}

    /**
     * Server-side apply of these conditions and fields and nothing else, which holds only on the object's resourceVersion;
     * those applied before that are not among them go.
     *
     * @param v1beta1 whether Cluster API's v1beta1 is asked, which keeps such conditions in {@code status.v1beta2}
     * @param fields of the status besides {@code conditions}
     */
    public static byte[] of(
            Event.Regarding object, boolean v1beta1, Collection<Condition> conditions, Map<String, Tree> fields) {
        return Bodies.written(json -> {
            json.writeStartObject();
            Bodies.identified(json, object.apiVersion(), object.kind(), object.key());
            json.writeStringField("uid", object.uid());
            json.writeStringField("resourceVersion", object.resourceVersion());
            json.writeEndObject();
            if (!conditions.isEmpty() || !fields.isEmpty()) { // Cluster API's status may be absent, but not empty
                json.writeFieldName("status");
                status(json, v1beta1, conditions, fields);
            }
            json.writeEndObject();
        });
    }

    private static void status(
            JsonGenerator json, boolean v1beta1, Collection<Condition> conditions, Map<String, Tree> fields)
            throws IOException {
        json.writeStartObject();
        if (v1beta1) {
            json.writeObjectFieldStart("v1beta2");
        }
        conditions(json, conditions);
        if (v1beta1) {
            json.writeEndObject();
        }
        for (Map.Entry<String, Tree> field : fields.entrySet()) {
            json.writeFieldName(field.getKey());
            Trees.writeForApply(json, field.getValue());
        }
        json.writeEndObject();
    }

    private static void conditions(JsonGenerator json, Collection<Condition> conditions) throws IOException {
        json.writeArrayFieldStart("conditions");
        for (Condition condition : conditions) {
            json.writeStartObject();
            json.writeStringField("type", condition.type());
            json.writeStringField("status", condition.status());
            json.writeStringField("reason", condition.reason());
            json.writeStringField("message", condition.message());
            json.writeStringField("lastTransitionTime", condition.since().truncatedTo(ChronoUnit.SECONDS).toString());
            if (condition.observedGeneration() > 0) {
                json.writeNumberField("observedGeneration", condition.observedGeneration());
            }
            json.writeEndObject();
        }
        json.writeEndArray();
    }
}
