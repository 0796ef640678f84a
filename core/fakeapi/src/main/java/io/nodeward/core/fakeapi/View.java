package io.nodeward.core.fakeapi;

import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a client wants objects shown: whole, metadata alone, or as rows of a table.
 *
 * @param include what a table row carries: {@code None}, {@code Metadata} or {@code Object}
 */
record View(Form form, Kind kind, String apiVersion, String include) {
    enum Form {
        WHOLE,
        METADATA,
        METADATA_LIST,
        TABLE
    }

    private static final String META = "meta.k8s.io/v1";

    /** The first form of the Accept header that is known; 406 if none is. */
    static View accepted(Exchange exchange, Kind kind, String version) {
        String accept = exchange.header("Accept");
        String include = exchange.query("includeObject");
        for (String clause : (accept.isBlank() ? "*/*" : accept).split(",")) {
            Form form = form(clause.strip());
            if (form != null) {
                return new View(form, kind, kind.apiVersion(version), include.isEmpty() ? "Metadata" : include);
            }
        }
        throw Refusal.of(406, "NotAcceptable", "only the following media types are accepted: application/json");
    }

    private static @Nullable Form form(String clause) {
        String[] parts = clause.split(";");
        if (!parts[0].equals("application/json") && !parts[0].equals("*/*") && !parts[0].equals("application/*")) {
            return null;
        }
        Map<String, String> params = new HashMap<>();
        Arrays.stream(parts).skip(1).map(p -> p.strip().split("=", 2))
                .forEach(p -> params.put(p[0], p.length == 2 ? p[1] : ""));
        boolean meta =
                params.getOrDefault("g", "").equals("meta.k8s.io") && params.getOrDefault("v", "").startsWith("v1");
        return switch (params.getOrDefault("as", "")) {
            case "" -> Form.WHOLE;
            case "PartialObjectMetadata" -> meta ? Form.METADATA : null;
            case "PartialObjectMetadataList" -> meta ? Form.METADATA_LIST : null;
            case "Table" -> meta ? Form.TABLE : null;
            default -> null;
        };
    }

    View forObject() {
        if (form == Form.METADATA_LIST) {
            throw Refusal.of(406, "NotAcceptable",
                    "you requested PartialObjectMetadataList, but the requested object is not a list");
        }
        return this;
    }

    View forList() {
        if (form == Form.METADATA) {
            throw Refusal.of(406, "NotAcceptable",
                    "you requested PartialObjectMetadata, but the requested object is a list");
        }
        return this;
    }

    void writeObject(OutputStream out, Stored stored, boolean columns) throws IOException {
        switch (form) {
            case WHOLE -> stored.write(out, kind, apiVersion, true);
            case METADATA, METADATA_LIST -> stored.writeMetadata(out);
            case TABLE -> {
                startTable(out, Json.object().put("resourceVersion", Long.toString(stored.version())), columns);
                writeRow(out, stored);
                out.write(bytes("]}"));
            }
        }
    }

    byte[] object(Stored stored) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream(1024);
        writeObject(out, stored, true);
        return out.toByteArray();
    }

    void writeList(OutputStream out, ObjectNode metadata, Iterable<Stored> items) throws IOException {
        if (form == Form.TABLE) {
            startTable(out, metadata, true);
        } else {
            boolean whole = form == Form.WHOLE;
            out.write(
                    bytes("{\"kind\":\"" + (whole ? kind.name() : "PartialObjectMetadata") + "List\",\"apiVersion\":\""
                            + (whole ? apiVersion : META) + "\",\"metadata\":" + metadata + ",\"items\":["));
        }
        boolean more = false;
        for (Stored item : items) {
            if (more) {
                out.write(',');
            }
            more = true;
            writeItem(out, item);
        }
        out.write(bytes("]}"));
    }

    private void writeItem(OutputStream out, Stored item) throws IOException {
        switch (form) {
            case WHOLE -> item.write(out, kind, apiVersion, kind.custom());
            case METADATA, METADATA_LIST -> item.writeMetadata(out);
            case TABLE -> writeRow(out, item);
        }
    }

    private void startTable(OutputStream out, ObjectNode metadata, boolean columns) throws IOException {
        out.write(bytes("{\"kind\":\"Table\",\"apiVersion\":\"" + META + "\",\"metadata\":" + metadata
                + ",\"columnDefinitions\":" + (columns ? Columns.definitions(kind) : NullNode.getInstance())
                + ",\"rows\":["));
    }

    private void writeRow(OutputStream out, Stored stored) throws IOException {
        ObjectNode object = stored.read(kind, apiVersion);
        out.write(bytes("{\"cells\":" + Columns.cells(kind, object) + ",\"object\":"));
        switch (include) {
            case "None" -> out.write(bytes("null"));
            case "Object" -> stored.write(out, kind, apiVersion, true);
            default -> stored.writeMetadata(out);
        }
        out.write('}');
    }

    /** The object of a bookmark. */
    ObjectNode bookmark(long version, boolean initialEventsEnd) {
        ObjectNode object = Json.object();
        if (form == Form.TABLE) {
            object.put("kind", "Table").put("apiVersion", META);
        } else {
            boolean whole = form == Form.WHOLE;
            object.put("kind", whole ? kind.name() : "PartialObjectMetadata").put("apiVersion",
                    whole ? apiVersion : META);
        }
        ObjectNode metadata = object.putObject("metadata").put("resourceVersion", Long.toString(version));
        if (initialEventsEnd) {
            metadata.putObject("annotations").put("k8s.io/initial-events-end", "true");
        }
        return object;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
