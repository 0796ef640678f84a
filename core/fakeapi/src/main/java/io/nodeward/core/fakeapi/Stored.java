package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.nodeward.core.apply.Ownership;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * One version of one object, serialised once: JSON without kind and apiVersion, which depend on who reads, and with
 * metadata first, so that metadata alone is a prefix of it. managedFields are kept apart, as they are mostly those of many
 * other objects, and put in when somebody reads.
 */
final class Stored {
    private static final byte[] MANAGED_FIELDS = ",\"managedFields\":".getBytes(StandardCharsets.UTF_8);

    private final long version;
    private final String namespace;
    private final String name;
    private final Map<String, String> labels;
    private final Ownership owners;
    private final byte[] json;
    /** Without the brace at its end. */
    private final int metadataEnd;

    /**
     * @param object without managedFields
     * @param version 0 for an object that is not stored (dry run)
     */
    Stored(ObjectNode object, Ownership owners, long version) {
        ObjectNode metadata = (ObjectNode) object.path("metadata");
        if (version > 0) {
            metadata.put("resourceVersion", Long.toString(version));
        }
        this.version = version;
        this.owners = owners;
        this.namespace = Json.text(metadata, "namespace");
        this.name = Json.text(metadata, "name");
        this.labels = Json.texts(metadata.path("labels"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
        put(bytes, "\"metadata\":", metadata);
        this.metadataEnd = bytes.size() - 1;
        object.properties().forEach(field -> {
            String key = field.getKey();
            if (!key.equals("metadata") && !key.equals("kind") && !key.equals("apiVersion")) {
                put(bytes, ",\"" + key + "\":", field.getValue());
            }
        });
        bytes.write('}');
        this.json = bytes.toByteArray();
    }

    long version() {
        return version;
    }

    String namespace() {
        return namespace;
    }

    String name() {
        return name;
    }

    Map<String, String> labels() {
        return labels;
    }

    Ownership owners() {
        return owners;
    }

    /** As everybody sees it. */
    ObjectNode shown(Kind kind, String apiVersion) {
        ObjectNode object = read(kind, apiVersion);
        if (!owners.owners().isEmpty()) {
            Json.child(object, "metadata").set("managedFields", owners.json());
        }
        return object;
    }

    /** Without managedFields. */
    ObjectNode read(Kind kind, String apiVersion) {
        byte[] head = head(kind.name(), apiVersion);
        byte[] all = new byte[head.length + json.length];
        System.arraycopy(head, 0, all, 0, head.length);
        System.arraycopy(json, 0, all, head.length, json.length);
        return Json.parse(all);
    }

    /** The same state under another resourceVersion, as the last event of an object shows it. */
    Stored at(Kind kind, long other) {
        return new Stored(read(kind, ""), owners, other);
    }

    /** All of it; lists of built-in kinds leave out kind and apiVersion of their items. */
    void write(OutputStream out, Kind kind, String apiVersion, boolean typed) throws IOException {
        if (typed) {
            out.write(head(kind.name(), apiVersion));
        } else {
            out.write('{');
        }
        writeTo(out, json.length);
    }

    void writeMetadata(OutputStream out) throws IOException {
        out.write(head("PartialObjectMetadata", "meta.k8s.io/v1"));
        writeTo(out, metadataEnd + 1);
        out.write('}');
    }

    private void writeTo(OutputStream out, int end) throws IOException {
        out.write(json, 0, metadataEnd);
        if (!owners.owners().isEmpty()) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream(1024);
            bytes.writeBytes(MANAGED_FIELDS);
            owners.write(bytes);
            bytes.writeTo(out);
        }
        out.write(json, metadataEnd, end - metadataEnd);
    }

    private static byte[] head(String kind, String apiVersion) {
        return ("{\"kind\":\"" + kind + "\",\"apiVersion\":\"" + apiVersion + "\",").getBytes(StandardCharsets.UTF_8);
    }

    private static void put(ByteArrayOutputStream bytes, String prefix, JsonNode value) {
        bytes.writeBytes(prefix.getBytes(StandardCharsets.UTF_8));
        bytes.writeBytes(Json.bytes(value));
    }
}
