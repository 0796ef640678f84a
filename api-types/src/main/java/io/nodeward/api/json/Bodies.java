package io.nodeward.api.json;

import com.fasterxml.jackson.core.JsonGenerator;
import io.nodeward.api.core.Event;
import io.nodeward.api.meta.ObjectKey;
import io.nodeward.api.node.NodeChange;
import io.nodeward.api.node.Taint;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;

/** Request bodies of what Nodeward writes. */
public final class Bodies {
    private Bodies() {}

    /** A JSON merge patch that holds only on the change's resourceVersion. Unmanaged taints go back as they came. */
    public static byte[] mergePatch(NodeChange change) {
        return written(json -> {
            json.writeStartObject();
            json.writeObjectFieldStart("metadata");
            json.writeStringField("resourceVersion", change.resourceVersion());
            texts(json, "labels", change.labels());
            texts(json, "annotations", change.annotations());
            json.writeEndObject();
            if (change.taints().isPresent()) {
                json.writeObjectFieldStart("spec");
                json.writeFieldName("taints");
                taints(json, change.taints().get());
                json.writeEndObject();
            }
            json.writeEndObject();
        });
    }

    /** Ends in its metadata, which may have more. */
    static void identified(JsonGenerator json, String apiVersion, String kind, ObjectKey key)
            throws IOException {
        json.writeStringField("apiVersion", apiVersion);
        json.writeStringField("kind", kind);
        json.writeObjectFieldStart("metadata");
        json.writeStringField("name", key.name());
        if (!key.namespace().isEmpty()) {
            json.writeStringField("namespace", key.namespace());
        }
    }

    /** A core/v1 Event. */
    public static byte[] event(Event event) {
        String time = event.time().truncatedTo(ChronoUnit.SECONDS).toString();
        return written(json -> {
            json.writeStartObject();
            identified(json, "v1", "Event", event.key());
            json.writeEndObject();
            json.writeObjectFieldStart("involvedObject");
            regarding(json, event.regarding());
            json.writeEndObject();
            json.writeStringField("type", event.type());
            json.writeStringField("reason", event.reason());
            json.writeStringField("message", event.message());
            json.writeStringField("firstTimestamp", time);
            json.writeStringField("lastTimestamp", time);
            json.writeNumberField("count", 1);
            json.writeObjectFieldStart("source");
            json.writeStringField("component", event.component());
            json.writeEndObject();
            json.writeStringField("reportingComponent", event.component());
            json.writeEndObject();
        });
    }

    private static void regarding(JsonGenerator json, Event.Regarding regarding) throws IOException {
        ObjectKey key = regarding.key();
        json.writeStringField("apiVersion", regarding.apiVersion());
        json.writeStringField("kind", regarding.kind());
        json.writeStringField("name", key.name());
        if (!key.namespace().isEmpty()) {
            json.writeStringField("namespace", key.namespace());
        }
        json.writeStringField("uid", regarding.uid());
        json.writeStringField("resourceVersion", regarding.resourceVersion());
    }

    private static void texts(JsonGenerator json, String field, Map<String, Optional<String>> change)
            throws IOException {
        if (change.isEmpty()) {
            return;
        }
        json.writeObjectFieldStart(field);
        for (Map.Entry<String, Optional<String>> entry : change.entrySet()) {
            json.writeFieldName(entry.getKey());
            if (entry.getValue().isPresent()) {
                json.writeString(entry.getValue().get());
            } else {
                json.writeNull();
            }
        }
        json.writeEndObject();
    }

    static void taints(JsonGenerator json, Iterable<Taint> taints) throws IOException {
        if (!taints.iterator().hasNext()) {
            json.writeNull();
            return;
        }
        json.writeStartArray();
        for (Taint taint : taints) {
            json.writeRawValue(taint.json());
        }
        json.writeEndArray();
    }

    @FunctionalInterface
    interface Body {
        void write(JsonGenerator json) throws IOException;
    }

    static byte[] written(Body body) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
        try (JsonGenerator json = Json.FACTORY.createGenerator(bytes)) {
            body.write(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return bytes.toByteArray();
    }
}
