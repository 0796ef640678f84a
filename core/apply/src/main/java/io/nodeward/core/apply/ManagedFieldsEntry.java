package io.nodeward.core.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One entry of managedFields.
 *
 * @param applied whether by applying; by any other write if not
 * @param subresource {@code status} or empty
 * @param time of the last change, in RFC 3339; empty if it changed nothing but who owns what
 */
public record ManagedFieldsEntry(String manager, boolean applied, String apiVersion, String subresource, String time,
        FieldSet fields) {
    private static final byte[] FIELDS = ",\"fieldsV1\":".getBytes(StandardCharsets.UTF_8);

    /** Whether both are one for the server: an applier in all versions, another writer in each version for itself. */
    public boolean isSame(ManagedFieldsEntry other) {
        return applied == other.applied && manager.equals(other.manager) && subresource.equals(other.subresource)
                && (applied || apiVersion.equals(other.apiVersion));
    }

    /** What the server sorts conflicts by. */
    public String identity() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("manager", manager).put("operation", operation());
        if (!applied) {
            json.put("apiVersion", apiVersion);
        }
        if (!subresource.isEmpty()) {
            json.put("subresource", subresource);
        }
        return json.toString();
    }

    boolean equalsButTime(ManagedFieldsEntry other) {
        return isSame(other) && apiVersion.equals(other.apiVersion) && fields.equals(other.fields);
    }

    public ManagedFieldsEntry with(FieldSet other) {
        return other == fields ? this : new ManagedFieldsEntry(manager, applied, apiVersion, subresource, time, other);
    }

    ManagedFieldsEntry at(String other) {
        return new ManagedFieldsEntry(manager, applied, apiVersion, subresource, other, fields);
    }

    /** As the message of a conflict names it. */
    public String shown() {
        return "\"" + manager + "\"" + (subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"")
                + (applied ? "" : " using " + apiVersion);
    }

    ObjectNode json() {
        ObjectNode json = head();
        json.set("fieldsV1", fields.json());
        return json;
    }

    private ObjectNode head() {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("manager", manager).put("operation", operation());
        json.put("apiVersion", apiVersion);
        if (!subresource.isEmpty()) {
            json.put("subresource", subresource);
        }
        if (!time.isEmpty()) {
            json.put("time", time);
        }
        return json.put("fieldsType", "FieldsV1");
    }

    /** Writes the same bytes as {@link #json}. */
    void write(ByteArrayOutputStream out) {
        byte[] bytes = FieldSet.bytes(head());
        out.write(bytes, 0, bytes.length - 1);
        out.writeBytes(FIELDS);
        fields.write(out);
        out.write('}');
    }

    String operation() {
        return applied ? "Apply" : "Update";
    }

    /** @return null if it is no entry a server takes */
    public static @Nullable ManagedFieldsEntry parse(JsonNode json) {
        String operation = json.path("operation").asText("");
        FieldSet fields = json.has("fieldsV1") ? FieldSet.parse(json.path("fieldsV1")) : FieldSet.NONE;
        String apiVersion = json.path("apiVersion").asText("");
        boolean known = operation.equals("Apply") || operation.equals("Update");
        if (fields == null || !known || apiVersion.isEmpty()
                || !json.path("fieldsType").asText("").equals("FieldsV1")) {
            return null;
        }
        return new ManagedFieldsEntry(json.path("manager").asText(""), operation.equals("Apply"), apiVersion,
                json.path("subresource").asText(""), json.path("time").asText(""), fields);
    }
}
