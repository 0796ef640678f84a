package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;

/** The body of a request that deletes. */
public final class DeleteOptionsJson {
    private DeleteOptionsJson() {}

    /** A meta/v1 DeleteOptions; an empty text leaves its field out. */
    public static byte[] body(String uid, String resourceVersion, String propagationPolicy) {
        return Bodies.written(json -> {
            json.writeStartObject();
            json.writeStringField("apiVersion", "v1");
            json.writeStringField("kind", "DeleteOptions");
            text(json, "propagationPolicy", propagationPolicy);
            if (!uid.isEmpty() || !resourceVersion.isEmpty()) {
                json.writeObjectFieldStart("preconditions");
                text(json, "uid", uid);
                text(json, "resourceVersion", resourceVersion);
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }

    private static void text(JsonGenerator json, String field, String value) throws IOException {
        if (!value.isEmpty()) {
            json.writeStringField(field, value);
        }
    }
}
